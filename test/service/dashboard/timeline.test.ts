import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { pagesOpener } from '../../../src/cli/answers/run-pages.ts';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { simulate } from '../../../src/core/engine/index.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import { readFailures, readRunEvents, readRunJson, type RunEvents } from '../../../src/core/measure/index.ts';
import type { ListedRun } from '../../../src/views/service/dashboard/api.ts';
import type { OpenedSuperstep } from '../../../src/views/service/dashboard/timeline/api.ts';
import { openSuperstep } from '../../../src/views/service/dashboard/timeline/open-superstep.ts';
import { timelineOf, type Timeline } from '../../../src/views/service/dashboard/timeline/timeline.ts';
import { traceOf } from '../../../src/views/service/dashboard/timeline/trace.ts';
import { orbweaver } from '../../cli/command.ts';
import { row, smallRun } from '../../measure/records.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { servedDashboard } from './served.ts';

// Goal: a timeline shows every outcome of a run once, at its own time, and no robot does two things at once.

interface TraceEvent {
  readonly name: string;
  readonly cat?: string;
  readonly ph: 'X' | 'M';
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: { readonly page?: number; readonly superstep?: number; readonly name?: string };
}

const all = { from: 0, to: Infinity };
const unnamed = (): undefined => undefined;
const { folder } = temporaryFolder();
const settings = {
  policy: 'breadth-first', processors: 3, robots: 4, superstepLimit: 20, maxPages: 600, network: { timeoutShare: 0.1 },
};

function traced(timeline: Timeline, range = all): TraceEvent[] {
  return JSON.parse([...traceOf(timeline, unnamed, range)].join('')) as TraceEvent[];
}

/** Events by process and thread, in order of their start. */
function byLane(events: readonly TraceEvent[]): TraceEvent[][] {
  const lanes = new Map<string, TraceEvent[]>();
  for (const event of events.filter(({ ph }) => ph === 'X')) {
    const key = `${event.pid}/${event.tid}`;
    lanes.set(key, [...(lanes.get(key) ?? []), event]);
  }
  return [...lanes.values()].map((lane) => lane.sort((a, b) => a.ts - b.ts || a.dur - b.dur));
}

function expectNoOverlap(events: readonly TraceEvent[]): void {
  for (const lane of byLane(events)) {
    for (const [i, { ts }] of lane.entries())
      if (i > 0) expect(ts).toBeGreaterThanOrEqual(lane[i - 1].ts + lane[i - 1].dur);
  }
}

/** Page, kind, start and duration of each outcome, in an order of their own. */
function outcomesOf({ order, times, failures }: Pick<RunEvents, 'order' | 'times' | 'failures'>): string[] {
  return [
    ...Array.from(order, (page, i) => [page, 'fetched', times[2 * i], times[2 * i + 1] - times[2 * i]].join(' ')),
    ...failures.map(({ page, kind, startedUs, finishedUs }) =>
      [page, kind, startedUs, finishedUs - startedUs].join(' ')),
  ].sort();
}

const isDownload = ({ args: { page } }: TraceEvent): boolean => page !== undefined;

