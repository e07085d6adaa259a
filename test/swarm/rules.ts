import { DrawStream } from '../../src/base/index.ts';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { shippedPolicies } from '../../src/core/policy/index.ts';
import type { SettledExperiment } from '../../src/core/settings/index.ts';
import type { Case } from './case.ts';

/** What all processors of a crawl have in common. */
export interface Rules {
  readonly graph: WebGraph;
  readonly experiment: SettledExperiment;
  readonly ownerOf: (page: number) => number;
  readonly politenessUs: number;
  readonly backoffUs: number;
  readonly maxBackoffUs: number;
  readonly patienceUs: number;
  /** Key of a page where it never changes. */
  readonly fixedKey: ((page: number, local: number, processor: number) => number) | undefined;
  /** Keys are the coins of pages, whose roots keep what they get. */
  readonly isOpic: boolean;
  /** Whether robots.txt denies a page. */
  readonly denies: (page: number) => boolean;
  /** Links pass something on, so that a page is reported whenever it is linked to, and not once. */
  readonly tellsAgain: boolean;
}

/** Policies whose links pass something on. */
const passingOn: readonly string[] = ['backlink-count', 'opic', 'opic-cycle', 'opic-window', 'partial-pagerank'];

const float = new DataView(new ArrayBuffer(4));

/** The queue's key of a score: the bits of the nearest 32-bit float. */
export function bitsOf(score: number): number {
  float.setFloat32(0, score);
  return float.getUint32(0);
}

export function rulesOf(
  { graph, scores, ranks }: Case, experiment: SettledExperiment, processorOfHost: Uint32Array,
): Rules {
  const draws = new DrawStream(experiment.seed, 'policy random');
  const denials = new DrawStream(experiment.seed, 'robots denied');
  const fixed: Record<string, Rules['fixedKey']> = {
    'breadth-first': (_, local) => 0x7fefffff - local,
    random: (_, local, processor) => Math.floor((draws.uint32(local, processor) / 2 ** 32) * 0x7ff00000),
    pagerank: (page) => bitsOf(ranks[page]),
    scores: (page) => bitsOf(scores.values[page]),
  };
  return {
    graph,
    experiment,
    ownerOf: (page) => processorOfHost[graph.hosts.ofPage[page]],
    politenessUs: Math.round(1000 * experiment.politenessMs),
    backoffUs: Math.round(1000 * experiment.backoffMs),
    maxBackoffUs: Math.min(
      Math.round(1000 * experiment.maxBackoffMs),
      experiment.hostPatienceMs === 0 ? Infinity : Math.round(1000 * experiment.hostPatienceMs) / 5,
    ),
    patienceUs: Math.round(1000 * experiment.hostPatienceMs),
    fixedKey: fixed[experiment.policy],
    denies: (page) =>
      denials.uniform(page) < experiment.network.deniedShare && !experiment.seedPages.includes(page),
    isOpic: experiment.policy === 'opic' && experiment.policyOptions['opicRoot'] === 'keep',
    tellsAgain: shippedPolicies.settings.policiesUsed(experiment).some(({ name }) => passingOn.includes(name)),
  };
}
