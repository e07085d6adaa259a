import {
  graphChecksum, defaultSeeds, hostGraph, hostGraphFacts, reach, bowTie, fitPowerLaw, histogramOf,
  inDegrees, outDegrees, placesOfLargest, plausibility, strongComponents, urlOf, weakComponents, type Histogram,
  type Plausibility, type PowerLawFit, type PreparedGraph,
} from '../../graphs/graph/index.ts';
import { hostStructureOf, type HostsLeftOut } from './host-structure.ts';
import { measureDistances, type DistanceSettings, type DistanceStep, type WhyNoDistances } from './distances.ts';

export interface FactsOptions extends DistanceSettings {
  /** Number of hosts to list. */
  readonly top: number;
  /** Samples per p-value; undefined leaves p-values out that would take long. */
  readonly bootstrap: number | undefined;
  /** Called with the current step. */
  readonly onStep: (step: FactsStep) => void;
}

/** Numbers that a power law is fitted to. */
export type Numbers = 'links in' | 'links out' | 'host sizes';

/** A step in progress; only a p-value has samples. */
export type FactsStep =
  | { readonly at: 'checksum' | 'seed pages' | 'components' | 'bow-tie' | 'hosts' | 'links' | 'communities' }
  | { readonly at: 'power law'; readonly of: Numbers; readonly sample?: number; readonly samples?: number }
  | { readonly at: 'distances'; readonly step: DistanceStep; readonly pages: number };

/** What was left out, because it would take long and was not asked for, or because it is switched off. */
export type LeftOut =
  | {
    readonly what: 'p-values'; readonly of: readonly Numbers[];
    /** There are more than `values` values; `samples` is the usual number of samples. */
    readonly values: number; readonly samples: number;
  }
  | { readonly what: 'distances'; readonly reason: WhyNoDistances }
  | HostsLeftOut;

export interface Distribution {
  readonly histogram: Histogram;
  readonly fit: PowerLawFit | null;
  readonly plausibility: Plausibility | null;
}

/**
 * p-values for up to this many values are computed by default: with standardSamples they take a second or two.
 */
const quickValues = 10_000;
/** The error of p is then about 0.05. */
const standardSamples = 100;

export type Facts = ReturnType<typeof factsOf>;

/**
 * All facts about a graph. O(n + m) except distances and p-values; only typed arrays, so that 10^8 links
 * fit.
 */
export function factsOf(prepared: PreparedGraph, options: FactsOptions) {
  const { graph } = prepared;
  const { pages, arcs, outOffsets, outTargets, hosts } = graph;
  const { top, onStep } = options;
  const untested: Numbers[] = [];
  onStep({ at: 'checksum' });
  const sha256 = graphChecksum(prepared);
  onStep({ at: 'seed pages' });
  const { seeds, origin } = defaultSeeds(graph);
  const reached = reach(prepared, seeds);
  onStep({ at: 'components' });
  const strong = strongComponents(graph);
  const weak = weakComponents(graph);
  onStep({ at: 'bow-tie' });
  const tie = bowTie(graph, strong, weak).pages;
  onStep({ at: 'hosts' });
  const linkedHosts = hostGraph(prepared);
  const hostSizes = linkedHosts.pages;
  onStep({ at: 'links' });
  const [outDegree, inDegree] = [outDegrees(graph), inDegrees(graph)];
  let selfLoops = 0;
  let danglingPages = 0;
  for (let page = 0; page < pages; page++) {
    if (outDegree[page] === 0) danglingPages++;
    for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) if (outTargets[arc] === page) selfLoops++;
  }
  const mostLinks = (degrees: Uint32Array) => {
    const [page = 0] = placesOfLargest(degrees, 1);
    return { page, links: degrees[page] ?? 0, url: pages === 0 ? undefined : urlOf(graph, page) };
  };
  const distribution = (what: Numbers, numbers: Uint32Array): Distribution => {
    onStep({ at: 'power law', of: what });
    const histogram = histogramOf(numbers);
    const fit = fitPowerLaw(histogram);
    const samples = options.bootstrap ?? (fit !== null && fit.positive <= quickValues ? standardSamples : 0);
    if (fit === null || samples === 0) {
      if (fit !== null && options.bootstrap === undefined) untested.push(what);
      return { histogram, fit, plausibility: null };
    }
    const onSample = (sample: number): void => onStep({ at: 'power law', of: what, sample, samples });
    return { histogram, fit, plausibility: plausibility(histogram, fit, samples, options.seed, onSample) };
  };
  const facts = {
    graph: graph.name,
    pages,
    arcs,
    hosts: hosts.count,
    hostsAreSynthetic: hosts.synthetic,
    selfLoops,
    danglingPages,
    seeds: seeds.length,
    seedPages: [...seeds.subarray(0, 100)],
    seedsOrigin: origin,
    reachablePages: reached.count,
    reachableHosts: reached.hosts,
    sha256,
    degrees: {
      mean: pages === 0 ? 0 : arcs / pages, largestOut: mostLinks(outDegree), largestIn: mostLinks(inDegree),
      in: distribution('links in', inDegree), out: distribution('links out', outDegree),
    },
    components: {
      strong: { count: strong.count, largest: strong.sizes[strong.largest] ?? 0 },
      weak: { count: weak.count, largest: weak.sizes[weak.largest] ?? 0 }, bowTie: tie,
    },
    largestHosts: placesOfLargest(hostSizes, top).map((host) => ({
      host, name: hosts.names.at(host), pages: hostSizes[host],
    })),
    hostSizes: {
      largestShare: pages === 0 ? 0 : hostSizes[placesOfLargest(hostSizes, 1)[0]] / pages,
      // Sizes of synthetic hosts say nothing, and neither would their fit.
      ...(hosts.synthetic ? unfitted(hostSizes) : distribution('host sizes', hostSizes)),
    },
    hostGraph: hostGraphFacts(linkedHosts, top),
  };
  onStep({ at: 'communities' });
  const { communities, centrality, leftOut: hostsLeftOut } = hostStructureOf(linkedHosts, options.seed, top);
  // Last, since it may take longest.
  const distances = measureDistances(graph, options, (step) => onStep({ at: 'distances', step, pages }));
  const leftOut: LeftOut[] = [];
  if (untested.length > 0)
    leftOut.push({ what: 'p-values', of: untested, values: quickValues, samples: standardSamples });
  if ('why' in distances) leftOut.push({ what: 'distances', reason: distances });
  leftOut.push(...hostsLeftOut);
  return { ...facts, communities, centrality, distances: 'why' in distances ? null : distances.measured, leftOut };
}

function unfitted(numbers: Uint32Array): Distribution {
  return { histogram: histogramOf(numbers), fit: null, plausibility: null };
}
