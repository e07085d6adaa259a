import type { SettledExperiment } from '../../src/core/settings/index.ts';
import { everyRow, type RunResult } from '../../src/core/measure/index.ts';
import { addressNames } from '../../src/core/simulation/index.ts';
import type { Case } from './case.ts';
import { hold, isTransient } from './model.ts';
import type { Life, Watch } from './watched.ts';

// What must hold of any crawl, however its scheduler decides: read off the network's side (starts and ends as the
// Worlds saw them), the record and the graph. No model is needed, and none is used.

/** A request as the World saw it. */
interface Visit {
  readonly page: number;
  readonly processor: number;
  /** Which life of its processor, that is, how many crashes came before. */
  readonly life: number;
  readonly attempt: number;
  readonly startedUs: number;
  /** When it ended, or was broken off by a crash; Infinity where it was open at the end of the run. */
  endedUs: number;
  /** Absent where it was broken off; `busy` where nobody was asked, since the address was not free. */
  kind?: string;
  waitUs: number;
}

type Result = RunResult<SettledExperiment>;

/** All visits, in the order in which each processor started them. Checks clocks and robots on the way. */
function visitsOf(lives: readonly (readonly Life[])[], robots: number): Visit[] {
  const visits: Visit[] = [];
  lives.forEach((ofProcessor, processor) => {
    let nowUs = 0;
    ofProcessor.forEach(({ seen, world }, life) => {
      const open = new Map<number, Visit>();
      for (const event of seen) {
        if (event.what === 'start') {
          const { page, attempt, atUs } = event;
          hold(!open.has(page), () => `page ${page} was started while it was under way`);
          hold(atUs >= nowUs, () => `the clock of processor ${processor} fell from ${nowUs} to ${atUs} us`);
          nowUs = atUs;
          const visit = { page, processor, life, attempt, startedUs: atUs, endedUs: Infinity, waitUs: 0 };
          open.set(page, visit);
          visits.push(visit);
          hold(
            open.size <= robots,
            () => `processor ${processor} had ${open.size} downloads open, with ${robots} robots`,
          );
        } else if (event.what === 'next') {
          hold(event.fromUs >= nowUs && event.toUs >= event.fromUs, () =>
            `the clock of processor ${processor} fell to ${event.fromUs} or ${event.toUs} us`);
          nowUs = event.toUs;
          if (event.outcome === undefined) continue;
          const { page, kind, startedAtUs, finishedAtUs, waitUs } = event.outcome;
          const visit = open.get(page);
          hold(visit?.startedUs === startedAtUs && finishedAtUs >= startedAtUs && finishedAtUs <= nowUs, () =>
            `page ${page} ended at ${finishedAtUs} us, and did not run then`);
          Object.assign(visit, { kind, waitUs, endedUs: finishedAtUs });
          open.delete(page);
        }
      }
      if (life < ofProcessor.length - 1) for (const visit of open.values()) visit.endedUs = world.nowUs;
    });
  });
  return visits;
}

