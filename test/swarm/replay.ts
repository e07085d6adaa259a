import type { SettledExperiment } from '../../src/core/settings/index.ts';
import type { Crash, SuperstepRow } from '../../src/core/events/index.ts';
import { everyRow, type RunResult } from '../../src/core/measure/index.ts';
import { Crashes } from '../../src/core/simulation/index.ts';
import type { Outcome } from '../../src/core/world/index.ts';
import type { Case } from './case.ts';
import { hold, ModelProcessor, type Message } from './model.ts';
import { rulesOf } from './rules.ts';
import type { Entry, Life, Seen } from './watched.ts';

// The crawl again, decision by decision: what Worlds and queues saw goes to a model of each processor, superstep by
// superstep, as the paper's main loop has it. Then the record must be what the model counted.

/** The part of a row that does not depend on how a queue works inside. */
const columns = [
  'superstep', 'processor', 'barrierUs', 'pages', 'failures', 'retried', 'drained', 'bytes', 'extracted', 'stale',
  'inserted', 'reinserted', 'crossLinks', 'pairsSent', 'pairsReceived', 'messagesSent', 'messagesReceived', 'busyUs',
  'stalledUs', 'noJobUs', 'barrierWaitUs', 'queued', 'pending', 'inFlight',
  'superstepLimit', 'pendingTarget', 'denied', 'dropped', 'rekeyed',
] as const satisfies readonly (keyof SuperstepRow)[];
type Row = Pick<SuperstepRow, (typeof columns)[number]>;

/** A crawl that so many crashes took back to one checkpoint is given up: src/DECISIONS.md says why. */
const crashesInVain = 100;

/** An outcome that was observed. */
interface Observed {
  readonly processor: number;
  readonly outcome: Outcome;
  kind: string;
}

/** Messages by sending processor. */
type Mail = Map<number, Message[]>;
const noTraffic = () => ({ pairsSent: 0, pairsReceived: 0, messagesSent: 0, messagesReceived: 0 });
const noMail = (): Mail => new Map<number, Message[]>();

/** A processor under replay: its model, and how far the events of its life were read. */
class Replayed {
  readonly model: ModelProcessor;
  readonly observed: Observed[] = [];
  readonly #lives: readonly Life[];
  #life = 0;
  #position = 0;
  open = 0;
  nowUs = 0;
  /** The clock of its World, which stays behind while the processor is at rest. */
  worldUs = 0;
  /** Whether it did nothing in the last superstep, and has nothing to do in this one. */
  didNothing = false;
  isAtRest = false;
  time = { busyUs: 0, stalledUs: 0, noJobUs: 0, barrierWaitUs: 0 };

  constructor(model: ModelProcessor, lives: readonly Life[]) {
    this.model = model;
    this.#lives = lives;
  }

  get event(): Seen | undefined {
    return this.#lives[this.#life].seen[this.#position];
  }

  /** Takes the next event, which must be one of `what`. */
  take<W extends Seen['what']>(what: W): Extract<Seen, { what: W }> {
    const { event } = this;
    hold(
      event?.what === what,
      () => `processor ${this.model.id} did ${event?.what ?? 'nothing'} where ${what} was due`,
    );
    this.#position++;
    return event as Extract<Seen, { what: W }>;
  }

  /** A crash ended the life; all that it saw must have been replayed. */
  nextLife(nowUs: number): void {
    hold(this.event === undefined, () => `processor ${this.model.id} went on after the crash`);
    this.#life++;
    this.#position = 0;
    this.open = 0;
    this.nowUs = nowUs;
    this.worldUs = nowUs;
    this.didNothing = false;
  }

  /** A superstep begins, or a barrier rouses it: its clock catches up. */
  goOn(): void {
    const { event } = this;
    if (this.worldUs === this.nowUs || event?.what !== 'next' || event.untilUs !== this.nowUs) return;
    const { fromUs, toUs, outcome } = this.take('next');
    hold(
      fromUs === this.worldUs && toUs === this.nowUs && outcome === undefined,
      () => `processor ${this.model.id} went on at ${toUs} us, not at ${this.nowUs} us`,
    );
    this.worldUs = toUs;
  }

  /** What it put into its queue; nothing is put there where there is nothing to put. */
  insertions(): readonly Entry[] {
    return this.event?.what === 'insert' ? this.take('insert').entries : [];
  }

