import { maxSuperstepLimit, type ExperimentInput, type SettledExperiment } from '../../core/settings/index.ts';
import type { RunSummary } from '../../core/measure/index.ts';

/**
 * What can be changed: what a crawl may wait for (`LimitKind`, the frontier apart), and its machines. Twice a small R_x
 * or few pending jobs may bring nothing where many times as much brings a lot: so both are lifted too.
 */
export const whatIfKinds = [
  'processors', 'robots', 'politeness', 'superstepLimit', 'noSuperstepLimit', 'pendingJobs', 'allPendingJobs',
  'processorBandwidth', 'hostBandwidth', 'barriers', 'shorterSupersteps', 'retries',
] as const;
export type WhatIfKind = (typeof whatIfKinds)[number];

/** A run with one setting changed, beside the run as it was. */
export interface WhatIf {
  readonly kind: WhatIfKind;
  /** Shares of what the run without the change had; null where that had nothing. */
  readonly pagesPerSecond: number | null;
  readonly rankGathered: number | null;
  /** Virtual seconds until half of the rank within reach; null where never. */
  readonly secondsToHalf: number | null;
  readonly virtualSeconds: number;
}

/** Supersteps without a longest time get this one, the default, when they are to be shorter. */
const usualSuperstepMs = 10_000;

/**
 * The settings with twice as much of a kind, or half of its price; everything else stays as the run had it.
 * @returns undefined if there is no more of it: no delay, no limit of bandwidth, no price; or nothing to double, since
 * it follows a rule.
 */
export function changed(kind: WhatIfKind, settings: SettledExperiment): ExperimentInput | undefined {
  const { network, processors, politenessMs, barrierUs, pairUs, messageUs, superstepMs } = settings;
  const twice = (name: 'processorBandwidthBytesPerSecond' | 'bandwidthBytesPerSecond'): ExperimentInput | undefined =>
    network[name] === 0 ? undefined : { ...settings, network: { ...network, [name]: 2 * network[name] } };
  switch (kind) {
    case 'processors': return { ...settings, processors: 2 * processors };
    case 'robots': return { ...settings, robots: 2 * settings.robots };
    case 'politeness': {
      const { addressDelayMs } = network;
      if (politenessMs === 0 && addressDelayMs === 0) return undefined;
      return {
        ...settings, politenessMs: politenessMs / 2, network: { ...network, addressDelayMs: addressDelayMs / 2 },
      };
    }
    case 'superstepLimit': return twiceSet(settings, 'superstepLimit');
    case 'noSuperstepLimit': return { ...settings, superstepLimit: maxSuperstepLimit };
    case 'pendingJobs': return twiceSet(settings, 'pending');
    case 'allPendingJobs': return { ...settings, pending: maxSuperstepLimit };
    case 'processorBandwidth': return twice('processorBandwidthBytesPerSecond');
    case 'hostBandwidth': return twice('bandwidthBytesPerSecond');
    case 'barriers':
      return { ...settings, barrierUs: Math.ceil(barrierUs / 2), pairUs: pairUs / 2, messageUs: messageUs / 2 };
    case 'shorterSupersteps':
      return { ...settings, superstepMs: superstepMs === 0 ? usualSuperstepMs : superstepMs / 2 };
    case 'retries': return shorterWaits(settings);
  }
}

function twiceSet(settings: SettledExperiment, name: 'superstepLimit' | 'pending'): ExperimentInput | undefined {
  const count = settings[name];
  return count === undefined ? undefined : { ...settings, [name]: Math.min(2 * count, maxSuperstepLimit) };
}

/** Half the waits after failures, those that hosts ask for included. */
function shorterWaits(settings: SettledExperiment): ExperimentInput | undefined {
  const { network, backoffMs, maxBackoffMs } = settings;
  const { retryAfterShare, retryAfterSeconds } = network;
  if (backoffMs === 0 && (retryAfterShare === 0 || retryAfterSeconds === 0)) return undefined;
  return {
    ...settings, backoffMs: backoffMs / 2, maxBackoffMs: maxBackoffMs / 2,
    network: { ...network, retryAfterSeconds: retryAfterSeconds / 2 },
  };
}

/** Compares the run with the change to the one without. */
export function whatIf(kind: WhatIfKind, base: RunSummary, after: RunSummary): WhatIf {
  const rate = ({ pagesFetched, virtualSeconds }: RunSummary): number => pagesFetched / virtualSeconds;
  const share = (of: (summary: RunSummary) => number): number | null =>
    of(base) > 0 ? of(after) / of(base) : null;
  return {
    kind, pagesPerSecond: share(rate), rankGathered: share(({ rankGathered }) => rankGathered.ofReachable),
    secondsToHalf: after.secondsToRank[50], virtualSeconds: after.virtualSeconds,
  };
}
