import { recordedKinds } from '../../../../core/measure/index.ts';
import type { RunPages } from './run-pages.ts';
import { arrivalUs, type Timeline } from './timeline.ts';

/** Supersteps to be traced, both included. */
export interface TraceRange {
  readonly from: number;
  readonly to: number;
}

/** Characters gathered before they are handed on. */
const PIECE = 1 << 16;
/** The thread of supersteps and barriers; threads of robots follow. */
const SUPERSTEPS = 1;
/** Readers of traces take process 0 and thread 0 for an idle kernel: numbers begin at 1. */
const FIRST = 1;

/**
 * The timeline of a run as a trace in Chrome's JSON array format, which Perfetto and chrome://tracing read: a process
 * per processor, a thread per lane of robots, times in microseconds. A download belongs to the superstep in which it
 * ended.
 *
 * @returns the text in pieces of some 64 kB, each made when it is asked for.
 */
export function* traceOf(
  timeline: Timeline, nameOf: RunPages['nameOf'], range: TraceRange,
): Generator<string, undefined> {
  let piece = '[';
  let separator = '\n';
  for (const event of eventsOf(timeline, nameOf, range)) {
    piece += separator + JSON.stringify(event);
    separator = ',\n';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n]\n`;
}

function* eventsOf(timeline: Timeline, nameOf: RunPages['nameOf'], range: TraceRange): Generator<object> {
  yield* namesOf(timeline);
  const isWithin = (superstep: number): boolean => superstep >= range.from && superstep <= range.to;
  for (const timed of timeline.supersteps) {
    const { superstep, beginUs, barrierUs, rows } = timed;
    if (!isWithin(superstep)) continue;
    for (const row of rows) {
      const arrivedUs = arrivalUs(timed, row);
      const thread = { ph: 'X', pid: FIRST + row.processor, tid: SUPERSTEPS };
      const { pages, failures } = row;
      yield {
        name: `superstep ${superstep}`, cat: 'superstep', ...thread, ts: beginUs, dur: arrivedUs - beginUs,
        args: { superstep, pages, failures },
      };
      const dur = barrierUs - arrivedUs;
      yield { name: 'barrier', cat: 'barrier', ...thread, ts: arrivedUs, dur, args: { superstep } };
    }
  }
  const { count, page, processor, lane, kind, startedUs, finishedUs, supersteps, endedIn } = timeline;
  for (let i = 0; i < count; i++) {
    const { superstep } = supersteps[endedIn[i]];
    if (!isWithin(superstep)) continue;
    yield {
      name: nameOf(page[i]) ?? `page ${page[i]}`, cat: recordedKinds[kind[i]], ph: 'X', pid: FIRST + processor[i],
      tid: SUPERSTEPS + 1 + lane[i], ts: startedUs[i], dur: finishedUs[i] - startedUs[i],
      args: { page: page[i], superstep },
    };
  }
}

/** Names of processes and threads, and their order. */
function* namesOf({ processors, lanes }: Timeline): Generator<object> {
  for (const [processor, count] of lanes.entries()) {
    const isUnknown = processor === processors;
    if (isUnknown && count === 0) continue;
    const pid = FIRST + processor;
    const name = isUnknown ? 'all processors (without the graph of the run, nothing says which fetched a page)'
      : `processor ${processor}`;
    yield { name: 'process_name', ph: 'M', pid, tid: SUPERSTEPS, args: { name } };
    yield { name: 'process_sort_index', ph: 'M', pid, tid: SUPERSTEPS, args: { sort_index: processor } };
    for (let thread = isUnknown ? 1 : 0; thread <= count; thread++) {
      const tid = SUPERSTEPS + thread;
      const threadName = thread === 0 ? 'supersteps' : `robot ${thread - 1}`;
      yield { name: 'thread_name', ph: 'M', pid, tid, args: { name: threadName } };
      yield { name: 'thread_sort_index', ph: 'M', pid, tid, args: { sort_index: thread } };
    }
  }
}
