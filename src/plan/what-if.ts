import { maxSuperstepLimit, type ExperimentInput, type SettledExperiment } from '../settings/index.ts';
import type { RunSummary } from '../measure/index.ts';

/** What can be changed: what a crawl may wait for (`LimitKind`, the frontier apart), and its machines. */
export const whatIfKinds = [
  'processors', 'robots', 'politeness', 'superstepLimit', 'pendingJobs', 'processorBandwidth', 'hostBandwidth',
  'barriers', 'retries',
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

/**
 * The settings with twice as much of a kind, or half of its price; everything else stays as the run had it.
 * @returns undefined if there is no more of it: no delay, no limit of bandwidth, no price.
 */
export function changed(kind: WhatIfKind, settings: SettledExperiment): ExperimentInput | undefined {
  const { network, processors, politenessMs, barrierUs, pairUs, messageUs, backoffMs, maxBackoffMs } = settings;
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
    // What grows by itself: there is no more than all.
    case 'superstepLimit': return { ...settings, superstepLimit: twiceOrAll(settings.superstepLimit) };
    case 'pendingJobs': return { ...settings, pending: twiceOrAll(settings.pending) };
    case 'processorBandwidth': return twice('processorBandwidthBytesPerSecond');
    case 'hostBandwidth': return twice('bandwidthBytesPerSecond');
    case 'barriers':
      return { ...settings, barrierUs: Math.ceil(barrierUs / 2), pairUs: pairUs / 2, messageUs: messageUs / 2 };
    case 'retries':
      return backoffMs === 0 ? undefined : { ...settings, backoffMs: backoffMs / 2, maxBackoffMs: maxBackoffMs / 2 };
  }
}

function twiceOrAll(count: number | undefined): number {
  return count === undefined ? maxSuperstepLimit : Math.min(2 * count, maxSuperstepLimit);
}

/** Compares the run with the change to the one without. */
export function whatIf(kind: WhatIfKind, before: RunSummary, after: RunSummary): WhatIf {
  const rate = ({ pagesFetched, virtualSeconds }: RunSummary): number => pagesFetched / virtualSeconds;
  const share = (of: (summary: RunSummary) => number): number | null =>
    of(before) > 0 ? of(after) / of(before) : null;
  return {
    kind, pagesPerSecond: share(rate), rankGathered: share(({ rankGathered }) => rankGathered.ofReachable),
    secondsToHalf: after.secondsToRank[50], virtualSeconds: after.virtualSeconds,
  };
}
