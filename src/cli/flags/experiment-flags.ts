import { shippedPolicies } from '../../core/policy/index.ts';
import { flagName, hiddenFlagNames, isWeights, simulatedOnly, type PolicyOption } from '../../core/settings/index.ts';
import type { ValueFlag } from './words.ts';

export interface ExperimentFlag extends ValueFlag {
  /** Its place in the Experiment, which has description, range and default. */
  readonly path: readonly [first: string, second?: string];
}

export const weightsUnit = 'NAME=W,...';

export function valueOf(option: PolicyOption): string {
  if (isWeights(option)) return weightsUnit;
  return 'enum' in option ? 'HOW' : option.type === 'integer' ? 'N' : 'X';
}

/** Settings of single policies that come with Orbweaver. */
const policyFlags = [...new Map(shippedPolicies.settings.policies.flatMap(({ options }) => Object.entries(options)))]
  .map(([name, option]) => [`policyOptions.${name}`, valueOf(option)] as const);

/** Every setting of an Experiment except its seed pages, whose flag also accepts URLs; with the placeholder. */
const settings: readonly (readonly [path: string, value: string])[] = [
  ['processors', 'P'], ['robots', 'r'], ['superstepLimit', 'R|auto'], ['superstepMs', 'MS'], ['pending', 'D'],
  ['pendingKeys', 'HOW'],
  ['policy', 'NAME|FILE'],
  ...policyFlags,
  ['queue.kind', 'KIND'], ['queue.block', 'N'], ['queue.slices', 'T'], ['queue.slicing', 'HOW'],
  ['queue.memoryBytes', 'BYTES'], ['partition', 'NAME'], ['partitionPoints', 'N'], ['politenessMs', 'MS'],
  ['retries', 'N'], ['backoffMs', 'MS'], ['maxBackoffMs', 'MS'], ['hostPatienceMs', 'TIME'], ['deniedCost', 'HOW'],
  ['checkpointSupersteps', 'K'], ['reinsert', 'F'],
  ['network.preset', 'PRESET'], ['network.latencyMs', 'MS'], ['network.latencySigma', 'S'],
  ['network.latencyTailShare', 'Q'], ['network.latencyTailIndex', 'A'],
  ['network.latencyJitterSigma', 'S'], ['network.bandwidthBytesPerSecond', 'B'],
  ['network.bandwidthSigma', 'S'], ['network.bandwidthTailShare', 'Q'], ['network.bandwidthTailIndex', 'A'],
  ['network.processorBandwidthBytesPerSecond', 'B'], ['network.bandwidthModel', 'HOW'], ['network.dnsMs', 'MS'],
  ['network.connectMs', 'MS'], ['network.keepAliveSeconds', 'S'], ['network.pageBytes', 'B'],
  ['network.pageBytesSigma', 'S'], ['network.pageBytesTailShare', 'Q'], ['network.pageBytesTailIndex', 'A'],
  ['network.notFoundShare', 'Q'], ['network.errorBytes', 'B'], ['network.serverErrorShare', 'Q'],
  ['network.timeoutShare', 'Q'], ['network.refusedShare', 'Q'], ['network.hangShare', 'Q'],
  ['network.hangSeconds', 'S'], ['network.timeoutMs', 'MS'], ['network.hostsPerAddress', 'N'],
  ['network.addressDelayMs', 'MS'], ['network.retryAfterShare', 'Q'],
  ['network.retryAfterSeconds', 'S'], ['network.downShare', 'Q'], ['network.downSeconds', 'S'],
  ['network.slowShare', 'Q'], ['network.slowSeconds', 'S'], ['network.slowFactor', 'F'],
  ['network.robotsTxtShare', 'Q'], ['network.robotsTxtBytes', 'B'], ['network.crawlDelayShare', 'Q'],
  ['network.crawlDelaySeconds', 'S'], ['network.deniedShare', 'Q'], ['network.crashSeconds', 'S'],
  ['network.restartSeconds', 'S'], ['barrierUs', 'US'], ['pairUs', 'US'], ['exchange', 'HOW'], ['exchangeBatch', 'K'],
  ['messageUs', 'US'], ['messageHeaderBytes', 'BYTES'], ['pairBytes', 'BYTES'], ['maxPages', 'N'],
  ['maxSeconds', 'S'], ['measures', 'SET'], ['statistics', 'HOW'], ['seed', 'N'],
];

/** Dotted names of the settings that have a flag. */
export const settingPaths = settings.map(([path]) => path);

export const experimentFlags: readonly ExperimentFlag[] = settings.map(([path, value]) => ({
  name: flagName(path), value, path: path.split('.') as [string, string?], hidden: hiddenFlagNames(path),
}));

/** The headings of help, by the first name in a setting's path. */
export const groups: readonly (readonly [heading: string, fields: readonly string[]])[] = [
  ['Processors and supersteps:', ['processors', 'robots', 'superstepLimit', 'superstepMs', 'pending']],
  ['Order of pages:', ['policy', 'policyOptions', 'reinsert', 'pendingKeys']],
  ['Start and limits:', ['maxPages', 'maxSeconds', 'seed']],
  [
    'Politeness and retries:',
    ['politenessMs', 'retries', 'backoffMs', 'maxBackoffMs', 'hostPatienceMs', 'deniedCost'],
  ],
  [
    'Partition and messages:',
    ['partition', 'partitionPoints', 'barrierUs', 'pairUs', 'exchange', 'exchangeBatch', 'messageUs'],
  ],
  ['Priority queue:', ['queue']],
  ['Simulated network and crashes:', ['network', 'checkpointSupersteps']],
  ['Figures:', ['measures', 'statistics', 'messageHeaderBytes', 'pairBytes']],
];

export function groupOf([field]: ExperimentFlag['path']): string {
  return groups.find(([, fields]) => fields.includes(field))![0];
}

/** Whether live crawls do not have the setting at this path. */
export function meansNothingLive([field, inner]: ExperimentFlag['path']): boolean {
  return simulatedOnly.includes(field) || simulatedOnly.includes(`${field}.${inner ?? ''}`);
}