  spend(us: number, robots: number, idle: 'stalledUs' | 'noJobUs' | 'barrierWaitUs'): void {
    this.time.busyUs += us * this.open;
    this.time[idle] += us * (robots - this.open);
  }

  observe(outcome: Outcome): void {
    this.model.observe(outcome);
    this.observed.push({ processor: this.model.id, outcome, kind: outcome.kind });
  }
}

/** Replays a watched crawl against the model, and compares the record with it. Throws Broken where they part. */
export function replay(
  given: Case, lives: readonly (readonly Life[])[], result: RunResult<SettledExperiment>, processorOfHost: Uint32Array,
): void {
  const { events, run: { experiment, summary } } = result;
  const { processors: count, robots } = experiment;
  const rules = rulesOf(given, experiment, processorOfHost);
  const processors = Array.from({ length: count }, (_, id) => new Replayed(new ModelProcessor(id, rules), lives[id]));
  const models = processors.map(({ model }) => model);
  const maxUs = experiment.maxSeconds === undefined ? Infinity : Math.round(1e6 * experiment.maxSeconds);
  const superstepUs = experiment.superstepMs === 0 ? Infinity : Math.round(1000 * experiment.superstepMs);
  const maxPages = experiment.maxPages ?? Infinity;
  const restartUs = Math.max(1, Math.round(1e6 * experiment.network.restartSeconds));
  const moments = crashMoments(experiment, events.rows[events.rows.length - 1].barrierUs);
  const crashes: Crash[] = [];
  const supersteps = summary.supersteps;
  const rows: Row[] = [];
  let mail: Mail[] = processors.map(noMail);
  let barrierUs = 0;
  let checkpoint: Saved | undefined;

  const ending = (): string | undefined => {
    if (models.every((model) => model.isIdle) && mail.every((pairs) => pairs.size === 0)) return 'frontier dry';
    if (models.reduce((sum, model) => sum + model.count('fetched'), 0) >= maxPages) return 'page limit';
    if (barrierUs >= maxUs) return 'time limit';
    return (checkpoint?.crashes ?? 0) >= crashesInVain ? 'no progress' : undefined;
  };
  for (let superstep = 0; superstep < supersteps; superstep++) {
    hold(
      superstep === 0 || ending() === undefined,
      () => `the crawl went on at superstep ${superstep}, after ${ending() ?? ''}`,
    );
    const shares = sharesOf(models, mail, maxPages);
    for (const processor of processors) {
      const { model } = processor;
      processor.time = { busyUs: 0, stalledUs: 0, noJobUs: 0, barrierWaitUs: 0 };
      processor.isAtRest = processor.didNothing && model.isIdle && mail[model.id].size === 0;
      processor.goOn();
      for (const outcome of model.drained)
        processor.observed.push({ processor: model.id, outcome, kind: outcome.kind });
      model.receive([...mail[model.id]].sort(([a], [b]) => a - b).flatMap(([, messages]) => messages));
      model.inserted(processor.insertions());
    }
    mail = processors.map(noMail);
    const isDue = checkpoint === undefined
      || (experiment.checkpointSupersteps > 0 && superstep - checkpoint.superstep >= experiment.checkpointSupersteps);
    if (experiment.network.crashSeconds > 0 && isDue) {
      checkpoint = {
        superstep, saved: models.map((model) => model.save()), counts: models.map((model) => ({ ...model.counts })),
        crashes: 0, rows: rows.length, observed: processors.map(({ observed }) => observed.length),
      };
    }

    const beganUs = barrierUs;
    const ahead = moments.filter(({ atUs }) => atUs > beganUs);
    for (const processor of processors) {
      const crashUs = ahead.find((crash) => crash.processor === processor.model.id)?.atUs ?? Infinity;
      const endUs = Math.min(barrierUs + superstepUs, maxUs, crashUs);
      runPhase(processor, experiment, endUs, shares[processor.model.id]);
    }
    const arrivedUs = Math.max(...processors.map(({ nowUs }) => nowUs));
    const traffic = processors.map(noTraffic);
    for (const { model } of processors) {
      for (const [to, messages] of model.send()) {
        mail[to].set(model.id, messages);
        const pairs = messages.reduce((sum, message) => sum + message.pairs.size, 0);
        traffic[model.id].pairsSent += pairs;
        traffic[to].pairsReceived += pairs;
        traffic[model.id].messagesSent += messages.length;
        traffic[to].messagesReceived += messages.length;
      }
    }
    const maxPairs = Math.max(...traffic.flatMap(({ pairsSent, pairsReceived }) => [pairsSent, pairsReceived]));
    const maxMessages = Math.max(...traffic.flatMap((one) => [one.messagesSent, one.messagesReceived]));
    const { barrierUs: leastUs, pairUs, messageUs } = experiment;
    const costUs = Math.ceil(leastUs + pairUs * maxPairs + messageUs * maxMessages);
    const firstUs = ahead.at(0)?.atUs ?? Infinity;
    const isLost = firstUs <= arrivedUs + costUs;
    barrierUs = arrivedUs + costUs;
    if (isLost) {
      hold(checkpoint !== undefined, () => 'there is no checkpoint to go back to');
      const met: Omit<Crash, 'resumedUs'>[] = [];
      const noticedUs = Math.max(arrivedUs, firstUs);
      barrierUs = noticedUs + restartUs;
      for (const { processor, atUs } of ahead) {
        const isGivenUp = barrierUs >= maxUs || checkpoint.crashes >= crashesInVain;
        if (atUs > noticedUs && (atUs > barrierUs || isGivenUp)) break;
        met.push({ superstep, processor, atUs });
        checkpoint.crashes++;
        barrierUs = Math.max(noticedUs, atUs) + restartUs;
      }
      crashes.push(...met.map((crash) => ({ ...crash, resumedUs: barrierUs })));
      for (const processor of processors) processor.time.barrierWaitUs += (barrierUs - processor.nowUs) * robots;
      for (const { model } of processors) traffic[model.id] = noTraffic();
      mail = processors.map(noMail);
    } else {
      for (const processor of processors) drainPhase(processor, barrierUs, robots);
      if (rules.isOpic) holdCoins(models, mail);
    }
    for (const processor of processors) {
      const { model, open, time } = processor;
      const { pages, failures, inserted, extracted } = model.counts;
      processor.didNothing = pages + failures + inserted + extracted === 0;
      rows.push({
        superstep, processor: model.id, barrierUs, ...model.counts, ...traffic[model.id], ...time,
        queued: model.count('queued'), pending: model.count('pending') + model.count('denied'),
        inFlight: open + model.drained.length,
        superstepLimit: experiment.superstepLimit ?? 0, pendingTarget: model.target,
      });
      const { busyUs, stalledUs, noJobUs, barrierWaitUs } = time;
      model.ended(busyUs + stalledUs + noJobUs + barrierWaitUs, stalledUs);
    }
    if (isLost && checkpoint !== undefined) goBack(processors, checkpoint, rows, barrierUs);
  }
  hold(summary.ended === ending(), () => `the crawl ended with ${summary.ended}, not ${ending() ?? 'not at all'}`);
  hold(JSON.stringify(crashes) === JSON.stringify(events.crashes), () =>
    `the record has crashes ${JSON.stringify(events.crashes)}, not ${JSON.stringify(crashes)}`);
  compareRows(rows, [...everyRow(events, experiment)]);
  compareOutcomes(processors.map(({ observed }) => observed), result);
  for (const { model, event } of processors)
    hold(event === undefined, () => `processor ${model.id} did something after the end`);
}

