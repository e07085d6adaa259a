/**
 * The numbers of the simulated network; `README.md` tells what each does. Draws are log-normal: sigma is the deviation
 * of the logarithm, 0 for none. Shares lie between 0 and 1, and 0 switches off what they are of.
 */
export interface NetworkOptions {
  /** Median over hosts of the time until a host's answer begins; of the share in the tail, the Pareto index. */
  readonly latencyMs: number;
  readonly latencySigma: number;
  readonly latencyTailShare: number;
  readonly latencyTailIndex: number;
  /** Median over hosts of the rate at which a host sends; 0 for no limit. The tail is of slow hosts. */
  readonly bandwidthBytesPerSecond: number;
  readonly bandwidthSigma: number;
  readonly bandwidthTailShare: number;
  readonly bandwidthTailIndex: number;
  /** What a processor can receive; 0 for no limit. */
  readonly processorBandwidthBytesPerSecond: number;
  /** `fixed`: a download keeps the share that it began with; `fluid`: shares change when downloads begin and end. */
  readonly bandwidthModel: 'fixed' | 'fluid';
  /**
   * Medians over hosts, sigma as of latency: of resolving a host's name, once a processor; of setting up a connection.
   */
  readonly dnsMs: number;
  readonly connectMs: number;
  /** How long a connection stays open after a download. */
  readonly keepAliveSeconds: number;
  /** Median page size where the graph knows none. */
  readonly pageBytes: number;
  readonly pageBytesSigma: number;
  readonly pageBytesTailShare: number;
  readonly pageBytesTailIndex: number;
  /** Of pages: those that are not there. Of such an answer, and of a server error, the bytes. */
  readonly notFoundShare: number;
  readonly errorBytes: number;
  /** Of attempts. A hang is an attempt that comes back only after hangSeconds. */
  readonly serverErrorShare: number;
  readonly timeoutShare: number;
  readonly refusedShare: number;
  readonly hangShare: number;
  readonly hangSeconds: number;
  /** How long a robot waits for an answer to begin. */
  readonly timeoutMs: number;
  /** Of server errors: those that ask for a pause. */
  readonly retryAfterShare: number;
  readonly retryAfterSeconds: number;
  /** Of a host's time, in windows of so many seconds. */
  readonly downShare: number;
  readonly downSeconds: number;
  readonly slowShare: number;
  readonly slowSeconds: number;
  /** How many times as long a slow host takes. */
  readonly slowFactor: number;
  /** Of hosts; of these, those that ask for a delay; of their pages, those denied. */
  readonly robotsTxtShare: number;
  readonly robotsTxtBytes: number;
  readonly crawlDelayShare: number;
  readonly crawlDelaySeconds: number;
  readonly deniedShare: number;
}
