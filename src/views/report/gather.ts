import { failuresInWords, findingsInWords, type RobotSettings, type RunResult } from '../../core/measure/index.ts';
import { shippedPolicies } from '../../core/policy/index.ts';
import { policiesUsed, recordedPolicies, type PolicyChoice } from '../../core/settings/index.ts';
import { superstepBins } from './bins.ts';
import type { Curve, ReportData, ReportRun } from './data.ts';
import type { ShownPart } from './shown.ts';
import { significant, thin } from './thin.ts';

/** A run and its label in the report. */
export interface LabelledRun {
  readonly label: string;
  readonly result: RunResult;
}

export interface ReportOptions {
  readonly title: string;
  /** The command that reproduces what the report shows, as one would type it. */
  readonly command?: string;
  /** Further findings about the runs, shown before their figures. */
  readonly parts?: readonly ShownPart[];
}

/**
 * Points per curve, and bins of supersteps, in a report of few runs; in one of many, they share the total of five runs.
 */
const maxPoints = 600;
const maxBins = 240;
/** Maximum number of values shown of a list: an experiment may name thousands of seed pages. */
const maxListed = 12;

/** Gathers what a report shows of finished runs. O(pages + rows) time; the result does not grow with either. */
export function reportData(runs: readonly LabelledRun[], options: ReportOptions): ReportData {
  const points = Math.max(60, Math.min(maxPoints, Math.floor(5 * maxPoints / runs.length)));
  const bins = Math.max(30, Math.min(maxBins, Math.floor(5 * maxBins / runs.length)));
  const bounds: Curve[] = [];
  const reportRuns = runs.map((run) => {
    const { boundRank, horizonShare } = run.result.curves;
    const bound = fromOrigin(boundRank.length, points, (i) => i + 1, (i) => horizonShare * boundRank[i]);
    const text = JSON.stringify(bound);
    let index = bounds.findIndex((other) => JSON.stringify(other) === text);
    if (index < 0) index = bounds.push(bound) - 1;
    return reportRun(run, index, points, bins);
  });
  return {
    title: options.title,
    command: options.command ?? null,
    version: runs[0]?.result.run.version ?? '',
    parts: options.parts ?? [],
    runs: reportRuns,
    bounds,
  };
}

function reportRun({ label, result }: LabelledRun, bound: number, points: number, bins: number): ReportRun {
  const { run, events, curves } = result;
  const { cumulativeRank, horizonShare } = curves;
  const finishedSeconds = (i: number) => events.times[2 * i + 1] / 1e6;
  // As everywhere in the report, shares of the rank are of that within reach.
  const rank = (i: number) => horizonShare * cumulativeRank[i];
  return {
    label,
    dataset: run.dataset,
    settings: settings(run.experiment),
    defaults: defaultsIn(run.experiment),
    oracles: oracles(run.experiment as PolicyChoice),
    replayHash: run.replayHash,
    memory: run.memory ?? null,
    summary: {
      ...pick(run.summary, [
        'ended', 'pagesFetched', 'pagesFailed', 'reachablePages', 'supersteps', 'virtualSeconds', 'staleRatio',
        'queueIo', 'communication', 'robots', 'lowerBoundSeconds', 'lowerBoundHost', 'partition', 'outcomesRetried',
        'hotPages', 'parallel', 'harvest', 'subgraphTauB', 'tail', 'rankGathered', 'secondsToRank', 'hosts',
      ]),
      limits: findingsInWords(run.summary, run.experiment as Parameters<typeof findingsInWords>[1]),
      failures: failuresInWords(run.summary),
      quality: pick(run.summary.quality, ['pagerankArea', 'bound', 'random', 'normalisedGain', 'horizonPages']),
      balance: pick(run.summary.balance, ['pages', 'pagesWholeRun']),
    },
    rankByPages: fromOrigin(cumulativeRank.length, points, (i) => i + 1, rank),
    rankBySeconds: fromOrigin(cumulativeRank.length, points, finishedSeconds, rank),
    bound,
    randomRankPerPage: horizonShare * curves.randomRankPerPage,
    afterTenth: afterTenth(result),
    milestones: milestones(result),
    supersteps: superstepBins(events, run.experiment as RobotSettings, bins),
    processors: processorTotals(result),
  };
}

/** Policies of the run that know what a crawler cannot, or may know it. */
function oracles(experiment: PolicyChoice): ReportRun['oracles'] {
  const policies = [...shippedPolicies.settings.policies, ...recordedPolicies(experiment)];
  return policiesUsed(policies, experiment).flatMap(({ name, needs, isOracle }) => {
    const source = needs.includes('ranks') ? 'ranks' : needs.includes('scores') ? 'scores' : 'itself';
    return isOracle || source !== 'itself' ? [{ policy: name, given: source }] : [];
  });
}

/** A curve that starts before its first page, because nothing is gathered at 0. */
function fromOrigin(count: number, limit: number, x: (i: number) => number, y: (i: number) => number): Curve {
  const curve = thin(count, limit - 1, x, y);
  return { x: [0, ...curve.x], y: [0, ...curve.y] };
}

function afterTenth({ run, curves }: RunResult): ReportRun['afterTenth'] {
  const pages = Math.max(1, Math.round(run.summary.quality.horizonPages / 10));
  if (pages > curves.cumulativeRank.length) return null;
  return {
    pages, rank: significant(curves.horizonShare * curves.cumulativeRank[pages - 1]),
    bound: significant(curves.horizonShare * curves.boundRank[pages - 1]),
  };
}

function milestones({ run, curves }: RunResult): ReportRun['milestones'] {
  const { secondsToPages, horizonPages } = run.summary.quality;
  const shares = [['50%', 0.5], ['90%', 0.9], ['100%', 1]] as const;
  return shares.flatMap(([share, fraction]) => {
    const seconds = secondsToPages[share];
    const pages = Math.ceil(fraction * horizonPages);
    const rank = curves.horizonShare * curves.cumulativeRank[pages - 1];
    if (seconds === null || pages > curves.cumulativeRank.length) return [];
    return [{ share: share.replace('%', ' %'), seconds, rank: significant(rank) }];
  });
}

function processorTotals({ run, events }: RunResult): ReportRun['processors'] {
  const pages = run.summary.pagesPerProcessor;
  const pairsSent = pages.map(() => 0);
  const pairsReceived = pages.map(() => 0);
  for (const row of events.rows) {
    pairsSent[row.processor] += row.pairsSent;
    pairsReceived[row.processor] += row.pairsReceived;
  }
  return { pages, pairsSent, pairsReceived };
}

/** Every setting as a name and a value, nested names joined by dots; settings without a value are left out. */
function settings(value: unknown, name = ''): [string, string][] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return [[name, listed(value)]];
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([key, inner]) => settings(inner, name === '' ? key : `${name}.${key}`));
  }
  return [[name, shown(value)]];
}

/** Settings that have their default; a live crawl has the defaults of a simulation. */
function defaultsIn(experiment: unknown): string[] {
  const usual = new Map(settings(shippedPolicies.settings.parseExperiment({})));
  return settings(experiment).flatMap(([name, value]) => (usual.get(name) === value ? [name] : []));
}

function listed(values: readonly unknown[]): string {
  const text = values.slice(0, maxListed).map(shown).join(', ');
  return values.length > maxListed ? `${text} and ${values.length - maxListed} more` : text;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}