function groupBy<T>(items: readonly T[], of: (item: T) => number): T[][] {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(of(item));
    if (group === undefined) groups.set(of(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/**
 * One download at a time on a host, by one processor, and its delay observed: politeness always, also across a crash;
 * the pause that it asked for, and back-off.
 */
function checkHosts({ graph }: Case, experiment: SettledExperiment, visits: readonly Visit[]): void {
  for (const ofHost of groupBy(visits, ({ page }) => graph.hosts.ofPage[page])) {
    let failures = 0;
    let counted: Visit | undefined;
    ofHost.sort((a, b) => a.life - b.life || a.startedUs - b.startedUs || a.endedUs - b.endedUs).reduce((last, next) => {
      hold(
        last.processor === next.processor,
        () => `pages ${last.page} and ${next.page} of one host lie on two processors`,
      );
      if (last.life < next.life) failures = 0;
      else if (last !== counted && last.kind !== 'busy') failures = isTransient(last.kind ?? '') ? failures + 1 : 0;
      counted = last;
      const backoffMs =
        failures === 0 ? 0 : Math.min(experiment.maxBackoffMs, experiment.backoffMs * 2 ** (failures - 1));
      // With patience, what is left of it bounds the rests of a host that does not answer: the model knows by how much.
      const { hostPatienceMs } = experiment;
      const isBounded = hostPatienceMs > 0 && last.kind !== 'serverError';
      const leastMs = isBounded ? 0 : Math.min(backoffMs, hostPatienceMs > 0 ? hostPatienceMs / 5 : Infinity);
      const restUs = last.life < next.life ? 0 : Math.max(last.waitUs, Math.floor(1000 * leastMs));
      const readyUs = last.endedUs + Math.max(Math.round(1000 * experiment.politenessMs), restUs);
      hold(next.startedUs >= readyUs, () =>
        `page ${next.page} was started at ${next.startedUs} us; its host was to be left alone until ${readyUs} us`);
      // Where nobody was asked, the host owes nothing for it.
      return next.kind === 'busy' && last.life === next.life ? last : next;
    });
  }
}

/**
 * The network's own log has every visit that came to an end, and politeness holds in it by itself, whoever made the
 * visits.
 */
function checkLog(
  { graph }: Case, { politenessMs, network, seed }: SettledExperiment, watch: Watch, visits: readonly Visit[],
): void {
  const logged = watch.visits.flatMap((ofProcessor, processor) =>
    ofProcessor.map((visit) => ({ ...visit, processor })),
  );
  const shown = (...visit: readonly number[]): string => visit.join();
  const own = visits.filter(({ endedUs }) => endedUs < Infinity)
    .map((visit) => shown(visit.processor, visit.page, visit.startedUs, visit.endedUs));
  const theirs = logged.map((visit) => shown(visit.processor, visit.page, visit.startedAtUs, visit.finishedAtUs));
  hold(own.sort().join(' ') === theirs.sort().join(' '), () =>
    `the network's log has ${theirs.length} visits, not the ${own.length} that there were`);
  for (const ofHost of groupBy(logged, ({ page }) => graph.hosts.ofPage[page])) {
    ofHost.sort((a, b) => a.startedAtUs - b.startedAtUs || a.finishedAtUs - b.finishedAtUs).reduce((last, next) => {
      hold(
        next.startedAtUs >= last.finishedAtUs + Math.round(1000 * politenessMs),
        () =>
          `the log has page ${next.page} at ${next.startedAtUs} us, and page ${last.page} of the same host until ${last.finishedAtUs} us`,
      );
      return next;
    });
  }
  if (network.addressDelayMs === 0) return;
  const addressOf = addressNames(graph.hosts.count, network.hostsPerAddress, seed);
  const asked = logged.filter(({ kind }) => kind !== 'busy');
  const addresses = [...new Set(asked.map(({ page }) => addressOf(graph.hosts.ofPage[page])))];
  for (const ofAddress of groupBy(asked, ({ page }) => addresses.indexOf(addressOf(graph.hosts.ofPage[page])))) {
    ofAddress.sort((a, b) => a.startedAtUs - b.startedAtUs || a.finishedAtUs - b.finishedAtUs).reduce((last, next) => {
      hold(
        next.startedAtUs >= last.finishedAtUs + Math.round(1000 * network.addressDelayMs),
        () => `the log has pages ${last.page} and ${next.page} of one address at ${last.finishedAtUs} and ${next.startedAtUs} us`,
      );
      return next;
    });
  }
}

/** Pages known at the end: seed pages, and what the pages fetched link to. */
function reachedFrom({ graph }: Case, { seedPages }: SettledExperiment, isFetched: ReadonlySet<number>): Set<number> {
  const reached = new Set(seedPages);
  for (const page of reached) {
    if (!isFetched.has(page)) continue;
    for (const link of graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])) reached.add(link);
  }
  return reached;
}

/**
 * A page is tried until it is fetched, fails for good, or its tries are used up; not again afterwards, unless that was
 * lost in a crash.
 */
function checkTries(
  given: Case, { run: { experiment, summary }, events, hostsGivenUp = [] }: Result, visits: readonly Visit[],
): void {
  const isFetched = new Set(events.order);
  const isDenied = new Set(denialsOf(events).map(({ page }) => page));
  const isGivenUp = new Set(hostsGivenUp.map(({ host }) => host));
  // What a crash made unknown again need not be tried again.
  const reached = summary.ended === 'frontier dry' ? reachedFrom(given, experiment, isFetched) : new Set<number>();
  for (const ofPage of groupBy(visits, ({ page }) => page)) {
    const { page } = ofPage[0];
    for (const tries of groupBy(ofPage, ({ life }) => life)) {
      const first = tries[0].attempt;
      hold(first === 0 || tries[0].life > 0, () => `page ${page} was first started as try ${first}`);
      const kinds = tries.map(({ kind }) => kind ?? 'broken off');
      for (const kind of kinds.slice(0, -1)) {
        hold(isTransient(kind) || kind === 'robotsFetched' || kind === 'busy', () => `page ${page} was ${kind}, and started again`);
      }
      // With patience, other failures may have been those of the host.
      const isOwn = (kind: string): boolean =>
        experiment.hostPatienceMs > 0 ? kind === 'serverError' : isTransient(kind);
      const failed = kinds.filter(isOwn).length;
      hold((experiment.hostPatienceMs > 0 ? 0 : first) + failed <= experiment.retries + 1, () =>
        `page ${page} was tried ${first + failed} times, with ${experiment.retries} retries`);
      tries.reduce((attempt, visit) => {
        hold(visit.attempt === attempt, () => `page ${page} was started as try ${visit.attempt}, after ${attempt}`);
        return attempt + (isTransient(visit.kind ?? '') ? 1 : 0);
      }, first);
    }
    const last = ofPage[ofPage.length - 1];
    const tries = last.attempt + 1;
    const mayRetry = isTransient(last.kind ?? 'timeout') || last.kind === 'robotsFetched' || last.kind === 'busy';
    const hasEnded = isFetched.has(page) || isDenied.has(page) || isGivenUp.has(given.graph.hosts.ofPage[page]);
    hold(!reached.has(page) || hasEnded || !mayRetry || tries > experiment.retries,
      () => `page ${page} was given up after ${tries} tries, with ${experiment.retries} retries`);
  }
}

/**
 * Nothing is fetched that was not known: a seed page, or linked from a page that ended earlier, on another processor a
 * barrier earlier.
 */
function checkKnown({ graph }: Case, { run: { experiment }, events }: Result, visits: readonly Visit[]): void {
  const barriers = [...new Set(events.rows.map(({ barrierUs }) => barrierUs))].sort((a, b) => a - b);
  const processorOf = new Map(visits.map(({ page, processor }) => [page, processor]));
  const knownUs = new Map(experiment.seedPages.map((page) => [page, 0]));
  for (const { page, processor, kind, endedUs } of visits) {
    if (kind !== 'fetched') continue;
    for (const link of graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])) {
      const atUs =
        processorOf.get(link) === processor
          ? endedUs
          : (barriers.find((barrierUs) => barrierUs >= endedUs) ?? Infinity);
      knownUs.set(link, Math.min(knownUs.get(link) ?? Infinity, atUs));
    }
  }
  for (const { page, startedUs } of visits) {
    hold((knownUs.get(page) ?? Infinity) <= startedUs, () => `page ${page} was started before a link to it was known`);
  }
}