describe('the trace of a run', async () => {
  const prepared = prepare(await openGraph('docs-web'));
  const { run, events } = await simulate(prepared, settings);
  const { experiment, dataset: { sha256 } } = run;
  const pages = await pagesOpener()({ experiment, graphs: ['docs-web'], sha256 });
  const timeline = timelineOf(events, 3, pages);
  const trace = traced(timeline);

  test('has every outcome once, with the times and kinds of the record', () => {
    expect(events.failures.length).toBeGreaterThan(20);
    const shown = trace.filter(isDownload).map(({ args, cat, ts, dur }) => [args.page, cat, ts, dur].join(' '));
    expect(shown.sort()).toEqual(outcomesOf(events));
  });

  test('names the processor that fetched a page', () => {
    const own = new Map(Array.from(events.order, (page, i) => [page, events.processors[i]]));
    for (const { cat, args: { page }, pid } of trace.filter(isDownload))
      if (cat === 'fetched') expect(pid - 1).toBe(own.get(page!));
    const failed = new Map(events.failures.map(({ page, processor }) => [page, processor]));
    for (const { cat, args: { page }, pid } of trace.filter(isDownload))
      if (cat !== 'fetched') expect(pid - 1).toBe(failed.get(page!));
  });

  test('has no two events at once on a lane, and no more lanes than robots', () => {
    expectNoOverlap(trace);
    expect(Math.max(...timeline.lanes)).toBe(4);
    expect(timeline.lanes.at(-1)).toBe(0);
  });

  test('has supersteps and barriers as recorded', () => {
    for (const { superstep, processor, barrierUs, waitUs } of events.rows) {
      const own = trace.filter(({ pid, tid, args }) =>
        pid === processor + 1 && tid === 1 && args.superstep === superstep);
      expect(own.map(({ cat }) => cat)).toEqual(['superstep', 'barrier']);
      expect(own[1].ts + own[1].dur).toBeCloseTo(barrierUs, 3);
      expect(own[1].dur).toBeCloseTo(waitUs, 3);
      expect(own[0].ts + own[0].dur).toBe(own[1].ts);
    }
    expect(trace.filter(({ cat }) => cat === 'barrier')).toHaveLength(events.rows.length);
  });

  test('names processes and threads, of which none is number 0', () => {
    const names = trace.filter(({ name }) => name === 'process_name').map(({ pid, args }) => [pid, args.name]);
    expect(names).toEqual([[1, 'processor 0'], [2, 'processor 1'], [3, 'processor 2']]);
    expect(trace.every(({ pid, tid }) => pid > 0 && tid > 0)).toBe(true);
  });

  test('of some supersteps is that part of the whole', () => {
    const part = traced(timeline, { from: 2, to: 4 });
    expect(part).toEqual(trace.filter(({ ph, args }) =>
      ph === 'M' || (args.superstep! >= 2 && args.superstep! <= 4)));
    expect(part.length).toBeLessThan(trace.length);
  });

  test('without the graph has all downloads in one process, which says so', () => {
    const plain = traced(timelineOf(events, 3, undefined));
    expect(new Set(plain.filter(isDownload).map(({ pid }) => pid))).toEqual(new Set([4]));
    expect(plain.filter(({ name }) => name === 'process_name').at(-1)?.args.name).toMatch(/^all processors/);
    expect(plain.filter(isDownload).map(({ args, ts, dur }) => [args.page, ts, dur].join(' ')).sort())
      .toEqual(trace.filter(isDownload).map(({ args, ts, dur }) => [args.page, ts, dur].join(' ')).sort());
  });

  test('comes in pieces of bounded size', () => {
    const sizes = [...traceOf(timeline, () => 'x'.repeat(1000), all)].map(({ length }) => length);
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(70_000);
  });

  test('opened superstep by superstep, the run is the same', () => {
    const seen = timeline.supersteps.map(({ superstep }) => openSuperstep(timeline, unnamed, superstep)!);
    for (const { beginUs, barrierUs, processors, count } of seen) {
      const downloads = processors.flatMap((one) => one.downloads);
      expect(downloads).toHaveLength(count);
      const open = Array.from({ length: timeline.count }, (_, i) => i)
        .filter((i) => timeline.startedUs[i] < barrierUs && timeline.finishedUs[i] > beginUs);
      expect(count).toBe(open.length);
    }
    expect(openSuperstep(timeline, unnamed, 'last')).toEqual(seen.at(-1));
    expect(openSuperstep(timeline, unnamed, seen.length)).toBeUndefined();
  });
});

test('lanes of any downloads: none overlap, and there are only as many as are open at once', () => {
  const moment = fc.integer({ min: 0, max: 30 });
  fc.assert(fc.property(fc.array(fc.tuple(moment, fc.integer({ min: 0, max: 8 })), { maxLength: 40 }), (spans) => {
    const times = Float64Array.from(spans.flatMap(([start, length]) => [start, start + length]));
    const order = Uint32Array.from(spans, (_, i) => i);
    const timeline = timelineOf({ order, times, failures: [], rows: [row({ barrierUs: 40 })] }, 1, undefined);
    expectNoOverlap(traced(timeline));
    // One that takes no time does not keep those waiting that begin at its moment.
    const openAt = ([at, length]: readonly [number, number], self: number): number =>
      spans.filter(([from, other], i) =>
        i === self || ((length === 0 ? from < at : from <= at) && at < from + other)).length;
    expect(timeline.lanes[0]).toBe(Math.max(0, ...spans.map(openAt)));
    expect(openSuperstep(timeline, unnamed, 0)?.count).toBe(spans.length);
  }));
});

