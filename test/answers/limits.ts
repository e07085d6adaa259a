import { buildGraph, hostsFromNames, type WebGraph } from '../../src/graphs/graph/index.ts';
import { processorByName, simulate } from '../../src/core/engine/index.ts';
import { limitKinds, type LimitKind, type Limits } from '../../src/core/measure/index.ts';
import { changed } from '../../src/questions/plan/index.ts';
import type { ExperimentInput, SettledExperiment } from '../../src/core/settings/index.ts';

// Webs and settings made so that one thing, or two, limits the crawl. The counts of the crawl must name it; as proof
// the crawl is run again with more of each thing: what is named brings at least 20 %, anything else less than 5 %.

interface LimitedWeb {
  readonly name: string;
  readonly limits: readonly LimitKind[];
  readonly graph: WebGraph;
  readonly settings: ExperimentInput;
}

/** Pages by host: each page is [host, links]; page 0 is the seed page. */
function web(name: string, pages: readonly (readonly [host: string, links: readonly number[]])[]): WebGraph {
  const arcs = pages.flatMap(([, links], source) => links.map((target) => [source, target] as const));
  return buildGraph({
    name, pages: pages.length, sources: Uint32Array.from(arcs, ([source]) => source),
    targets: Uint32Array.from(arcs, ([, target]) => target), hosts: hostsFromNames(pages.map(([host]) => host)),
    seeds: Uint32Array.of(0),
  });
}

/** Names of hosts that belong to a processor. */
function hostsOf(processor: number, processors: number, count: number): string[] {
  const names: string[] = [];
  const ownerOf = processorByName({ partition: 'host-hash', partitionPoints: 1, processors });
  for (let i = 0; names.length < count; i++)
    if (ownerOf(`h${i}`) === processor) names.push(`h${i}`);
  return names;
}

/** A page that links to all others, which have no links; page by page, or host by host. */
function hub(name: string, hosts: readonly string[], pagesPerHost: number, isHostByHost = false): WebGraph {
  const places = Array.from({ length: hosts.length * pagesPerHost }, (_, i) =>
    hosts[isHostByHost ? Math.floor(i / pagesPerHost) : i % hosts.length]);
  return web(name, [
    [hosts[0], places.map((_, i) => i + 1)] as const, ...places.map((host) => [host, []] as const),
  ]);
}

/** Each page links to the next, on the hosts in turn. */
function chain(name: string, hosts: readonly string[], pages: number): WebGraph {
  return web(name, Array.from({ length: pages }, (_, i) =>
    [hosts[i % hosts.length], i + 1 < pages ? [i + 1] : []] as const));
}

const calm = {
  latencyMs: 200, latencySigma: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0, pageBytesSigma: 0,
} as const;
const usual: ExperimentInput = { policy: 'breadth-first', processors: 1, robots: 8, politenessMs: 1000, network: calm };

