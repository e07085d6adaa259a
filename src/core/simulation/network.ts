import { linksOf, type GraphPart, type WebGraph } from '../../graphs/graph/index.ts';
import { DrawStream } from '../../base/index.ts';
import type { AddressRest, FetchRequest, HostAddresses, HostTrouble, OutcomeKind } from '../world/index.ts';
import { hostAddresses } from './host-addresses.ts';
import { AttemptFaults } from './attempt-faults.ts';
import { figuresOf, type FittedFigures } from './calibration/fitted-figures.ts';
import type { FittedHost, NetworkFit } from './calibration/network-fit.ts';
import { greatTail, smallTail } from './heavy-tail.ts';
import { HostWindows } from './host-windows.ts';
import type { NetworkOptions } from '../settings/index.ts';
import { RobotsTxt } from './robots-txt.ts';

/** A processor's ties to a host: what it has cached about it, and its open connection. */
export interface HostTies {
  /** Whether its name is resolved. */
  isResolved: boolean;
  knowsRobotsTxt: boolean;
  /** Requests that begin before this time reuse the open connection. */
  connectedUntilUs: number;
}

/** The answer to a request, before the processor's bandwidth is shared out. */
export interface Answer {
  readonly kind: OutcomeKind;
  /** From the start of the request until its answer begins, or until it is given up. */
  readonly beginsAfterUs: number;
  readonly bytes: number;
  /** Maximum rate of the host, bytes per microsecond; Infinity for no limit. */
  readonly bytesPerUs: number;
  /** How long the host asks not to be contacted. */
  readonly waitUs: number;
  /** As of an Outcome. */
  readonly hostTrouble?: HostTrouble | undefined;
}

/** A host that no fit knows: everything is drawn. */
const unknownHost: Partial<FittedHost> = {};

const us = (ms: number): number => Math.min(0xffffffff, Math.round(1000 * ms));

/**
 * The simulated network: every number drawn by (seed, stream, host or page id, attempt or window of time), so that all
 * processors and all policies meet the same network. Read-only; the Worlds of a run share it. Features that are
 * switched off cost no draw.
 */
export class Network {
  readonly graph: WebGraph | GraphPart;
  readonly options: NetworkOptions;
  readonly processorBytesPerUs: number;
  readonly #latencyUs: Uint32Array;
  /** Bytes per microsecond; Infinity for no limit. */
  readonly #bytesPerUs: Float64Array;
  readonly #sizes: DrawStream;
  readonly #timeoutUs: number;
  /** Each undefined if its share is 0. */
  readonly #missing: DrawStream | undefined;
  readonly #faults: AttemptFaults | undefined;
  readonly #down: HostWindows | undefined;
  readonly #slow: HostWindows | undefined;
  readonly #robotsTxt: RobotsTxt | undefined;
  readonly #seedPages: ReadonlySet<number>;
  readonly #addresses: HostAddresses | undefined;
  /** Whether there is nothing but latency and transfer: true of most simulations, so worth a fast path. */
  readonly #isFaultless: boolean;
  readonly #resolving: DrawStream;
  readonly #connecting: DrawStream;
  readonly #jitter: DrawStream | undefined;
  readonly #robotsJitter: DrawStream;
  readonly #fitted: FittedFigures | undefined;

  /**
   * @param seedPages exist and are allowed: whoever starts a crawl has checked them.
   * @param fit facts about single hosts and pages; the rest is drawn.
   * @param processorOfHost says how many processors share an address; one, if it is left out.
   */
  constructor(
    graph: WebGraph | GraphPart, options: NetworkOptions, seed: number, seedPages: readonly number[] = [],
    fit?: NetworkFit, processorOfHost?: Uint32Array,
  ) {
    this.graph = graph;
    this.#seedPages = new Set(seedPages);
    this.options = options;
    const latency = new DrawStream(seed, 'host latency');
    const bandwidth = new DrawStream(seed, 'host bandwidth');
    const latencyTail = { share: options.latencyTailShare, index: options.latencyTailIndex };
    const bandwidthTail = { share: options.bandwidthTailShare, index: options.bandwidthTailIndex };
    this.#addresses = hostAddresses(graph, { network: options, seed, fit, processorOfHost });
    this.#latencyUs = new Uint32Array(graph.hosts.count);
    this.#bytesPerUs = new Float64Array(graph.hosts.count);
    this.#fitted = fit && figuresOf(fit, graph);
    for (let host = 0; host < graph.hosts.count; host++) {
      const { latency: slower, bandwidth: faster } = this.#fitted?.hosts[host] ?? unknownHost;
      this.#latencyUs[host] = us(slower === undefined
        ? greatTail(latency.uniform(host), options.latencyMs, options.latencySigma, latencyTail)
        : slower * options.latencyMs);
      const rate = faster === undefined
        ? smallTail(bandwidth.uniform(host), options.bandwidthBytesPerSecond, options.bandwidthSigma, bandwidthTail)
        : faster * options.bandwidthBytesPerSecond;
      this.#bytesPerUs[host] = rate === 0 ? Infinity : rate / 1e6;
    }
    const processorRate = options.processorBandwidthBytesPerSecond;
    this.processorBytesPerUs = processorRate === 0 ? Infinity : processorRate / 1e6;
    this.#sizes = new DrawStream(seed, 'page bytes');
    this.#resolving = new DrawStream(seed, 'name resolution');
    this.#connecting = new DrawStream(seed, 'connection');
    this.#robotsJitter = new DrawStream(seed, 'robots.txt latency');
    if (options.latencyJitterSigma > 0) this.#jitter = new DrawStream(seed, 'request latency');
    this.#timeoutUs = us(options.timeoutMs);

