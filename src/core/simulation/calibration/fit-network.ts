import { exp, InputError, log } from '../../../base/index.ts';
import { goodnessOf } from './goodness.ts';
import { failureFactors, fitMeans, type HostEstimate, type MeansFit } from './host-means.ts';
import { fitLatencies, type LatencyFit } from './host-latencies.ts';
import type { FitCounts, FittedHost, KnownPage, NetworkFit } from './network-fit.ts';
import { isAnswered, type Observation } from './observation.ts';
import { separated } from './separated.ts';

/** The default wait for an answer, where no time-out shows it. */
const TIMEOUT_MS = 20_000;
/** The longest idle connection that is surely still open, where all that were tried were. */
const MIN_KEEP_ALIVE_SECONDS = 4;
/** Smaller bodies arrive with the headers, or in a single packet: their rate belongs to the machine. */
const MIN_PACED_BYTES = 1024;
/** Significant digits of stored numbers: more than a fit means, and the same on every engine. */
const DIGITS = 9;

/**
 * Fits the simulated network to the requests of a crawl. Latency, bandwidth and set-up of connections are log-normal
 * over hosts, latency also over the requests of a host; estimates of hosts are shrunk towards the distribution that
 * they are fitted with. Failures are shares of attempts, with a factor for each host.
 *
 * @throws InputError if nothing was fetched, or from fewer than two hosts.
 */
export function fitNetwork(requests: readonly Observation[]): NetworkFit {
  const observations = separated(requests);
  const hosts = new Map<string, Observation[]>();
  for (const observation of observations) {
    const group = hosts.get(observation.host);
    if (group === undefined) hosts.set(observation.host, [observation]);
    else group.push(observation);
  }
  const answering = [...hosts.values()].filter((group) => group.some(isAnswered)).length;
  if (!observations.some(({ kind }) => kind === 'fetched'))
    throw new InputError('fetched nothing, so there is nothing to fit a network to');
  if (answering < 2)
    throw new InputError('has one host that answered; a distribution over hosts needs at least two');
  const names = [...hosts.keys()].sort();
  const groups = names.map((name) => hosts.get(name)!);
  const latency = fitLatencies(groups.map((group) => ({
    observed: group.filter(isTimed).map(({ latencyUs }) => log(Math.max(1, latencyUs ?? 0) / 1000)),
    censored: group.filter(({ kind }) => kind === 'timeout')
      .map(({ durationUs }) => log(Math.max(1, durationUs) / 1000)),
  })));
  const bandwidth = fitHosts(groups, bandwidthOf);
  const connection = fitHosts(groups, connectionOf);
  const pages = pagesOf(observations);
  const losses = groups.map((group, i) => latency.lost[i] * shareForPages(group));
  const attempts = groups.map((group, i) => failuresOf(group, losses[i]));
  const factors = failureFactors(attempts);
  const delays = groups.map((group) => crawlDelaySeconds(group));
  const network = {
    ...distributions(latency, bandwidth.fit, connection.fit, observations),
    ...failureShares(observations, losses),
    ...robotsShares(observations, groups, delays),
  };
  return {
    network: rounded(network),
    hosts: new Map(names.map((name, i): [string, FittedHost] => [name, rounded({
      latency: exp(latency.hosts[i] - latency.mean), connect: factorOf(connection, i),
      bandwidth: factorOf(bandwidth, i), faults: factors[i], crawlDelaySeconds: delays[i],
      address: groups[i].findLast(({ address }) => address !== undefined)?.address,
    })])),
    pages,
    counts: countsOf(requests, groups.length, pages, latency),
    goodness: goodness(groups, latency, bandwidth, connection, observations),
  };
}

const isTimed = (observation: Observation): boolean => isAnswered(observation) && observation.latencyUs !== undefined;

/** Estimate of a host, with the squared deviations of its observations from the value. */
interface OwnEstimate extends HostEstimate {
  readonly squares: { readonly sum: number; readonly free: number };
}