interface Saved {
  readonly superstep: number;
  readonly saved: readonly unknown[];
  /** Of the superstep so far: what was drained before it. */
  readonly counts: readonly ModelProcessor['counts'][];
  /** How many took the crawl back here. */
  crashes: number;
  readonly rows: number;
  readonly observed: readonly number[];
}

/** When processors crash, in order: each one's crashes until a moment, and the first after it. */
function crashMoments(
  { network: { crashSeconds }, processors, seed }: SettledExperiment, untilUs: number,
): Pick<Crash, 'processor' | 'atUs'>[] {
  const crashes = new Crashes(Math.round(1e6 * crashSeconds), seed);
  const moments: { processor: number; atUs: number }[] = [];
  for (let processor = 0; processor < processors; processor++) {
    for (let atUs = 0; atUs <= untilUs;) {
      atUs = crashes.nextUs(processor, atUs);
      moments.push({ processor, atUs });
    }
  }
  return moments.sort((a, b) => a.atUs - b.atUs || a.processor - b.processor);
}

/** Everything since the checkpoint is lost, except time. */
function goBack(processors: readonly Replayed[], checkpoint: Saved, rows: Row[], nowUs: number): void {
  for (let i = checkpoint.rows; i < rows.length; i++) {
    const { superstep, processor, pages, failures } = rows[i];
    const observed =
      superstep === checkpoint.superstep ? checkpoint.counts[processor] : { pages: 0, failures: 0, retried: 0 };
    const outcomes = pages + failures - observed.pages;
    const retried = observed.retried + outcomes - observed.failures;
    rows[i] = { ...rows[i], pages: observed.pages, failures: outcomes, retried, dropped: 0 };
  }
  processors.forEach((processor, i) => {
    for (const observed of processor.observed.slice(checkpoint.observed[i]))
      if (observed.kind === 'fetched') observed.kind = 'lost';
    processor.model.restore(checkpoint.saved[i], nowUs);
    processor.nextLife(nowUs);
    processor.model.refilled(processor.take('insert').entries);
  });
}