    if (options.notFoundShare > 0) this.#missing = new DrawStream(seed, 'page missing');
    const { refusedShare: refused, timeoutShare: timeout, hangShare: hang, serverErrorShare: serverError } = options;
    if (refused + timeout + hang + serverError > 0) {
      this.#faults = new AttemptFaults({ refused, timeout, hang, serverError }, options.retryAfterShare, seed);
    }
    if (options.downShare > 0)
      this.#down = new HostWindows(options.downShare, 1e6 * options.downSeconds, seed, 'host down');
    if (options.slowShare > 0)
      this.#slow = new HostWindows(options.slowShare, 1e6 * options.slowSeconds, seed, 'host slow');
    if (options.robotsTxtShare > 0) {
      const { robotsTxtShare, crawlDelayShare, crawlDelaySeconds, deniedShare } = options;
      this.#robotsTxt = new RobotsTxt(
        robotsTxtShare, crawlDelayShare, Math.round(1e6 * crawlDelaySeconds), deniedShare, seed,
      );
    }
    const faults = [
      this.#missing, this.#faults, this.#down, this.#slow, this.#robotsTxt, this.#jitter, this.#fitted,
    ];
    this.#isFaultless = faults.every((fault) => fault === undefined) && options.dnsMs === 0 && options.connectMs === 0;
  }

  /** The address of a host, and its rest; undefined where addresses have no delay. */
  addressRest(host: number): AddressRest | undefined {
    const addresses = this.#addresses;
    if (addresses === undefined) return undefined;
    return { address: addresses.nameOf(host), restUs: addresses.sharersOf(host) * addresses.delayUs };
  }

  hostOf(page: number): number {
    return this.graph.hosts.ofPage[page];
  }

  bytesOf(page: number): number {
    const { bytes } = this.graph;
    // A crawl's graph has pages that it did not fetch, whose size is unknown.
    if (bytes !== undefined && (this.#fitted === undefined || bytes[page] > 0 || this.#fitted.pages[page] !== undefined))
      return bytes[page];
    const { pageBytes, pageBytesSigma, pageBytesTailShare: share, pageBytesTailIndex: index } = this.options;
    return Math.min(
      0xffffffff, Math.round(greatTail(this.#sizes.uniform(page), pageBytes, pageBytesSigma, { share, index })),
    );
  }

  linksOf(page: number): Uint32Array {
    return linksOf(this.graph, page);
  }

  /** The answer to a request at `nowUs`. Given the ties, it depends only on the network, the page and the time. */
  answer({ page, attempt }: FetchRequest, nowUs: number, ties: HostTies): Answer {
    const host = this.hostOf(page);
    if (this.#isFaultless && this.#latencyUs[host] <= this.#timeoutUs) {
      return {
        kind: 'fetched', beginsAfterUs: this.#latencyUs[host], bytes: this.bytesOf(page),
        bytesPerUs: this.#bytesPerUs[host], waitUs: 0,
      };
    }
    const robotsTxt = this.#robotsTxt?.isAt(host) === true ? this.#robotsTxt : undefined;
    const isForRobotsTxt = robotsTxt !== undefined && !ties.knowsRobotsTxt;
    const fit = this.#fitted?.hosts[host];
    const crawlDelayUs = fit === undefined || robotsTxt === undefined
      ? robotsTxt?.delayUs(host) ?? 0 : Math.round(1e6 * fit.crawlDelaySeconds);
    const waitUs = isForRobotsTxt ? 0 : crawlDelayUs;
    // Known without contacting the host.
    if (this.denies(page, ties)) return nothing('robotsDenied', 0, waitUs);

    const fault = isForRobotsTxt ? undefined : this.#faults?.faultOf(page, attempt, fit?.faults);
    if (fault === 'refused' || this.#down?.isStruck(host, nowUs) === true)
      return { ...nothing('refused', this.#refusalUs(host, ties), waitUs), hostTrouble: 'unreachable' };
    if (fault === 'hang') return nothing('timeout', Math.round(1e6 * this.options.hangSeconds), waitUs);
    const slowness = this.#slow?.isStruck(host, nowUs) === true ? this.options.slowFactor : 1;
    const latencyUs = this.#latencyUs[host] * this.#jitterOf(host, page, attempt, isForRobotsTxt);
    const beginsAfterUs = this.#setUpUs(host, nowUs, ties) + Math.round(slowness * latencyUs);
    if (fault === 'timeout' || beginsAfterUs > this.#timeoutUs) return nothing('timeout', this.#timeoutUs, waitUs);

    const bytesPerUs = this.#bytesPerUs[host] / slowness;
    const { errorBytes, robotsTxtBytes, retryAfterSeconds } = this.options;
    if (isForRobotsTxt)
      return { kind: 'robotsFetched', beginsAfterUs, bytes: robotsTxtBytes, bytesPerUs, waitUs: crawlDelayUs };
    if (fault === 'serverError') {
      const retryAfterUs =
        this.#faults?.saysRetryAfter(page, attempt) === true ? Math.round(1e6 * retryAfterSeconds) : 0;
      return {
        kind: 'serverError', beginsAfterUs, bytes: errorBytes, bytesPerUs, waitUs: Math.max(waitUs, retryAfterUs),
      };
    }
    if (this.#isMissing(page)) return { kind: 'notFound', beginsAfterUs, bytes: errorBytes, bytesPerUs, waitUs };
    return { kind: 'fetched', beginsAfterUs, bytes: this.bytesOf(page), bytesPerUs, waitUs };
  }

  /** Whether any host may have rules. */
  get hasRules(): boolean {
    return this.#robotsTxt !== undefined;
  }

  /** Whether rules that the processor has read deny a page: nobody is asked for it. */
  denies(page: number, { knowsRobotsTxt }: Pick<HostTies, 'knowsRobotsTxt'>): boolean {
    const robotsTxt = knowsRobotsTxt ? this.#robotsTxt : undefined;
    return robotsTxt?.isAt(this.hostOf(page)) === true && this.#isDenied(page, robotsTxt);
  }

  #isDenied(page: number, robotsTxt: RobotsTxt): boolean {
    const fit = this.#fitted?.pages[page];
    if (fit !== undefined) return fit === 'robotsDenied';
    return robotsTxt.denies(page) && !this.#seedPages.has(page);
  }

  #isMissing(page: number): boolean {
    const fit = this.#fitted?.pages[page];
    if (fit !== undefined) return fit === 'notFound';
    return this.#missing !== undefined && this.#missing.uniform(page) < this.options.notFoundShare &&
      !this.#seedPages.has(page);
  }

  #jitterOf(host: number, page: number, attempt: number, isForRobotsTxt: boolean): number {
    if (this.#jitter === undefined) return 1;
    const { latencyJitterSigma: sigma } = this.options;
    if (isForRobotsTxt) return this.#robotsJitter.logNormal(1, sigma, host);
    return this.#jitter.logNormal(1, sigma, page, attempt);
  }

  /** Name resolution, once; and a connection, unless one is open. */
  #setUpUs(host: number, nowUs: number, ties: HostTies): number {
    const { connectMs } = this.options;
    return (
      this.#resolutionUs(host, ties) + (connectMs === 0 || nowUs < ties.connectedUntilUs ? 0 : this.#connectionUs(host))
    );
  }

  /** A connection is refused when it would have been established; if set-up takes no time, after the latency. */
  #refusalUs(host: number, ties: HostTies): number {
    return (
      this.#resolutionUs(host, ties) + (this.options.connectMs === 0 ? this.#latencyUs[host] : this.#connectionUs(host))
    );
  }

  #resolutionUs(host: number, { isResolved }: HostTies): number {
    const { dnsMs, latencySigma } = this.options;
    return dnsMs === 0 || isResolved ? 0 : us(this.#resolving.logNormal(dnsMs, latencySigma, host));
  }

  #connectionUs(host: number): number {
    const { connectMs, latencySigma } = this.options;
    const { connect } = this.#fitted?.hosts[host] ?? unknownHost;
    return us(connect === undefined
      ? this.#connecting.logNormal(connectMs, latencySigma, host) : connect * connectMs);
  }
}

function nothing(kind: OutcomeKind, beginsAfterUs: number, waitUs: number): Answer {
  return { kind, beginsAfterUs, bytes: 0, bytesPerUs: Infinity, waitUs };
}