/** Pages that rules denied, with a turn of their host or without. */
function denialsOf({ failures }: Result['events']): Result['events']['failures'] {
  return failures.filter(({ kind }) => kind === 'robotsDenied');
}

/** A page is denied once, takes no time, and is nothing else afterwards; a crash may have it denied again. */
function checkDenials({ run: { experiment }, events }: Result, visits: readonly Visit[]): void {
  const crashed = events.crashes.length > 0;
  const denials = denialsOf(events);
  hold(crashed || new Set(denials.map(({ page }) => page)).size === denials.length, () => 'a page was denied twice');
  const deniedUs = new Map(denials.map(({ page, startedUs }) => [page, startedUs]));
  for (const { page, startedUs, finishedUs } of denials)
    hold(startedUs === finishedUs, () => `the denial of page ${page} took ${finishedUs - startedUs} us`);
  for (const { page, kind, startedUs } of visits) {
    const isFree = experiment.deniedCost === 'none';
    hold(!isFree || kind !== 'robotsDenied', () => `page ${page} was asked for at ${startedUs} us, and denied`);
    hold(crashed || !isFree || startedUs <= (deniedUs.get(page) ?? Infinity), () =>
      `page ${page} was denied, and started again at ${startedUs} us`);
  }
}

/** No host and no address that hosts share can answer sooner: one request at a time, with a delay after each. */
function leastSeconds(graph: Case['graph'], { run: { experiment }, events }: Result): number {
  const { network: { addressDelayMs, hostsPerAddress }, politenessMs, deniedCost, seed } = experiment;
  const addressOf = addressNames(graph.hosts.count, hostsPerAddress, seed);
  const places = new Map<string, { us: number; readonly hosts: Set<number> }>();
  const add = (name: string, host: number, durationUs: number, delayMs: number): void => {
    const place = places.get(name);
    if (place === undefined) places.set(name, { us: durationUs, hosts: new Set([host]) });
    else {
      place.us += Math.round(1000 * delayMs) + durationUs;
      place.hosts.add(host);
    }
  };
  const addTurn = (page: number, us: number, isAnswer: boolean): void => {
    const host = graph.hosts.ofPage[page];
    add(`host ${host}`, host, us, politenessMs);
    if (addressDelayMs > 0 && isAnswer) add(addressOf(host), host, 0, addressDelayMs);
  };
  events.order.forEach((page, i) => { addTurn(page, events.times[2 * i + 1] - events.times[2 * i], true); });
  for (const { page, kind, startedUs, finishedUs } of events.failures) {
    const isTurn = kind !== 'busy' && (kind !== 'robotsDenied' || deniedCost === 'delay');
    if (isTurn) addTurn(page, finishedUs - startedUs, kind === 'notFound' || kind === 'serverError');
  }
  const deciding = [...places].filter(([name, { hosts }]) => name.startsWith('host') || hosts.size > 1);
  return Math.max(0, ...deciding.map(([, { us }]) => us)) / 1e6;
}

