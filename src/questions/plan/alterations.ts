import type { Experiment, ExperimentInput } from '../../core/settings/index.ts';
import type { SetUp } from './trials/trials.ts';

/**
 * Circumstances that a plan takes as they are, changed: what the money for one more machine, a faster link or the
 * leave of the hosts would bring. Oracles are bounds: no order and no partition that must be decided while crawling
 * is likely to do better.
 */
export const alterations = [
  'oneMoreMachine', 'twiceTheRobots', 'twiceTheBandwidth', 'halfTheDelay', 'moreTime', 'knownRanks', 'knownSizes',
] as const;
export type Alteration = (typeof alterations)[number];

interface Altered {
  readonly setUp: SetUp;
  readonly apply?: (input: ExperimentInput) => ExperimentInput;
}

/** The set-up and settings under an alteration; undefined if there is nothing to alter. */
export function altered(name: Alteration, setUp: SetUp, { network, politenessMs }: Experiment): Altered | undefined {
  const { processorBandwidthBytesPerSecond: bandwidth, addressDelayMs } = network;
  switch (name) {
    case 'oneMoreMachine': return { setUp: { ...setUp, processors: setUp.processors + 1 } };
    case 'twiceTheRobots': return { setUp: { ...setUp, robots: 2 * setUp.robots } };
    case 'twiceTheBandwidth':
      return bandwidth === 0 ? undefined : {
        setUp,
        apply: (input) => ({
          ...input, network: { ...input.network, processorBandwidthBytesPerSecond: 2 * bandwidth },
        }),
      };
    case 'halfTheDelay':
      return politenessMs === 0 && addressDelayMs === 0 ? undefined : {
        setUp,
        apply: (input) => ({
          ...input, politenessMs: politenessMs / 2,
          ...(addressDelayMs > 0 && { network: { ...input.network, addressDelayMs: addressDelayMs / 2 } }),
        }),
      };
    case 'moreTime': return { setUp };
    case 'knownRanks': return { setUp: { ...setUp, policy: 'pagerank' } };
    case 'knownSizes':
      return setUp.processors === 1 || setUp.partition === 'lpt'
        ? undefined : { setUp: { ...setUp, partition: 'lpt' } };
  }
}