const sumOf = (values: Iterable<number>): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

/** Mean and deviation; 0 for no values. */
function moments(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = sumOf(values) / Math.max(1, values.length);
  const spread = sumOf(values.map((value) => (value - mean) ** 2)) / Math.max(1, values.length);
  return { mean, deviation: Math.sqrt(spread) };
}

/** The fit of what only some hosts show. */
interface PartialFit {
  readonly fit: MeansFit;
  /** Logarithms: own estimates. */
  readonly values: readonly number[];
  /** Place of each host in them; -1 if it shows nothing. */
  readonly places: Int32Array;
}

function fitHosts(
  groups: readonly (readonly Observation[])[],
  estimateOf: (group: readonly Observation[], within: number) => OwnEstimate | undefined,
): PartialFit {
  // Two passes: the error of a host's estimate needs the variance within all hosts.
  const first = groups.map((group) => estimateOf(group, 0)?.squares).filter((squares) => squares !== undefined);
  const free = sumOf(first.map((squares) => squares.free));
  const within = sumOf(first.map(({ sum }) => sum)) / Math.max(1, free);
  const places = new Int32Array(groups.length).fill(-1);
  const estimates: HostEstimate[] = [];
  groups.forEach((group, i) => {
    const estimate = estimateOf(group, within);
    if (estimate !== undefined) places[i] = estimates.push(estimate) - 1;
  });
  return { fit: fitMeans(estimates), values: estimates.map(({ value }) => value), places };
}

/** Logarithm of bytes per second: all bytes over all time, so that transfers take as long in sum as they did. */
function bandwidthOf(group: readonly Observation[], within: number): OwnEstimate | undefined {
  const paced = group.flatMap((download) => {
    const { bytes, transferUs = 0 } = download;
    return isTimed(download) && bytes >= MIN_PACED_BYTES && transferUs > 0 ? [{ bytes, transferUs }] : [];
  });
  const us = sumOf(paced.map(({ transferUs }) => transferUs));
  if (us === 0) return undefined;
  const value = log(1e6 * sumOf(paced.map(({ bytes }) => bytes)) / us);
  const weights = sumOf(paced.map(({ transferUs }) => (transferUs / us) ** 2));
  const sum = sumOf(paced.map(({ bytes, transferUs }) =>
    paced.length * transferUs / us * (log(1e6 * bytes / transferUs) - value) ** 2));
  return { value, variance: within * weights, squares: { sum, free: paced.length - 1 } };
}

function connectionOf(group: readonly Observation[], within: number): OwnEstimate | undefined {
  const values = group.filter(isAnswered).flatMap(({ connectUs }) =>
    connectUs === undefined ? [] : [log(Math.max(1, connectUs) / 1000)]);
  if (values.length === 0) return undefined;
  const value = sumOf(values) / values.length;
  const sum = sumOf(values.map((figure) => (figure - value) ** 2));
  return { value, variance: within / values.length, squares: { sum, free: values.length - 1 } };
}

function factorOf({ fit, places }: PartialFit, host: number): number | undefined {
  return places[host] < 0 ? undefined : exp(fit.hosts[places[host]] - fit.mean);
}

function distributions(
  latency: LatencyFit, bandwidth: MeansFit, connection: MeansFit, observations: readonly Observation[],
) {
  const sizes = logSizes(observations);
  const { mean, deviation } = moments(sizes);
  const waits = observations.filter(({ kind }) => kind === 'timeout').map(({ durationUs }) => durationUs / 1000);
  return {
    latencyMs: exp(latency.mean), latencySigma: latency.between, latencyJitterSigma: latency.within,
    bandwidthBytesPerSecond: bandwidth.hosts.length === 0 ? 0 : exp(bandwidth.mean),
    bandwidthSigma: bandwidth.deviation,
    // What downloads took from one another on the crawler's own line is in the rates of hosts.
    processorBandwidthBytesPerSecond: 0, bandwidthModel: 'fixed' as const,
    // A look-up counts as part of the connection that waited for it.
    dnsMs: 0, connectMs: connection.hosts.length === 0 ? 0 : exp(connection.mean),
    keepAliveSeconds: keepAliveSeconds(observations),
    pageBytes: sizes.length === 0 ? 0 : exp(mean), pageBytesSigma: deviation,
    timeoutMs: waits.length === 0 ? TIMEOUT_MS : median(waits),
  };
}

