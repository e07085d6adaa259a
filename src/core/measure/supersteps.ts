import { assert } from '../../base/index.ts';
import type { RunEvents, SuperstepRow } from './record/events.ts';

/** What the time of processors at rest follows from: they have no rows. */
export interface RobotSettings {
  readonly processors: number;
  /** Robots of each processor, until a change. */
  readonly robots: number;
}

/** Rows and, where robots were changed, the changes. */
type Rows = Pick<RunEvents, 'rows'> & Partial<Pick<RunEvents, 'changes'>>;

/** The index after the last row of each superstep, which has at least one row. */
export function superstepEnds(rows: readonly SuperstepRow[]): number[] {
  const ends: number[] = [];
  for (let i = 1; i <= rows.length; i++) {
    if (i === rows.length || rows[i].superstep !== rows[i - 1].superstep) ends.push(i);
  }
  return ends;
}

/** The rows of each superstep. */
export function bySuperstep(rows: readonly SuperstepRow[]): (readonly SuperstepRow[])[] {
  return superstepEnds(rows).map((end, i, ends) => rows.slice(i === 0 ? 0 : ends[i - 1], end));
}

/** Robot time of the processors without a row, microseconds, by superstep: they wait. O(rows + processors). */
export function restingUs({ rows, changes = [] }: Rows, { processors, robots }: RobotSettings): number[] {
  const robotsOf = new RobotsOf(processors, robots, changes);
  let [first, beganUs] = [0, 0];
  return superstepEnds(rows).map((end) => {
    const { superstep, barrierUs } = rows[first];
    robotsOf.passTo(superstep);
    let resting = robotsOf.total;
    for (; first < end; first++) resting -= robotsOf.at(rows[first].processor);
    const us = resting * (barrierUs - beganUs);
    beganUs = barrierUs;
    return us;
  });
}

/**
 * A row for each superstep and processor, those at rest too. The row of a processor at rest is its last one again, but
 * for superstep, barrier, and the time of its robots, all of which wait.
 *
 * @param events - rows as recorded, and changes if there were any.
 * @param settings - the settings of the run: `run.experiment`.
 * @returns the rows, in order of supersteps and processors.
 */
export function* everyRow(events: Rows, { processors, robots }: RobotSettings): Generator<SuperstepRow> {
  const robotsOf = new RobotsOf(processors, robots, events.changes ?? []);
  const last: SuperstepRow[] = [];
  let beganUs = 0;
  for (const rows of bySuperstep(events.rows)) {
    const { superstep, barrierUs } = rows[0];
    robotsOf.passTo(superstep);
    for (const row of rows) last[row.processor] = row;
    for (let processor = 0; processor < processors; processor++) {
      const row = last.at(processor);
      assert(row !== undefined, () => `processor ${processor} has no row in its first superstep`);
      yield row.superstep === superstep ? row
        : rowAtRest(row, { superstep, barrierUs, waitUs: barrierUs - beganUs, robots: robotsOf.at(processor) });
    }
    beganUs = barrierUs;
  }
}

/** The row of a processor at rest, made of an earlier one. @param waitUs since the barrier before. */
export function rowAtRest(
  { processor, queueStructure, superstepLimit, pendingTarget }: SuperstepRow,
  { superstep, barrierUs, waitUs, robots }: Pick<SuperstepRow, 'superstep' | 'barrierUs' | 'waitUs'> & {
    readonly robots: number;
  },
): SuperstepRow {
  return {
    superstep, processor, barrierUs, pages: 0, failures: 0, retried: 0, drained: 0, bytes: 0, extracted: 0, stale: 0,
    inserted: 0, reinserted: 0, insertComparisons: 0, extractComparisons: 0, crossLinks: 0, pairsSent: 0,
    pairsReceived: 0, messagesSent: 0, messagesReceived: 0, busyUs: 0, stalledUs: 0, noJobUs: 0,
    barrierWaitUs: robots * waitUs, queued: 0, pending: 0, inFlight: 0, queueStructure, queueReads: 0, queueWrites: 0,
    superstepLimit, pendingTarget, saturatedUs: 0, waitUs, restingUs: 0, sampledPages: 0, sampledIdle: 0,
    denied: 0, dropped: 0, rekeyed: 0, transferUs: 0, throttledUs: 0,
  };
}

/** The robots of each processor, superstep by superstep. */
class RobotsOf {
  /** The sum over all processors. */
  total: number;
  readonly #robots: number;
  readonly #changed = new Map<number, number>();
  readonly #changes: RunEvents['changes'];
  #passed = 0;

  constructor(processors: number, robots: number, changes: RunEvents['changes']) {
    this.total = processors * robots;
    this.#robots = robots;
    this.#changes = changes;
  }

  at(processor: number): number {
    return this.#changed.get(processor) ?? this.#robots;
  }

  /** Goes on to a superstep and its changes; a processor has a row in the superstep in which it was changed. */
  passTo(superstep: number): void {
    for (; this.#passed < this.#changes.length && this.#changes[this.#passed].superstep <= superstep; this.#passed++) {
      const { setting, processor, value } = this.#changes[this.#passed];
      if (setting !== 'robots') continue;
      this.total += value - this.at(processor);
      this.#changed.set(processor, value);
    }
  }
}