/**
 * No page is lost and none fetched twice: at the end of a dry crawl, every page that the pages fetched lead to was
 * fetched or given up.
 */
function checkPages(
  given: Case, { run: { experiment, summary }, events, hostsGivenUp = [] }: Result, visits: readonly Visit[],
): void {
  const { order, times } = events;
  const isFetched = new Set(order);
  hold(isFetched.size === order.length, () => `${order.length - isFetched.size} pages were fetched twice`);
  hold(summary.pagesFetched === order.length, () => 'the summary counts other pages');
  const endedUs = new Map([...order].map((page, i) => [page, times[2 * i + 1]]));
  for (const { page, startedUs } of visits) {
    hold(startedUs <= (endedUs.get(page) ?? Infinity), () => `page ${page} was started again after it was fetched`);
  }
  hold(order.length <= (experiment.maxPages ?? Infinity), () =>
    `${order.length} pages were fetched, of ${experiment.maxPages ?? 0} asked for`);
  const { maxPages = Infinity, maxSeconds = Infinity } = experiment;
  hold(
    summary.ended !== 'page limit' || order.length === maxPages,
    () => `${order.length} pages were fetched, not ${maxPages}`,
  );
  hold(
    summary.ended !== 'time limit' || summary.virtualSeconds >= maxSeconds,
    () => 'the crawl ended before its time was up',
  );
  if (summary.ended !== 'frontier dry') return;
  const reached = reachedFrom(given, experiment, isFetched);
  const isVisited = new Set([...visits, ...denialsOf(events)].map(({ page }) => page));
  const isGivenUp = new Set(hostsGivenUp.map(({ host }) => host));
  for (const page of reached) {
    hold(isVisited.has(page) || isGivenUp.has(given.graph.hosts.ofPage[page]), () =>
      `page ${page} was known, and never asked for`);
  }
  hold(summary.pagesFailed === reached.size - order.length, () =>
    `${summary.pagesFailed} pages failed, of ${reached.size} known and ${order.length} fetched`);
}

function checkRows({ graph }: Case, result: Result): void {
  const { run: { experiment, summary }, events } = result;
  const { processors, robots, superstepLimit = 0 } = experiment;
  const rows = [...everyRow(events, experiment)];
  let beforeUs = 0;
  rows.forEach((row, i) => {
    const { superstep, processor, barrierUs, pages, failures, drained, denied, busyUs, stalledUs, noJobUs } = row;
    const { barrierWaitUs } = row;
    hold(processor === i % processors && superstep === Math.floor(i / processors), () =>
      `row ${i} is of superstep ${superstep}, processor ${processor}`);
    hold(processor === 0 ? barrierUs >= beforeUs : barrierUs === rows[i - 1].barrierUs, () =>
      `the barrier of superstep ${superstep} is not one, or falls`);
    hold(pages + failures - drained - denied <= superstepLimit, () =>
      `processor ${processor} observed ${pages + failures - drained - denied} outcomes in superstep ${superstep}`);
    hold(busyUs + stalledUs + noJobUs + barrierWaitUs === robots * (barrierUs - beforeUs), () =>
      `robot time of superstep ${superstep} does not add up`);
    if (processor === processors - 1) beforeUs = barrierUs;
  });
  hold(
    rows.reduce((sum, { pages }) => sum + pages, 0) === events.order.length,
    () => 'the rows do not add up to the pages fetched',
  );
  const bound = leastSeconds(graph, result);
  hold(
    summary.lowerBoundSeconds === bound && bound <= summary.virtualSeconds,
    () =>
      `the lower bound is ${summary.lowerBoundSeconds} s, by another count ${bound} s, and the crawl took ${summary.virtualSeconds} s`,
  );
}

/** Checks a watched crawl. Throws Broken for the first thing that does not hold. */
export function check(given: Case, watch: Watch, result: Result): void {
  const { experiment } = result.run;
  const visits = visitsOf(watch.lives, experiment.robots);
  checkLog(given, experiment, watch, visits);
  checkHosts(given, experiment, visits);
  checkKnown(given, result, visits);
  checkTries(given, result, visits);
  checkPages(given, result, visits);
  checkDenials(result, visits);
  checkRows(given, result);
}