function logSizes(observations: readonly Observation[]): number[] {
  return observations.filter(({ kind, bytes }) => kind === 'fetched' && bytes > 0).map(({ bytes }) => log(bytes));
}

/** The idle time that best separates connections that were still open from those that had to be opened again. */
function keepAliveSeconds(observations: readonly Observation[]): number {
  const ends = new Map<string, number>();
  const pauses: { readonly us: number; readonly isOpen: boolean }[] = [];
  for (const observation of [...observations].sort((a, b) => a.startUs - b.startUs)) {
    if (observation.durationUs === 0) continue;
    const endUs = ends.get(observation.host);
    if (isAnswered(observation) && endUs !== undefined)
      pauses.push({ us: Math.max(0, observation.startUs - endUs), isOpen: observation.connectUs === undefined });
    if (isAnswered(observation)) ends.set(observation.host, observation.startUs + observation.durationUs);
    else ends.delete(observation.host);
  }
  pauses.sort((a, b) => a.us - b.us);
  // Errors if every pause up to here leaves the connection open, and no longer one.
  let errors = pauses.filter(({ isOpen }) => isOpen).length;
  let best = { errors, us: 0 };
  for (const { us, isOpen } of pauses) {
    errors += isOpen ? -1 : 1;
    if (errors < best.errors) best = { errors, us };
  }
  const isEverClosed = pauses.some(({ us, isOpen }) => !isOpen && us > best.us);
  return isEverClosed || best.us === 0 ? best.us / 1e6 : Math.max(best.us / 1e6, MIN_KEEP_ALIVE_SECONDS);
}

/** Share of a host's time-outs that page requests have: simulated robots.txt files never time out. */
function shareForPages(group: readonly Observation[]): number {
  const timeouts = group.filter(({ kind }) => kind === 'timeout');
  return timeouts.filter(isAttempt).length / Math.max(1, timeouts.length);
}

/** Requests for pages that a host was asked for, and those that failed for now. */
function failuresOf(group: readonly Observation[], losses: number): { failures: number; requests: number } {
  const attempts = group.filter(isAttempt);
  const failures = attempts.filter(({ kind }) => kind === 'refused' || kind === 'serverError').length + losses;
  return { failures, requests: attempts.length };
}

const isAttempt = ({ isForRobotsTxt, kind }: Observation): boolean => !isForRobotsTxt && kind !== 'robotsDenied';

function failureShares(observations: readonly Observation[], losses: readonly number[]) {
  const attempts = observations.filter(isAttempt);
  const count = (kind: Observation['kind']): number => attempts.filter((attempt) => attempt.kind === kind).length;
  const share = (of: number): number => of / Math.max(1, attempts.length);
  const errors = attempts.filter(({ kind }) => kind === 'serverError');
  const pauses = errors.filter(({ pauseUs }) => pauseUs > 0).map(({ pauseUs }) => pauseUs / 1e6);
  const bodies = attempts.filter(({ kind }) => kind === 'serverError' || kind === 'notFound').map(({ bytes }) => bytes);
  const answered = count('fetched') + count('notFound') + count('rejected');
  return {
    refusedShare: share(count('refused')), serverErrorShare: share(errors.length),
    timeoutShare: share(sumOf(losses)),
    notFoundShare: (answered - count('fetched')) / Math.max(1, answered),
    errorBytes: bodies.length === 0 ? 0 : median(bodies),
    retryAfterShare: pauses.length / Math.max(1, errors.length),
    retryAfterSeconds: pauses.length === 0 ? 0 : median(pauses),
  };
}