/** The robots at work: what is started is the best that is ready, and nothing that could be started waits. */
function runPhase(processor: Replayed, experiment: SettledExperiment, endUs: number, share: number): void {
  const { model } = processor;
  const { robots, superstepLimit = 0 } = experiment;
  while (processor.event?.what === 'extract') {
    const { wanted, entries } = processor.take('extract');
    model.extracted(wanted, entries, processor.nowUs);
  }
  model.filled(processor.nowUs);
  let observed = 0;
  let started = 0;
  const mayStartMore = (): boolean => processor.open < robots && observed < superstepLimit && started < share;
  for (;;) {
    while (processor.event?.what === 'deny') {
      const { outcome } = processor.take('deny');
      hold(share > 0, () => `processor ${model.id} ended page ${outcome.page}, and was to do nothing`);
      model.denied(outcome, processor.nowUs);
      processor.observed.push({ processor: model.id, outcome, kind: outcome.kind });
    }
    hold(
      share === 0 || observed >= superstepLimit || model.count('denied') === 0,
      () => `processor ${model.id} lets a page wait at ${processor.nowUs} us that rules deny`,
    );
    while (processor.event?.what === 'start') {
      const { page, attempt, atUs } = processor.take('start');
      hold(
        mayStartMore(),
        () =>
          `processor ${model.id} started page ${page} with ${processor.open} open, ${observed} observed, ${started} of ${share} started`,
      );
      hold(atUs === processor.nowUs, () => `the clock of processor ${model.id} is ${atUs} us, not ${processor.nowUs}`);
      model.started(page, attempt, atUs);
      processor.open++;
      started++;
    }
    const readyUs = model.nextReadyUs(processor.nowUs);
    hold(!mayStartMore() || readyUs > processor.nowUs, () =>
      `processor ${model.id} lets a robot wait at ${processor.nowUs} us with a job ready`);
    const mayStart = started < share && model.count('pending') > 0;
    if (observed >= superstepLimit || processor.nowUs >= endUs || (processor.open === 0 && !mayStart)) return;
    const { untilUs, fromUs, toUs, outcome } = processor.take('next');
    const dueUs = Math.min(endUs, mayStart && processor.open < robots ? readyUs : Infinity);
    hold(untilUs === dueUs, () => `processor ${model.id} waited until ${untilUs} us, not ${dueUs} us`);
    hold(fromUs === processor.nowUs && toUs >= fromUs && toUs <= untilUs, () =>
      `the clock of processor ${model.id} went from ${fromUs} us to ${toUs} us`);
    processor.spend(toUs - fromUs, robots, mayStart ? 'stalledUs' : 'noJobUs');
    processor.nowUs = toUs;
    for (let at = outcome; at !== undefined; ) {
      close(processor, at);
      processor.observe(at);
      if (++observed >= superstepLimit || processor.open === 0) break;
      const instant = processor.take('next');
      hold(
        instant.untilUs === toUs && instant.toUs === toUs,
        () => `processor ${model.id} left the instant ${toUs} us`,
      );
      at = instant.outcome;
    }
  }
}

