/**
 * The parameters of the simulated network; `README.md` explains them. Draws are log-normal: sigma is the deviation
 * of the logarithm, 0 for none. Shares are between 0 and 1, and 0 switches the feature off.
 */
export interface NetworkOptions {
  /** Median over hosts of the time until a host's answer begins; of the share in the tail, the Pareto index. */
  readonly latencyMs: number;
  readonly latencySigma: number;
  readonly latencyTailShare: number;
  readonly latencyTailIndex: number;
  /** Deviation of the logarithm of single requests from the latency of their host. */
  readonly latencyJitterSigma: number;
  /** Median over hosts of the rate at which a host sends; 0 for no limit. The tail is of slow hosts. */
  readonly bandwidthBytesPerSecond: number;
  readonly bandwidthSigma: number;
  readonly bandwidthTailShare: number;
  readonly bandwidthTailIndex: number;
  /** What a processor can receive; 0 for no limit. */
  readonly processorBandwidthBytesPerSecond: number;
  /** `fixed`: a download retains the share that it began with; `fluid`: shares change when downloads begin and end. */
  readonly bandwidthModel: 'fixed' | 'fluid';
  /** Medians over hosts, with the sigma of latency: resolving a host's name, once per processor; connecting. */
  readonly dnsMs: number;
  readonly connectMs: number;
  /** How long a connection stays open after a download. */
  readonly keepAliveSeconds: number;
  /** Median page size if the graph has no sizes. */
  readonly pageBytes: number;
  readonly pageBytesSigma: number;
  readonly pageBytesTailShare: number;
  readonly pageBytesTailIndex: number;
  /** Share of pages that are missing. Bytes of such an answer, and of a server error. */
  readonly notFoundShare: number;
  readonly errorBytes: number;
  /** Shares of attempts. A hang is an attempt that ends only after hangSeconds. */
  readonly serverErrorShare: number;
  readonly timeoutShare: number;
  readonly refusedShare: number;
  readonly hangShare: number;
  readonly hangSeconds: number;
  /** How long a robot waits for an answer to begin. */
  readonly timeoutMs: number;
  /** Hosts that share an address, on average. How long an address rests after a download, if hosts share it. */
  readonly hostsPerAddress: number;
  readonly addressDelayMs: number;
  /** Share of server errors that ask for a pause. */
  readonly retryAfterShare: number;
  readonly retryAfterSeconds: number;
  /** Share of a host's time, in windows of this many seconds. */
  readonly downShare: number;
  readonly downSeconds: number;
  readonly slowShare: number;
  readonly slowSeconds: number;
  /** Factor by which a slow host takes longer. */
  readonly slowFactor: number;
  /** Share of hosts; of these, the share that asks for a delay; of their pages, the share denied. */
  readonly robotsTxtShare: number;
  readonly robotsTxtBytes: number;
  readonly crawlDelayShare: number;
  readonly crawlDelaySeconds: number;
  readonly deniedShare: number;
}
