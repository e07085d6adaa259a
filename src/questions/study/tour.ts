import type { WebGraph } from '../../graphs/graph/index.ts';
import type { RunResult, RunSummary } from '../../core/measure/index.ts';
import type { ExperimentInput, SettledExperiment } from '../../core/settings/index.ts';

/** The runs of the tour: the four policies with every default, then opic with one setting changed. */
export const stops = {
  'breadth-first': { policy: 'breadth-first' },
  random: { policy: 'random' },
  opic: { policy: 'opic' },
  pagerank: { policy: 'pagerank' },
  'opic, 1 processor': { policy: 'opic', processors: 1 },
  'opic, 1 robot each': { policy: 'opic', robots: 1 },
  'opic, lpt': { policy: 'opic', partition: 'lpt' },
  'opic, superstep-ms 0': { policy: 'opic', superstepMs: 0 },
} as const satisfies Record<string, ExperimentInput>;

export type Stop = keyof typeof stops;
export type TourRun = RunResult<SettledExperiment>;
export type TourRuns = ReadonlyMap<Stop, TourRun>;

/** A finding from the runs of a tour. Every figure is computed from them; shares are in [0, 1]. */
export type Finding =
  | {
    readonly about: 'policies';
    /** The largest first; empty if no policy gains anything. */
    readonly gains: readonly { readonly policy: Stop; readonly gain: number | null }[];
  }
  | {
    readonly about: 'random';
    readonly area: number;
    /** The expectation of a uniform order. */
    readonly uniformArea: number;
    /** A tenth of the pages; the share of the rank in the first tenth fetched, and in a tenth drawn from all. */
    readonly tenth: number;
    readonly gathered: number;
    readonly drawn: number;
  }
  | {
    readonly about: 'robots';
    readonly busy: number;
    /** Shares of the robots' time, the largest first. */
    readonly waits: readonly { readonly what: 'politeness' | 'no job' | 'barriers'; readonly share: number }[];
  }
  | {
    readonly about: 'lower bound';
    readonly host: string;
    /** Pages fetched from it. */
    readonly pages: number;
    readonly politenessMs: number;
    readonly lowerBoundSeconds: number;
    readonly virtualSeconds: number;
  }
  | Change;

/** opic with one setting changed. */
export interface Change {
  readonly about: 'partition' | 'robots changed' | 'processors' | 'superstep time';
  /** The experiment of the run before the change. */
  readonly experiment: SettledExperiment;
  readonly before: RunSummary;
  readonly after: RunSummary;
}

/** What the runs show; findings whose runs are missing (the tour was interrupted) are left out. */
export function findingsOf(graph: WebGraph, runs: TourRuns): Finding[] {
  const whole = new Map([...runs].filter(([, { run }]) => run.summary.ended !== 'interrupted'));
  const opic = whole.get('opic');
  const findings: (Finding | undefined)[] = [
    policies(whole),
    order(whole.get('random')),
    opic && robotTime(opic),
    opic && opic.run.summary.lowerBoundSeconds > 0 ? lowerBound(graph, opic) : undefined,
    opic && changed('partition', opic, whole.get('opic, lpt')),
    opic && changed('robots changed', opic, whole.get('opic, 1 robot each')),
    opic && changed('processors', opic, whole.get('opic, 1 processor')),
    opic && changed('superstep time', opic, whole.get('opic, superstep-ms 0')),
  ];
  return findings.filter((finding) => finding !== undefined);
}

function policies(runs: TourRuns): Finding | undefined {
  const names = ['breadth-first', 'random', 'opic', 'pagerank'] as const;
  const gains = names.flatMap((policy) => {
    const result = runs.get(policy);
    return result === undefined ? [] : [{ policy, gain: result.run.summary.quality.normalisedGain }];
  });
  if (gains.length < names.length) return undefined;
  if (gains.every(({ gain }) => gain === null)) return { about: 'policies', gains: [] };
  return { about: 'policies', gains: gains.sort((a, b) => (b.gain ?? -Infinity) - (a.gain ?? -Infinity)) };
}

function order(result: TourRun | undefined): Finding | undefined {
  if (result === undefined) return undefined;
  const { pagerankArea: area, random: uniformArea, horizonPages } = result.run.summary.quality;
  const { cumulativeRank, randomRankPerPage, horizonShare } = result.curves;
  const tenth = Math.max(1, Math.floor(horizonPages / 10));
  const gathered = cumulativeRank.at(tenth - 1);
  if (gathered === undefined) return undefined;
  return {
    about: 'random', area, uniformArea, tenth, gathered: horizonShare * gathered,
    drawn: horizonShare * randomRankPerPage * tenth,
  };
}

function robotTime({ run }: TourRun): Finding {
  const { busy, stalled, noJob, barrier } = run.summary.robots;
  const waits = [
    { what: 'politeness', share: stalled } as const,
    { what: 'no job', share: noJob } as const,
    { what: 'barriers', share: barrier } as const,
  ].sort((a, b) => b.share - a.share);
  return { about: 'robots', busy, waits };
}

function lowerBound(graph: WebGraph, { run: { experiment, summary }, events }: TourRun): Finding {
  const { virtualSeconds, lowerBoundSeconds, lowerBoundHost } = summary;
  const { names, ofPage, count } = graph.hosts;
  let host = 0;
  while (host < count - 1 && names.at(host) !== lowerBoundHost) host++;
  const pages = events.order.reduce((sum, page) => sum + (ofPage[page] === host ? 1 : 0), 0);
  return {
    about: 'lower bound', host: lowerBoundHost, pages, politenessMs: experiment.politenessMs, lowerBoundSeconds,
    virtualSeconds,
  };
}

function changed(about: Change['about'], base: TourRun, after: TourRun | undefined): Change | undefined {
  const { experiment, summary } = base.run;
  return after && { about, experiment, before: summary, after: after.run.summary };
}
