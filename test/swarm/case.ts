import { z } from 'zod';
import {
  earlierName, networkPresetNames, networkSchema, partitionNames, type ExperimentInput,
} from '../../src/core/settings/index.ts';
import { policyNames, shippedPolicies } from '../../src/core/policy/index.ts';
import type { GivenScores } from '../../src/core/engine/index.ts';
import { queueKinds } from '../../src/core/settings/crawl-settings.ts';
import { buildGraph, hostsFromNames, type WebGraph } from '../../src/graphs/graph/index.ts';
import { leastQueueMemoryBytes } from '../../src/core/queue/index.ts';
import { DrawStream } from '../../src/base/index.ts';

/** Bounds under those that a case is drawn within, to make a small case of a seed. */
export interface Caps {
  readonly pages?: number | undefined;
  readonly processors?: number | undefined;
  readonly robots?: number | undefined;
}

/** A crawl to try: all of it follows from the seed and the caps. */
export interface Case {
  readonly seed: number;
  readonly graph: WebGraph;
  readonly input: ExperimentInput;
  /** Of each page, with ties: they stand for PageRank too. */
  readonly scores: GivenScores;
  readonly ranks: Float64Array;
}

/** Draws by name: a setting that is added to a case leaves all others as they were. */
class Draws {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  stream(name: string): DrawStream {
    return new DrawStream(this.#seed, `swarm ${name}`);
  }

  /** Whether something happens that has `probability`. */
  chance(name: string, probability: number): boolean {
    return this.stream(name).uniform(0) < probability;
  }

  /** An integer from `least` to `most`. */
  int(name: string, least: number, most: number): number {
    return least + Math.floor(this.stream(name).uniform(0) * (most - least + 1));
  }