function robotsShares(
  observations: readonly Observation[], groups: readonly (readonly Observation[])[], delays: readonly number[],
) {
  const answers = observations.filter(({ isForRobotsTxt, kind }) => isForRobotsTxt && kind === 'robotsFetched');
  const withFile = groups.filter((group) => group.some(({ isForRobotsTxt }) => isForRobotsTxt)).length;
  const set = delays.filter((seconds) => seconds > 0);
  const denied = observations.filter(({ kind }) => kind === 'robotsDenied').length;
  const pages = observations.filter(({ kind }) => kind === 'fetched' || kind === 'notFound').length + denied;
  return {
    robotsTxtShare: withFile / groups.length,
    robotsTxtBytes: answers.length === 0 ? 0 : median(answers.map(({ bytes }) => bytes)),
    crawlDelayShare: set.length / Math.max(1, withFile), crawlDelaySeconds: set.length === 0 ? 0 : median(set),
    deniedShare: denied / Math.max(1, pages),
  };
}

/** The delay that the host asks for in its robots.txt, or with every answer. */
function crawlDelaySeconds(group: readonly Observation[]): number {
  const delayUs = group.find(({ isForRobotsTxt, kind }) => isForRobotsTxt && kind === 'robotsFetched')?.pauseUs ?? 0;
  return delayUs / 1e6;
}

/** What each page turned out to be in the end; those that only failed are unknown. */
function pagesOf(observations: readonly Observation[]): Map<string, KnownPage> {
  const pages = new Map<string, KnownPage>();
  for (const { host, path, kind, isForRobotsTxt } of observations) {
    if (isForRobotsTxt) continue;
    if (kind === 'fetched' || kind === 'robotsDenied') pages.set(host + path, kind);
    else if (kind === 'notFound' || kind === 'rejected') pages.set(host + path, 'notFound');
  }
  return pages;
}

function countsOf(
  requests: readonly Observation[], hosts: number, pages: ReadonlyMap<string, KnownPage>, { lost }: LatencyFit,
): FitCounts {
  const count = (kind: Observation['kind']): number => requests.filter((request) => request.kind === kind).length;
  const timeouts = count('timeout');
  const answers = requests.filter(isAnswered);
  const separatedBySizes = answers.filter(({ latencyUs }) => latencyUs === undefined).length;
  return {
    requests: requests.filter(({ durationUs }) => durationUs > 0).length, hosts, pages: pages.size,
    fetched: count('fetched'), timeouts, late: timeouts - sumOf(lost),
    refused: count('refused'), serverErrors: count('serverError'),
    notFound: count('notFound') + count('rejected'), denied: count('robotsDenied'), robotsTxt: count('robotsFetched'),
    isSeparated: separatedBySizes === 0, answers: answers.length, separatedBySizes,
  };
}

function goodness(
  groups: readonly (readonly Observation[])[], latency: LatencyFit, bandwidth: PartialFit, connection: PartialFit,
  observations: readonly Observation[],
): NetworkFit['goodness'] {
  const residuals = groups.flatMap((group, i) => group.filter(isTimed).map(({ latencyUs = 0 }) =>
    (log(Math.max(1, latencyUs) / 1000) - latency.hosts[i]) / latency.within));
  const timeouts = observations.filter(({ kind }) => kind === 'timeout').length;
  const answering = [...latency.hosts].filter((_, i) => groups[i].some(isTimed));
  const sizes = logSizes(observations);
  const size = moments(sizes);
  const ofHosts = ({ values, fit }: PartialFit) => goodnessOf(values, fit.mean, fit.deviation);
  return {
    requestLatency: goodnessOf(residuals, 0, 1, timeouts - sumOf(latency.lost)),
    hostLatency: goodnessOf(answering, latency.mean, latency.between),
    hostBandwidth: ofHosts(bandwidth), hostConnection: ofHosts(connection),
    pageSize: goodnessOf(sizes, size.mean, size.deviation),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function rounded<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).map(([name, value]) =>
    [name, typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value])) as T;
}