test('downloads that one answer cannot hold are left out, and counted', () => {
  const count = 5003;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const times = Float64Array.from({ length: 2 * count }, (_, i) => i >> 1);
  const rows = [row({ barrierUs: count })];
  const opened = openSuperstep(timelineOf({ order, times, failures: [], rows }, 1, undefined), unnamed, 0)!;
  expect(opened).toMatchObject({ count, truncated: true });
  expect(opened.processors[0].downloads).toHaveLength(5000);
});

test('a processor at rest has its downloads, and no arrival', () => {
  const rows = [row({ barrierUs: 200, waitUs: 40 })];
  const timeline = timelineOf({ ...smallRun(), rows }, 2, { processorOf: (page) => (page === 4 ? 0 : 1) });
  const { processors } = openSuperstep(timeline, unnamed, 0)!;
  expect(processors.map(({ processor, arrivedUs, lanes }) => [processor, arrivedUs, lanes]))
    .toEqual([[0, 160, 1], [1, null, 2]]);
});

describe('over HTTP', () => {
  const served = servedDashboard(folder);
  let run: ListedRun;

  beforeAll(async () => {
    mkdirSync(served.runs, { recursive: true });
    const argv = ['--processors', '3', '--superstep-limit', '20', '--max-pages', '300', '--timeout-share', '0.1'];
    await orbweaver(['simulate', 'docs-web', ...argv, '--out', join(served.runs, 'one')], folder);
    const { runs } = (await served.ask('/api/runs')).body as { runs: ListedRun[] };
    [run] = runs;
  });

  test('the trace is a file with every outcome of the record', async () => {
    const { status, headers, body } = await served.ask(`/api/runs/${run.id}/trace`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="trace.json"');
    const recorded = await readRunEvents(run.folder!, await readRunJson(run.folder!));
    const failures = await readFailures(run.folder!, await readRunJson(run.folder!));
    const downloads = (body as TraceEvent[]).filter(isDownload);
    expect(downloads.map(({ args, cat, ts, dur }) => [args.page, cat, ts, dur].join(' ')).sort())
      .toEqual(outcomesOf({ ...recorded, failures }));
    expect(downloads.every(({ name }) => /^[\w.-]+\//.test(name))).toBe(true);
    const part = await served.ask(`/api/runs/${run.id}/trace?from=1&to=1`);
    expect(new Set((part.body as TraceEvent[]).map(({ args }) => args.superstep))).toEqual(new Set([undefined, 1]));
  });

  test('a superstep has names and the processors that fetched them', async () => {
    const { body } = await served.ask(`/api/runs/${run.id}/superstep/0`);
    const { superstep, beginUs, processors, truncated, count } = body as OpenedSuperstep;
    expect({ superstep, beginUs, truncated }).toEqual({ superstep: 0, beginUs: 0, truncated: false });
    expect(processors.map(({ processor }) => processor)).toEqual([0, 1, 2]);
    expect(processors.reduce((sum, { downloads }) => sum + downloads.length, 0)).toBe(count);
    const last = (await served.ask(`/api/runs/${run.id}/superstep/last`)).body as OpenedSuperstep;
    expect(last.superstep).toBe(run.figures!.supersteps - 1);
  });

  test('what there is not is 404, what is no number 400', async () => {
    for (const path of [`${run.id}/superstep/99999`, '0123/superstep/0', '0123/trace'])
      expect((await served.ask(`/api/runs/${path}`)).status).toBe(404);
    for (const path of ['superstep/-1', 'superstep/x', 'trace?from=-1', 'trace?to=x'])
      expect((await served.ask(`/api/runs/${run.id}/${path}`)).status).toBe(400);
  });
});

test('downloads that are all open at once have a lane each, and are laid out in a moment', { timeout: 10_000 }, () => {
  const pages = 300_000;
  const order = Uint32Array.from({ length: pages }, (_, page) => page);
  const times = Float64Array.from({ length: 2 * pages }, (_, i) => (i % 2) * 1e6 + Math.floor(i / 2));
  const events = { order, times, failures: [], rows: [row({ barrierUs: 2e6 })] };
  const { lanes, lane } = timelineOf(events, 1, undefined);
  expect([lanes[0], lane[0], lane[pages - 1]]).toEqual([pages, 0, pages - 1]);
});
