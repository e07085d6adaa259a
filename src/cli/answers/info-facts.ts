import {
  graphChecksum, defaultSeeds, hostGraph, hostGraphFacts, reach, bowTie, fitPowerLaw, histogramOf,
  inDegrees, outDegrees, placesOfLargest, plausibility, strongComponents, weakComponents, type Histogram,
  type Plausibility, type PowerLawFit, type PreparedGraph,
} from '../../graph/index.ts';
import { grouped } from '../text/figures.ts';
import { measureDistances, type DistanceSettings } from './info-distances.ts';
import { urlOf } from '../flags/seed-pages.ts';

export interface FactsOptions extends DistanceSettings {
  /** Hosts to list. */
  readonly top: number;
  /** Samples of each p-value; undefined leaves them out where they would take long. */
  readonly bootstrap: number | undefined;
  /** Told what is under way. */
  readonly onStep: (text: string) => void;
}

export interface Distribution {
  readonly histogram: Histogram;
  readonly fit: PowerLawFit | null;
  readonly plausibility: Plausibility | null;
}

/**
 * p-values of at most so many values are made without being asked for: with standardSamples they take a second or two.
 */
const quickValues = 10_000;
/** p is then off by about 0.05. */
const standardSamples = 100;

export type Facts = ReturnType<typeof factsOf>;

/**
 * All that `info` tells of a graph. O(n + m) but for distances and p-values; typed arrays alone, so that 10^8 links
 * fit.
 */
export function factsOf(prepared: PreparedGraph, options: FactsOptions) {
  const { graph } = prepared;
  const { pages, arcs, outOffsets, outTargets, hosts } = graph;
  const { top, onStep } = options;
  const untested: string[] = [];
  onStep('checksum');
  const sha256 = graphChecksum(prepared);
  onStep('seed pages');
  const { seeds, origin } = defaultSeeds(graph);
  const reached = reach(prepared, seeds);
  onStep('components');
  const strong = strongComponents(graph);
  const weak = weakComponents(graph);
  onStep('bow-tie');
  const tie = bowTie(graph, strong, weak).pages;
  onStep('hosts');
  const linkedHosts = hostGraph(prepared);
  const hostSizes = linkedHosts.pages;
  onStep('links');
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
  const distribution = (what: string, numbers: Uint32Array): Distribution => {
    onStep(`power law of ${what}`);
    const histogram = histogramOf(numbers);
    const fit = fitPowerLaw(histogram);
    const samples = options.bootstrap ?? (fit !== null && fit.positive <= quickValues ? standardSamples : 0);
    if (fit === null || samples === 0) {
      if (fit !== null && options.bootstrap === undefined) untested.push(what);
      return { histogram, fit, plausibility: null };
    }
    const onSample = (done: number): void => onStep(`power law of ${what}: sample ${done} of ${samples}`);
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
      // What was drawn says nothing: neither would its fit.
      ...(hosts.synthetic ? unfitted(hostSizes) : distribution('host sizes', hostSizes)),
    },
    hostGraph: hostGraphFacts(linkedHosts, top),
  };
  // Last, for it may take longest.
  const distances = measureDistances(graph, options, (text) => onStep(`distances: ${text}`));
  const leftOut = [
    ...(untested.length === 0
      ? []
      : [
          `the p-value of ${untested.join(' and of ')}, of which there are more than ${grouped(quickValues)}: --bootstrap ${standardSamples} makes it`,
        ]),
    ...(distances.leftOut === undefined ? [] : [distances.leftOut]),
  ];
  return { ...facts, distances: distances.measured, leftOut };
}

function unfitted(numbers: Uint32Array): Distribution {
  return { histogram: histogramOf(numbers), fit: null, plausibility: null };
}

/** What `--json` prints and info.json holds. */
export function infoDocument({ degrees, hostSizes, distances, ...facts }: Facts, partition: object | undefined) {
  const plain = ({ histogram: { values, counts }, fit, plausibility: tested }: Distribution) =>
    ({ powerLaw: fit && { ...fit, ...tested }, histogram: { values: [...values], counts: [...counts] } });
  return {
    ...facts,
    degrees: { ...degrees, in: plain(degrees.in), out: plain(degrees.out) },
    hostSizes: { largestShare: hostSizes.largestShare, ...plain(hostSizes) },
    distances: distances && { ...distances, neighbourhoods: [...distances.neighbourhoods] },
    partition,
  };
}