  of<T>(name: string, choices: readonly T[]): T {
    return choices[this.int(name, 0, choices.length - 1)];
  }
}

/**
 * Numbers that make robots wait, hosts fail and supersteps end in every way, by field; the first is drawn as often as
 * the others.
 */
const numbers: Record<string, readonly number[]> = {
  superstepMs: [0, 150, 1000, 5000],
  politenessMs: [0, 100, 1000],
  reinsert: [1, 1.1, 4],
  retries: [0, 1, 3],
  backoffMs: [0, 50, 1000],
  maxBackoffMs: [0, 1500, 300_000],
  hostPatienceMs: [0, 3000, 60_000, 0, 900_000],
  barrierUs: [1, 1000, 500_000],
  pairUs: [0, 1, 2.5, 10_000],
  messageUs: [0, 700, 0.3],
  exchangeBatch: [1, 2, 64],
  latencyMs: [0, 150, 1500],
  latencySigma: [0, 0.5, 1.5],
  bandwidthBytesPerSecond: [0, 1e4, 1e6],
  bandwidthSigma: [0, 0.7, 2],
  processorBandwidthBytesPerSecond: [0, 2e4, 12.5e6],
  pageBytes: [0, 1000, 15_000],
  pageBytesSigma: [0, 1],
  rankEveryPages: [1, 4, 20],
  hostUrls: [1, 3, 300],
  resetHosts: [1, 3, 5000],
  opicWindow: [0.1, 1, 4],
  dnsMs: [0, 40],
  connectMs: [0, 60],
  keepAliveSeconds: [0, 5],
  hangSeconds: [0, 1, 10],
  timeoutMs: [500, 5000],
  retryAfterShare: [0, 0.5, 1],
  retryAfterSeconds: [0, 0.7, 6],
  downSeconds: [0.5, 10],
  slowSeconds: [0.5, 10],
  slowFactor: [1, 5],
  robotsTxtShare: [0, 0, 0.5, 1],
  deniedShare: [0, 0.05, 0.25, 0.6],
  crawlDelayShare: [0, 0.5, 1],
  crawlDelaySeconds: [0, 0.5, 5],
};

/** Fields that are drawn with care, below; `superstepLimit: auto` starts threads, and has tests of its own. */
const drawnApart = new Set([
  'processors', 'robots', 'superstepLimit', 'pending', 'policy', 'policyOptions', 'weights', 'scores', 'queue',
  'partition', 'checkpointSupersteps', 'network', 'seedPages', 'maxPages', 'maxSeconds', 'seed', 'preset',
  'crashSeconds', 'restartSeconds', 'hostsPerAddress', 'addressDelayMs',
]);

/** What a JSON Schema says of a field. */
interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * What a field may be in a case: known numbers, or for one that nobody has named here, some that its kind and range
 * suggest.
 */
function choicesOf(
  name: string, { type, enum: names, default: usual, minimum = 0, maximum = Infinity }: Field,
): readonly unknown[] {
  if (name in numbers) return numbers[name];
  // Seldom: a thread that compiles itself takes longer than forty cases.
  if (name === 'statistics') return [...Array.from({ length: 600 }, () => 'off'), 'exact', 'auto'];
  if (names !== undefined) return names;
  if (type === 'boolean') return [false, true];
  if (type !== 'number' && type !== 'integer') return [];
  const times = /Ms$/.test(name) ? [0, 30, 400, 5000] : /Seconds$/.test(name) ? [0, 1, 20] : [0, 1, 3];
  const guesses = maximum <= 1 ? [0, 0, 0, 0.05, 0.25] : times;
  return [...guesses, ...(typeof usual === 'number' ? [usual] : [])]
    .map((value) => Math.min(maximum, Math.max(minimum, type === 'integer' ? Math.round(value) : value)));
}

/** Every field of a schema that is not drawn apart, with its choices. */
function fieldsOf(schema: z.ZodType): (readonly [name: string, choices: readonly unknown[]])[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as { properties?: Record<string, Field> };
  return Object.entries(properties)
    .filter(([name]) => !drawnApart.has(name))
    .map(([name, field]) => [name, choicesOf(name, field)] as const)
    .filter(([, choices]) => choices.length > 0);
}

const experimentFields = fieldsOf(shippedPolicies.settings.experiment);
const networkFields = fieldsOf(networkSchema);
const policyFields = fieldsOf(shippedPolicies.settings.policyOptions);

/** Each field from its choices; a default now and then. By earliest names, so that a seed stays the case it was. */
function drawFields(draws: Draws, fields: typeof experimentFields): Record<string, unknown> {
  const drawn = fields
    .filter(([name]) => !draws.chance(`${earlierName(name) ?? name} by default`, 0.1))
    .map(([name, choices]) => [name, draws.of(earlierName(name) ?? name, choices)]);
  return Object.fromEntries(drawn) as Record<string, unknown>;
}

/**
 * Graphs with self-links, dangling pages, arcs named twice, pages that nothing reaches, a few pages that many link to.
 */
function drawGraph(draws: Draws, caps: Caps): WebGraph {
  const [least, most] = draws.of('size', [[1, 8], [10, 30], [20, 60]]);
  const pages = Math.min(caps.pages ?? Infinity, draws.int('pages', least, most));
  const hosts = draws.int('hosts', 1, 8);
  const arcs = Math.round(pages * draws.of('arcs a page', [1, 2.5, 4, 6]));
  const hostOf = draws.stream('host of page');
  const source = draws.stream('source');
  const target = draws.stream('target');
  const skew = draws.of('skew of targets', [1, 1, 3]);
  const bytes = draws.stream('bytes');
  return buildGraph({
    name: 'swarm',
    pages,
    sources: Uint32Array.from({ length: arcs }, (_, arc) => Math.floor(source.uniform(arc) * pages)),
    targets: Uint32Array.from({ length: arcs }, (_, arc) => Math.floor(target.uniform(arc) ** skew * pages)),
    // Hosts in pairs of one domain.
    hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => {
      const host = Math.floor(hostOf.uniform(page) ** 2 * hosts);
      return `h${host}.d${host >>> 1}.example.org`;
    })),
    ...(draws.chance('bytes are known', 0.3) && {
      bytes: Uint32Array.from({ length: pages }, (_, page) => bytes.uint32(page) % 50_000),
    }),
  });
}

function drawSeedPages(draws: Draws, pages: number): number[] {
  const order = draws.stream('seed pages');
  const shuffled = Array.from({ length: pages }, (_, page) => page).sort((a, b) => order.uint32(a) - order.uint32(b));
  return shuffled.slice(0, draws.int('seed pages', 1, Math.min(4, pages)));
}

