import { InputError } from '../../../../base/index.ts';
import { bySuperstep, recordedKinds, type RunEvents, type SuperstepRow } from '../../../../core/measure/index.ts';
import { RobotLanes } from './robot-lanes.ts';
import type { RunPages } from './run-pages.ts';

export type TimedEvents = Pick<RunEvents, 'order' | 'times' | 'failures' | 'rows'>;

/** A superstep, from the barrier before it to its own. */
export interface TimedSuperstep {
  readonly superstep: number;
  readonly beginUs: number;
  readonly barrierUs: number;
  /** Rows of the processors that were not at rest. */
  readonly rows: readonly SuperstepRow[];
}

/**
 * Downloads of a run in order of their start, as columns. Each is on a lane of its processor; downloads on one lane
 * never overlap.
 */
export interface Timeline {
  /** Processors of the run. The processor of a download is this number where it is not known. */
  readonly processors: number;
  /** Lanes of each processor; the last element is for downloads of unknown processors. */
  readonly lanes: readonly number[];
  readonly supersteps: readonly TimedSuperstep[];
  readonly count: number;
  readonly page: Uint32Array;
  readonly processor: Uint32Array;
  readonly lane: Uint32Array;
  /** Position in `recordedKinds`. */
  readonly kind: Uint8Array;
  readonly startedUs: Float64Array;
  readonly finishedUs: Float64Array;
  /** Position in `supersteps` of the one in which it ended. */
  readonly endedIn: Uint32Array;
}

/**
 * Lays out the downloads of a run.
 *
 * @param pages - undefined if they are not known: then all downloads share the lanes of an unknown processor.
 * Cost  O(n log n + n lanes) for n outcomes; 33 bytes per outcome.
 */
export function timelineOf(
  events: TimedEvents, processors: number, pages: Pick<RunPages, 'processorOf'> | undefined,
): Timeline {
  const { order, failures } = events;
  const count = order.length + failures.length;
  const supersteps = superstepsOf(events.rows);
  if (supersteps.length === 0 && count > 0) throw new InputError('supersteps.csv: has no row; the record is damaged');
  const timeline = {
    processors, supersteps, count,
    page: new Uint32Array(count), processor: new Uint32Array(count), lane: new Uint32Array(count),
    kind: new Uint8Array(count), startedUs: new Float64Array(count), finishedUs: new Float64Array(count),
    endedIn: new Uint32Array(count),
  };
  const barriers = supersteps.map(({ barrierUs }) => barrierUs);
  const lanes = Array.from({ length: processors + 1 }, () => new RobotLanes());
  const times = timesOf(events);
  byStart(times).forEach((from, to) => {
    const failure = from < order.length ? undefined : failures[from - order.length];
    const page = failure?.page ?? order[from];
    const [startedUs, finishedUs] = [times[2 * from], times[2 * from + 1]];
    const processor = processors === 1 ? 0 : pages?.processorOf(page) ?? processors;
    timeline.page[to] = page;
    timeline.processor[to] = processor;
    timeline.kind[to] = (recordedKinds as readonly string[]).indexOf(failure?.kind ?? 'fetched');
    timeline.startedUs[to] = startedUs;
    timeline.finishedUs[to] = finishedUs;
    timeline.lane[to] = lanes[processor].take(startedUs, finishedUs);
    timeline.endedIn[to] = firstAtOrAfter(barriers, finishedUs);
  });
  return { ...timeline, lanes: lanes.map(({ count: used }) => used) };
}

/** Start and end of each outcome: of pages, then of failures. */
function timesOf({ times, failures }: TimedEvents): Float64Array {
  const all = new Float64Array(times.length + 2 * failures.length);
  all.set(times);
  failures.forEach(({ startedUs, finishedUs }, i) => all.set([startedUs, finishedUs], times.length + 2 * i));
  return all;
}

/** Positions of outcomes by start, then by end: one that takes no time comes before those that begin with it. */
function byStart(times: Float64Array): Uint32Array {
  const positions = Uint32Array.from({ length: times.length / 2 }, (_, at) => at);
  return positions.sort((first, other) =>
    times[2 * first] - times[2 * other] || times[2 * first + 1] - times[2 * other + 1] || first - other);
}

function superstepsOf(rows: readonly SuperstepRow[]): TimedSuperstep[] {
  let beginUs = 0;
  return bySuperstep(rows).map((members) => {
    const [{ superstep, barrierUs }] = members;
    const timed = { superstep, beginUs, barrierUs, rows: members };
    beginUs = barrierUs;
    return timed;
  });
}

/** The position of the first of rising moments at or after another; the last position if there is none. */
export function firstAtOrAfter(moments: readonly number[], us: number): number {
  let [low, high] = [0, Math.max(0, moments.length - 1)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (moments[middle] >= us) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** When a processor arrived at the barrier of a superstep: never before the superstep began. */
export function arrivalUs({ beginUs, barrierUs }: TimedSuperstep, { waitUs }: SuperstepRow): number {
  return Math.max(beginUs, barrierUs - waitUs);
}
