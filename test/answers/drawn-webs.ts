import { DrawStream } from '../../src/base/index.ts';
import { buildGraph, hostsFromNames, type WebGraph } from '../../src/graphs/graph/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';

// Small webs and settings, drawn so that crawls differ in what limits them.

/** A web and settings: all of it follows from the seed. */
export interface DrawnWeb {
  readonly seed: number;
  readonly graph: WebGraph;
  readonly settings: ExperimentInput;
}

/** Draws by name. */
class Draws {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  stream(name: string): DrawStream {
    return new DrawStream(this.#seed, `limits ${name}`);
  }

  of<T>(name: string, choices: readonly T[]): T {
    return choices[Math.floor(this.stream(name).uniform(0) * choices.length)];
  }

  /** An integer from `least` to `most`; its logarithm is uniform. */
  size(name: string, least: number, most: number): number {
    return Math.floor(least * ((most + 1) / least) ** this.stream(name).uniform(0));
  }
}

/** A page's links and the pages of each host lie together, or apart, or in turn. */
function drawHosts(draws: Draws, pages: number): number[] {
  const hosts = Math.min(pages, draws.size('hosts', 1, 500));
  const skew = draws.of('skew', [1, 1, 2, 4]);
  const drawn = draws.stream('host of page');
  const ofPage = Array.from({ length: pages }, (_, page) => Math.floor(drawn.uniform(page) ** skew * hosts));
  switch (draws.of('places', ['apart', 'together', 'in turn'])) {
    case 'together': return ofPage.sort((a, b) => a - b);
    case 'in turn': return ofPage.map((_, page) => page % hosts);
    default: return ofPage;
  }
}

/** The pages that link to a page; all but page 0 have one at least. */
function drawArcs(draws: Draws, hosts: readonly number[]): { sources: number[]; targets: number[] } {
  const pages = hosts.length;
  const branches = draws.size('branches', 1, 40);
  const chains = draws.size('chains', 1, 60);
  const shape = draws.of('shape', ['hub', 'tree', 'chains', 'sites', 'random', 'random']);
  const any = draws.stream('source');
  const home = new Map<number, number>();
  const sources: number[] = [];
  const targets: number[] = [];
  const sourceOf = (page: number): number => {
    switch (shape) {
      case 'hub': return 0;
      case 'tree': return Math.floor((page - 1) / branches);
      case 'chains': return Math.max(0, page - chains);
      case 'sites': return home.get(hosts[page]) ?? 0;
      // From pages shortly before, or from any.
      default: return Math.floor(any.uniform(page) ** (1 / chains) * page);
    }
  };
  for (let page = 1; page < pages; page++) {
    sources.push(sourceOf(page));
    targets.push(page);
    if (!home.has(hosts[page])) home.set(hosts[page], page);
  }
  const more = Math.floor(pages * draws.of('more links', [0, 0, 1, 4]));
  for (let i = 0; i < more; i++) {
    sources.push(Math.floor(any.uniform(i, 1) * pages));
    targets.push(Math.floor(any.uniform(i, 2) ** 2 * pages));
  }
  return { sources, targets };
}

function drawNetwork(draws: Draws): ExperimentInput['network'] {
  const fails = draws.of('fails', [false, false, false, true]);
  return {
    latencyMs: draws.of('latency', [10, 50, 150, 150, 600, 2000]), latencySigma: draws.of('latency sigma', [0, 0.5, 1]),
    bandwidthBytesPerSecond: draws.of('bandwidth of hosts', [0, 1e4, 1e5, 1e6]),
    processorBandwidthBytesPerSecond: draws.of('bandwidth of processors', [0, 0, 5e4, 1e6, 12.5e6]),
    bandwidthModel: draws.of('bandwidth model', ['fixed', 'fluid']),
    pageBytes: draws.of('page bytes', [2000, 15_000, 15_000, 100_000]),
    pageBytesSigma: draws.of('sigma of page bytes', [0, 1]),
    ...(fails && {
      serverErrorShare: draws.of('server errors', [0.02, 0.2, 0.5]), timeoutShare: draws.of('time-outs', [0, 0, 0.03]),
      notFoundShare: draws.of('missing', [0, 0.1]), retryAfterShare: draws.of('pauses', [0, 0, 0.2]),
    }),
  };
}

/** The web and settings of a seed. */
export function drawnWeb(seed: number): DrawnWeb {
  const draws = new Draws(seed);
  const pages = draws.size('pages', 50, 3000);
  const hosts = drawHosts(draws, pages);
  const { sources, targets } = drawArcs(draws, hosts);
  const graph = buildGraph({
    name: `drawn web ${seed}`, pages, sources: Uint32Array.from(sources), targets: Uint32Array.from(targets),
    hosts: hostsFromNames(hosts.map((host) => `h${host}.example`)), seeds: Uint32Array.of(0),
  });
  const superstepLimit = draws.of('is R_x set', [true, false, false])
    ? draws.size('R_x', 1, 400) : undefined;
  const pending = draws.of('is D set', [true, false, false]) ? draws.size('D', 1, 400) : undefined;
  return {
    seed, graph,
    settings: {
      processors: draws.of('processors', [1, 1, 2, 3, 4, 8]), robots: draws.size('robots', 1, 64),
      ...(superstepLimit !== undefined && { superstepLimit }), ...(pending !== undefined && { pending }),
      superstepMs: draws.of('superstep', [0, 500, 2000, 10_000, 10_000, 30_000]),
      pendingKeys: draws.of('keys', ['frozen', 'follow']),
      policy: draws.of('policy', ['breadth-first', 'depth-first', 'opic', 'backlink-count', 'random', 'round-robin']),
      partition: draws.of('partition', ['host-hash', 'host-hash', 'lpt']),
      politenessMs: draws.of('delay', [0, 20, 100, 500, 1000, 1000, 5000]),
      barrierUs: draws.of('barrier', [1000, 1000, 1000, 50_000, 1_000_000]),
      pairUs: draws.of('pair', [1, 1, 1, 2000]), messageUs: draws.of('message', [0, 0, 5000]),
      exchange: draws.of('exchange', ['bulk', 'bulk', 'batch', 'page']),
      backoffMs: draws.of('back-off', [100, 1000, 20_000]), maxBackoffMs: 60_000, retries: 5,
      ...(draws.of('is time short', [true, false, false, false]) && { maxSeconds: draws.size('seconds', 20, 600) }),
      statistics: 'off', network: drawNetwork(draws), seed,
    },
  };
}