/** What ends until the barrier is stored for the next superstep. */
function drainPhase(processor: Replayed, barrierUs: number, robots: number): void {
  for (;;) {
    processor.goOn();
    const { event } = processor;
    if (event?.what !== 'next' || event.fromUs !== processor.nowUs || (processor.isAtRest && event.untilUs > barrierUs)) {
      hold(processor.isAtRest, () => `processor ${processor.model.id} passed a barrier unheard`);
      processor.spend(barrierUs - processor.nowUs, robots, 'barrierWaitUs');
      processor.nowUs = barrierUs;
      return;
    }
    const { untilUs, fromUs, toUs, outcome } = processor.take('next');
    hold(
      untilUs === barrierUs,
      () => `processor ${processor.model.id} waited until ${untilUs} us for the barrier at ${barrierUs} us`,
    );
    processor.spend(toUs - fromUs, robots, 'barrierWaitUs');
    processor.worldUs = processor.nowUs = toUs;
    if (outcome === undefined) break;
    close(processor, outcome);
    processor.model.drain(outcome);
  }
  hold(processor.nowUs === barrierUs, () =>
    `the clock of processor ${processor.model.id} passed the barrier at ${processor.nowUs} us, not ${barrierUs} us`);
}

function close(processor: Replayed, outcome: Outcome): void {
  hold(outcome.finishedAtUs <= processor.nowUs, () => `page ${outcome.page} was reported before it ended`);
  processor.open--;
  processor.model.finished(outcome);
}

/**
 * `--max-pages` N: what is left is shared as evenly as integers allow, the remainder to the lowest numbers, among those
 * with work.
 */
function sharesOf(models: readonly ModelProcessor[], mail: readonly Mail[], maxPages: number): number[] {
  if (maxPages === Infinity) return models.map(() => Infinity);
  const left = maxPages - models.reduce((sum, model) => sum + model.count('fetched') + model.count('inFlight'), 0);
  const able = models.filter((model) => model.hasWork || mail[model.id].size > 0);
  const shares = models.map(() => 0);
  for (let given = 0; given < left && able.length > 0; given++) shares[able[given % able.length].id]++;
  return shares;
}

function holdCoins(models: readonly ModelProcessor[], mail: readonly Mail[]): void {
  const underWay = mail.flatMap((pairs) =>
    [...pairs.values()].flat().flatMap((message) => [...message.pairs.values()]),
  );
  const coins = [...underWay, ...models.map((model) => model.coins)].reduce((sum, one) => sum + one, 0);
  hold(coins === 2 ** 52, () => `there are ${coins} coins`);
}

function compareRows(expected: readonly Row[], actual: readonly SuperstepRow[]): void {
  hold(expected.length === actual.length, () => `there are ${actual.length} rows, not ${expected.length}`);
  expected.forEach((row, i) => {
    for (const column of columns) {
      hold(
        row[column] === actual[i][column] || Number.isNaN(row[column]),
        () =>
          `superstep ${row.superstep} of processor ${row.processor}: ${column} is ${actual[i][column]}, and was ${row[column]}`,
      );
    }
  });
}

/** The record has every outcome observed, in the order (finishedAtUs, processor, sequence). */
function compareOutcomes(observed: readonly Observed[][], { events }: RunResult): void {
  const all = observed
    .flat()
    .sort((a, b) => a.outcome.finishedAtUs - b.outcome.finishedAtUs || a.processor - b.processor);
  const { order, processors, times, failures } = events;
  hold(all.length === order.length + failures.length, () =>
    `${order.length + failures.length} outcomes are in the record, and ${all.length} were observed`);
  let fetched = 0;
  let failed = 0;
  all.forEach(({ processor, outcome: { page, startedAtUs, finishedAtUs }, kind }, position) => {
    const entry =
      kind === 'fetched'
        ? {
            processor: processors[fetched],
            page: order[fetched],
            kind,
            startedUs: times[2 * fetched],
            finishedUs: times[2 * fetched++ + 1],
          }
        : { ...failures[failed++], position: undefined };
    hold(kind === 'fetched' || failures[failed - 1]?.position === position, () =>
      `outcome ${position} was ${kind}, and is missing in the record`);
    const isIt = entry.processor === processor && entry.page === page && entry.kind === kind;
    hold(isIt && entry.startedUs === startedAtUs && entry.finishedUs === finishedAtUs,
      () => `outcome ${position} was page ${page}, ${kind}; the record says page ${entry.page}, ${entry.kind}`);
  });
}
