import type { OutcomeKind } from '../../world/index.ts';
import type { NetworkOptions } from '../../settings/index.ts';
import type { Goodness } from './goodness.ts';

/**
 * A host of the crawl, as factors of the network's `latencyMs`, `connectMs` and `bandwidthBytesPerSecond`, so that
 * whoever changes these changes all hosts. Undefined: drawn as for any other host.
 */
export interface FittedHost {
  readonly latency: number;
  readonly connect: number | undefined;
  readonly bandwidth: number | undefined;
  /** Its share of failing attempts, as a factor of the share of all hosts. */
  readonly faults: number;
  /** 0 if its robots.txt sets none. */
  readonly crawlDelaySeconds: number;
  /** Its IP address in the crawl, the last one; undefined if the log has none. */
  readonly address?: string | undefined;
}

/** What a page of the crawl is. */
export type KnownPage = Extract<OutcomeKind, 'fetched' | 'notFound' | 'robotsDenied'>;

/** The settings of a network that a fit does not find. */
export type UnfittedOption = 'hangShare' | 'hangSeconds' | 'slowShare' | 'slowSeconds' | 'slowFactor' | 'downShare' |
  'downSeconds' | 'latencyTailShare' | 'latencyTailIndex' | 'bandwidthTailShare' | 'bandwidthTailIndex' |
  'pageBytesTailShare' | 'pageBytesTailIndex' | 'hostsPerAddress' | 'addressDelayMs';

/** A network fitted to a finished crawl: distributions, and facts about single hosts and pages. */
export interface NetworkFit {
  readonly network: Omit<NetworkOptions, UnfittedOption>;
  /** The hosts by name, with the port if there is any. */
  readonly hosts: ReadonlyMap<string, FittedHost>;
  /** The pages by host and path. */
  readonly pages: ReadonlyMap<string, KnownPage>;
  readonly counts: FitCounts;
  readonly goodness: Readonly<Record<FittedQuantity, Goodness>>;
}

/** Latency of requests around their host's; latency, bandwidth, connections by host; page sizes: logarithms. */
export type FittedQuantity = 'requestLatency' | 'hostLatency' | 'hostBandwidth' | 'hostConnection' | 'pageSize';

export interface FitCounts {
  readonly requests: number;
  readonly hosts: number;
  readonly pages: number;
  readonly fetched: number;
  readonly timeouts: number;
  /** Time-outs that the latency of their hosts explains. */
  readonly late: number;
  readonly refused: number;
  readonly serverErrors: number;
  readonly notFound: number;
  readonly denied: number;
  readonly robotsTxt: number;
  /** Whether the log separates latency from transfer in all answers; otherwise sizes did. */
  readonly isSeparated: boolean;
  /** Answers, and in how many sizes separated the two: all, or the few that broke off before their first byte. */
  readonly answers: number;
  readonly separatedBySizes: number;
}