function drawQueue(draws: Draws): ExperimentInput['queue'] {
  const kind = draws.of('queue', queueKinds);
  const block = draws.int('block', 1, 32);
  const slices = draws.of('slices', [1, 1, 2, 5]);
  const slicing = draws.chance('approximate slices', 0.1) ? 'approximate' as const : 'exact' as const;
  const isPaged = kind !== 'binary-heap' && draws.chance('queue in files', 0.01);
  return { kind, block, slices, slicing, memoryBytes: isPaged ? leastQueueMemoryBytes({ kind, block, slices }) : 0 };
}

/**
 * Crashes come with a limit of time: a crawl whose processors crash sooner than it can reach a checkpoint has no other
 * end.
 */
function drawCrashes(draws: Draws): { crashSeconds: number; restartSeconds: number; maxSeconds?: number } {
  const crashSeconds = draws.chance('crashes', 0.3) ? draws.of('crash seconds', [0.5, 3, 10, 60]) : 0;
  const maxSeconds = crashSeconds > 0 ? crashSeconds * draws.of('crashes at most', [3, 10, 20])
    : draws.chance('time limit', 0.15) ? draws.of('seconds at most', [0.1, 1, 7.5, 60]) : undefined;
  return {
    crashSeconds,
    restartSeconds: draws.of('restart seconds', [0, 0.001, 3, 30]),
    ...(maxSeconds !== undefined && { maxSeconds }),
  };
}

/** For policy weighted: at most one policy may have amounts that links pass on. */
function drawWeights(draws: Draws): Record<string, number> {
  const names = draws.of('weighted', [
    ['opic', 'larger-sites-first'], ['backlink-count', 'random', 'pagerank'], ['scores', 'round-robin'],
    ['opic-window'],
  ]);
  return Object.fromEntries(names.map((name) => [name, draws.of(`weight of ${name}`, [0.1, 1, 3])]));
}

/** Seldom: most hosts are alone with their delay, and most faults show there. */
function drawAddresses(draws: Draws): ExperimentInput['network'] {
  if (!draws.chance('addresses', 0.25)) return {};
  return {
    hostsPerAddress: draws.of('hosts per address', [1, 2, 8]),
    addressDelayMs: draws.of('address delay', [1, 300, 2500]),
  };
}

/** A preset as it is, or every field drawn. */
function drawNetwork(draws: Draws): ExperimentInput['network'] {
  return draws.chance('preset', 0.1)
    ? { preset: draws.of('which preset', networkPresetNames) }
    : { ...drawFields(draws, networkFields), ...drawAddresses(draws) };
}

/** The case of a seed. */
export function drawCase(seed: number, caps: Caps = {}): Case {
  const draws = new Draws(seed);
  const graph = drawGraph(draws, caps);
  const { crashSeconds, restartSeconds, ...limits } = drawCrashes(draws);
  const input: ExperimentInput = {
    ...drawFields(draws, experimentFields),
    ...limits,
    processors: Math.min(caps.processors ?? Infinity, draws.of('processors', [1, 1, 2, 3, 5])),
    robots: Math.min(caps.robots ?? Infinity, draws.int('robots', 1, 4)),
    superstepLimit: draws.int('superstep limit', 1, 12),
    ...(draws.chance('pending', 0.7) && { pending: draws.int('pending', 1, 24) }),
    policy: draws.of('policy', policyNames),
    policyOptions: { ...drawFields(draws, policyFields), weights: drawWeights(draws) },
    queue: drawQueue(draws),
    partition: draws.of('partition', partitionNames),
    checkpointSupersteps: draws.of('checkpoint supersteps', [0, 1, 2, 5]),
    network: { ...drawNetwork(draws), crashSeconds, restartSeconds },
    seedPages: drawSeedPages(draws, graph.pages),
    ...(draws.chance('page limit', 0.25) && { maxPages: draws.int('max pages', 1, graph.pages) }),
    seed,
  };
  const score = draws.stream('score');
  const values = Float64Array.from({ length: graph.pages }, (_, page) => score.uint32(page) % 5);
  const total = values.reduce((sum, value) => sum + value + 1, 0);
  return {
    seed, graph, input,
    scores: { file: 'scores', values },
    ranks: values.map((value) => (value + 1) / total),
  };
}