export function limitedWebs(): LimitedWeb[] {
  const one = hostsOf(0, 1, 2000);
  const [first, second] = [hostsOf(0, 2, 400), hostsOf(1, 2, 400)];
  const made = (
    name: string, limits: readonly LimitKind[], graph: WebGraph, settings: ExperimentInput,
  ): LimitedWeb => ({
    name, limits, graph, settings: { ...usual, ...settings, network: { ...calm, ...settings.network } },
  });
  return [
    made('one host', ['politeness'], hub('one host', one.slice(0, 1), 300), {}),
    made('eight hosts, two processors', ['politeness'],
      hub('eight hosts', [...first.slice(0, 4), ...second.slice(0, 4)], 60), { processors: 2 }),
    made('many hosts, time limit', ['politeness'], hub('many hosts', one.slice(0, 60), 100),
      { robots: 200, maxSeconds: 60 }),
    made('few robots', ['robots'], hub('few robots', one.slice(0, 400), 4), { robots: 2, politenessMs: 10 }),
    made('few robots on two processors', ['robots'], hub('few robots', [...first, ...second], 2), {
      processors: 2, robots: 1, politenessMs: 0,
    }),
    // One processor fetches R_x pages and waits; the other follows a chain all the time.
    made('small R_x', ['superstepLimit'], web('small R_x', [
      [second[0], Array.from({ length: 9000 }, (_, i) => i + 1)],
      ...Array.from({ length: 1200 }, (_, i) => [second[1], i < 1199 ? [i + 2] : []] as const),
      ...Array.from({ length: 7800 }, (_, i) => [first[i % 400], []] as const),
    ]), { processors: 2, superstepLimit: 300, robots: 16, politenessMs: 0, maxSeconds: 100 }),
    made('small R_x, dear barriers', ['superstepLimit', 'barriers'], hub('dear and small', one.slice(0, 400), 20), {
      superstepLimit: 400, pending: 8000, robots: 4, politenessMs: 0, barrierUs: 30_000_000, network: { latencyMs: 10 },
    }),
    made('few pending jobs', ['pendingJobs'], hub('few pending jobs', one.slice(0, 60), 20, true), {
      pending: 40, politenessMs: 100, network: { latencyMs: 2000 },
    }),
    made('full links', ['processorBandwidth'], hub('full links', one.slice(0, 300), 3), {
      robots: 32, politenessMs: 0,
      network: { pageBytes: 100_000, processorBandwidthBytesPerSecond: 400_000, bandwidthModel: 'fluid' },
    }),
    made('slow hosts', ['hostBandwidth'], hub('slow hosts', one.slice(0, 4), 40), {
      politenessMs: 20,
      network: { latencyMs: 20, pageBytes: 100_000, bandwidthBytesPerSecond: 50_000, bandwidthSigma: 0 },
    }),
    made('dear barriers', ['barriers'], hub('dear barriers', one.slice(0, 8), 40), {
      superstepMs: 500, barrierUs: 2_000_000,
    }),
    made('a chain', ['frontier'], chain('a chain', one.slice(0, 100), 100), { politenessMs: 100 }),
    made('hosts that fail', ['retries'], hub('hosts that fail', one.slice(0, 6), 30), {
      politenessMs: 10, backoffMs: 20_000, maxBackoffMs: 20_000, retries: 20, network: { serverErrorShare: 0.4 },
    }),
    made('few robots, slow hosts', ['robots', 'hostBandwidth'], hub('few robots, slow hosts', one.slice(0, 200), 3), {
      robots: 2, politenessMs: 0,
      network: { pageBytes: 100_000, bandwidthBytesPerSecond: 100_000, bandwidthSigma: 0 },
    }),
    made('delays and slow hosts', ['politeness', 'hostBandwidth'], hub('delays and slow hosts', one.slice(0, 3), 60), {
      network: { latencyMs: 10, pageBytes: 100_000, bandwidthBytesPerSecond: 100_000, bandwidthSigma: 0 },
    }),
  ];
}

export interface LimitCase {
  readonly name: string;
  /** What was built to limit it, and what the counts name. */
  readonly built: readonly LimitKind[];
  readonly limits: Limits;
  /** What twice as much of each brings, as a share of the pages per second now. */
  readonly gains: Readonly<Record<LimitKind, number>>;
}

export async function limitCase({ name, limits: built, graph, settings }: LimitedWeb): Promise<LimitCase> {
  const { run: { summary, experiment } } = await simulate(graph, settings);
  const rate = summary.pagesFetched / summary.virtualSeconds;
  const gains: Partial<Record<LimitKind, number>> = {};
  for (const kind of limitKinds) {
    const { run } = await simulate(graph, withMore(kind, experiment, graph));
    gains[kind] = run.summary.pagesFetched / run.summary.virtualSeconds / rate - 1;
  }
  return { name, built, limits: summary.limits, gains: gains as Record<LimitKind, number> };
}

/** Twice as much of what a crawl may wait for; of the frontier, a second seed page. */
function withMore(kind: LimitKind, settings: SettledExperiment, graph: WebGraph): ExperimentInput {
  if (kind === 'frontier') return { ...settings, seedPages: [0, Math.floor(graph.pages / 2)] };
  return changed(kind, settings) ?? settings;
}

/** All webs, one by one. */
export async function benchLimits(onCase: (one: LimitCase) => void): Promise<LimitCase[]> {
  const cases: LimitCase[] = [];
  for (const web of limitedWebs()) {
    const done = await limitCase(web);
    cases.push(done);
    onCase(done);
  }
  return cases;
}

/** Whether the counts name what was built. */
export function isAsBuilt({ built, limits: { named } }: Pick<LimitCase, 'built' | 'limits'>): boolean {
  return named.length === built.length && named.every((kind) => built.includes(kind));
}

/** The case in two lines. */
export function limitCaseText({ name, built, limits, gains }: LimitCase): string {
  const { named, shares } = limits;
  const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;
  const each = limitKinds.map((kind) => `${kind} ${percent(shares[kind])} (${percent(gains[kind])})`).join(', ');
  const other = isAsBuilt({ built, limits }) ? '' : `, NOT ${built.join(' and ')}`;
  return `${name}: ${named.join(' and ')}${other}\n  ${each}`;
}
