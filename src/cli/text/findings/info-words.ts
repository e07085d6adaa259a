import { hyperBallBytes, maxKernelBytes, type WebGraph } from '../../../graphs/graph/index.ts';
import type { Distribution, Facts, FactsStep, LeftOut, PartitionFacts } from '../../../questions/facts/index.ts';
import { grouped } from '../figures.ts';

export function stepWords(now: FactsStep): string {
  if (now.at === 'power law')
    return `power law of ${now.of}${now.sample === undefined ? '' : `: sample ${now.sample} of ${now.samples ?? 0}`}`;
  if (now.at !== 'distances') return now.at;
  const { step, pages } = now;
  return 'page' in step
    ? `distances: page ${grouped(step.page)} of ${grouped(pages)}`
    : `distances: run ${step.run + 1} of ${step.runs}, ${step.links} links, ${Math.round(100 * step.share)} %`;
}

export function leftOutWords(left: LeftOut): string {
  if (left.what === 'p-values') {
    const { of, values, samples } = left;
    return `the p-value of ${of.join(' and of ')}, since there are more than ${grouped(values)} values: --bootstrap ${samples} computes it`;
  }
  if (left.what !== 'distances') return hostsLeftOutWords(left);
  const { reason } = left;
  if (reason.why === 'off') return 'distances, because of --distances off';
  return (
    `distances, since there are more than ${grouped(reason.links)} links: ` +
    `--distances approximate computes them, with ${mebibytes(reason.bytes)} for counters`
  );
}

function hostsLeftOutWords({ what, limit }: LeftOut & { what: 'communities' | 'centrality' }): string {
  return what === 'communities'
    ? `communities of hosts, since there are more than ${grouped(limit)} hosts and pairs of linked hosts`
    : `centrality of hosts, since a search from each would follow more than ${grouped(limit)} pairs of linked hosts`;
}

/** Why 2^registersLog2 registers do not fit: at most 2^fitting do. */
export function tooManyRegisters(graph: WebGraph, name: string, registersLog2: number, fitting: number): string {
  return (
    `--registers-log2 ${registersLog2}: needs ${mebibytes(hyperBallBytes(graph, registersLog2))} for ${name}, but only ` +
    `${grouped(maxKernelBytes / 2 ** 20)} are available: must be at most ${fitting}`
  );
}

function mebibytes(bytes: number): string {
  return `${grouped(bytes / 2 ** 20)} MiB`;
}

export function infoDocument(
  { degrees, hostSizes, distances, ...facts }: Facts, partition: PartitionFacts | undefined,
) {
  const plain = ({ histogram: { values, counts }, fit, plausibility: tested }: Distribution) =>
    ({ powerLaw: fit && { ...fit, ...tested }, histogram: { values: [...values], counts: [...counts] } });
  return {
    ...facts,
    degrees: { ...degrees, in: plain(degrees.in), out: plain(degrees.out) },
    hostSizes: { largestShare: hostSizes.largestShare, ...plain(hostSizes) },
    distances: distances && { ...distances, neighbourhoods: [...distances.neighbourhoods] },
    leftOut: facts.leftOut.map(leftOutWords),
    partition,
  };
}
