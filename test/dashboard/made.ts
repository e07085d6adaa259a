import type { ListedRun } from '../../src/views/service/dashboard/api.ts';
import type { CurveColumns, RunCard, RunState, StartedRun } from '../../src/views/watch/contract.ts';

export const card: RunCard = {
  id: 'a', kind: 'simulation', name: 'docs-web', command: 'orbweaver simulate docs-web', pid: 1,
  startedAt: '2026-11-24T00:00:00.000Z', folder: '/r/a',
};

export const started: StartedRun = {
  ...card, processors: 1, maxPages: null, maxSeconds: null, settings: {}, bound: null,
};

export const listed: ListedRun = {
  ...card, state: 'finished', problem: null, hasReport: false, forkOf: null, answer: null,
  figures: {
    policy: 'opic', processors: 1, robots: 1, pages: 1, seconds: 1, supersteps: 1, rank: null, pagerankArea: null,
    balance: null, replayHash: null,
  },
};

export function aState(changes: Partial<RunState> = {}): RunState {
  return {
    phase: 'running', error: null, superstep: 3, seconds: 30, elapsedSeconds: 4, pagesFetched: 100, failures: 2,
    bytes: 5000, statistics: null, figures: null, degrees: null, pace: null, limits: null,
    processors: [{
      processor: 0, robots: 4, open: [], openCount: 0, queued: 1, pending: 1, known: 500, fetched: 100, failures: 2,
      bytes: 5000, lastOutcome: null,
    }],
    ...changes,
  };
}

/** A curve through these supersteps, each value a function of its superstep. */
export function curvesOf(superstep: readonly number[]): CurveColumns {
  const column = (of: (superstep: number) => number): number[] => superstep.map(of);
  return {
    superstep, seconds: column((one) => 10 * one), pages: column((one) => 100 * one), failures: column(() => 0),
    bytes: column((one) => 1000 * one), rank: column((one) => 0.1 * one), busy: column(() => 0.5),
    balance: column(() => 0.75), pairs: column((one) => 20 * one), comparisons: column((one) => 30 * one),
  };
}

type StatisticsRow = NonNullable<RunState['statistics']>;

export function statistics(changes: Partial<StatisticsRow>): StatisticsRow {
  return {
    superstep: 1, pages: 1, arcs: 1, danglingPages: 1, method: 'exact', components: null, corePages: null,
    inPages: null, outPages: null, inDegreeExponent: null, inDegrees: null, outDegrees: null, diameter: null,
    maxDiameter: null, averageDistance: null, averageDistanceLow: null, averageDistanceHigh: null,
    effectiveDiameter: null, effectiveDiameterLow: null, effectiveDiameterHigh: null, ...changes,
  };
}
