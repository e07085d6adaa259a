import type { WebGraph } from '../graph/index.ts';
import { DrawStream } from '../std/index.ts';

/** The numbers of the simulated network. Draws are log-normal: sigma is the deviation of the logarithm, 0 for none. */
export interface NetworkOptions {
  /** Median over hosts of the time until a host's answer begins. */
  readonly latencyMs: number;
  readonly latencySigma: number;
  /** Median over hosts of the rate at which a host sends; 0 for no limit. */
  readonly bandwidthBytesPerSecond: number;
  readonly bandwidthSigma: number;
  /** What a processor can receive; 0 for no limit. */
  readonly processorBandwidthBytesPerSecond: number;
  /** Median page size where the graph knows none. */
  readonly pageBytes: number;
  readonly pageBytesSigma: number;
}

/**
 * The simulated network: every number drawn once per host or page by (seed, stream, id), so that all processors and all
 * policies meet the same one. Read-only; the Worlds of one run share it.
 */
export class Network {
  readonly graph: WebGraph;
  readonly processorBytesPerUs: number;
  readonly #latencyUs: Uint32Array;
  /** Bytes a microsecond; Infinity for no limit. */
  readonly #bytesPerUs: Float64Array;
  readonly #pageBytes: (page: number) => number;

  constructor(graph: WebGraph, options: NetworkOptions, seed: number) {
    this.graph = graph;
    const latency = new DrawStream(seed, 'host latency');
    const bandwidth = new DrawStream(seed, 'host bandwidth');
    const size = new DrawStream(seed, 'page bytes');
    this.#latencyUs = new Uint32Array(graph.hosts.count);
    this.#bytesPerUs = new Float64Array(graph.hosts.count);
    for (let host = 0; host < graph.hosts.count; host++) {
      const latencyMs = latency.logNormal(options.latencyMs, options.latencySigma, host);
      this.#latencyUs[host] = Math.min(0xffffffff, Math.round(1000 * latencyMs));
      const rate = bandwidth.logNormal(options.bandwidthBytesPerSecond, options.bandwidthSigma, host);
      this.#bytesPerUs[host] = rate === 0 ? Infinity : rate / 1e6;
    }
    const processorRate = options.processorBandwidthBytesPerSecond;
    this.processorBytesPerUs = processorRate === 0 ? Infinity : processorRate / 1e6;
    const { bytes } = graph;
    this.#pageBytes =
      bytes === undefined
        ? (page) => Math.round(size.logNormal(options.pageBytes, options.pageBytesSigma, page))
        : (page) => bytes[page];
  }

  hostOf(page: number): number {
    return this.graph.hosts.ofPage[page];
  }

  bytesOf(page: number): number {
    return this.#pageBytes(page);
  }

  linksOf(page: number): Uint32Array {
    const { outOffsets, outTargets } = this.graph;
    return outTargets.subarray(outOffsets[page], outOffsets[page + 1]);
  }

  /**
   * How long a download takes that starts while `open` downloads, itself included, are open on its processor: the host's
   * latency, then its bytes at the lesser of the host's rate and an even share of the processor's. The rate stays as it was
   * at the start. Integer microseconds.
   * @param bytes of the page, for who has them at hand: to draw them takes time.
   */
  durationUs(page: number, open: number, bytes = this.bytesOf(page)): number {
    const host = this.hostOf(page);
    const bytesPerUs = Math.min(this.#bytesPerUs[host], this.processorBytesPerUs / open);
    return this.#latencyUs[host] + Math.round(bytes / bytesPerUs);
  }
}
