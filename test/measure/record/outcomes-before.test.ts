import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { simulate } from '../../../src/core/engine/index.ts';
import {
  DiskRecord, endOfIncomplete, endOfRecord, outcomesBefore, type RunEvents,
} from '../../../src/core/measure/index.ts';
import { docsWebPrepared as docs, docsWebRanks as ranks } from '../../docs-web.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: a record is read from its end, from any place and while it is written, outcome by outcome, as it is read whole.

const { folder } = temporaryFolder();
const input = {
  processors: 3, superstepLimit: 20, maxPages: 9000, retries: 1, politenessMs: 0, statistics: 'off',
  network: { serverErrorShare: 0.1, timeoutShare: 0.05 },
} as const;

/** Page and kind of all outcomes, in their order. */
function whole({ order, failures }: Pick<RunEvents, 'order' | 'failures'>): string[] {
  const outcomes: string[] = [];
  let pages = 0;
  for (const { position, page, kind } of failures) {
    while (outcomes.length < position) outcomes.push(`${order[pages++]} fetched`);
    outcomes.push(`${page} ${kind}`);
  }
  return [...outcomes, ...Array.from(order.subarray(pages), (page) => `${page} fetched`)];
}

test('from its end, from places within, and as far as it is written', async () => {
  const record = new DiskRecord(folder, { graph: 'docs-web', command: 'orbweaver simulate docs-web' });
  const seen: { readonly position: number; readonly first: string }[] = [];
  const { events } = await simulate(docs, input, {
    ranks, record,
    sinks: [{
      superstepBegins: (superstep) => {
        if (superstep === 0 || superstep % 20 !== 0) return;
        const { value } = outcomesBefore(folder, endOfIncomplete(folder)!).next();
        seen.push({ position: value!.place.position, first: `${value!.page} ${value!.kind}` });
      },
    }],
  });
  record.close();
  const all = whole(events);
  expect(events.failures.length).toBeGreaterThan(500);
  const end = endOfRecord(folder, events.order.length);
  expect(endOfIncomplete(folder)).toEqual(end);
  expect(end.position).toBe(all.length);
  const found = [...outcomesBefore(folder, end)];
  expect(found.map(({ page, kind }) => `${page} ${kind}`).reverse()).toEqual(all);
  for (const { place } of [found[0], found[7], found[5000], found.at(-1)!])
    expect([...outcomesBefore(folder, place)].map(({ page, kind }) => `${page} ${kind}`).reverse())
      .toEqual(all.slice(0, place.position));
  const failures = found.filter(({ kind }) => kind !== 'fetched').reverse();
  expect(failures.map(({ page, kind, processor, startedUs, finishedUs, place: { position } }) =>
    ({ position, processor, page, kind, startedUs, finishedUs }))).toEqual(events.failures);
  const times = found.filter(({ kind }) => kind === 'fetched').flatMap((one) => [one.finishedUs, one.startedUs]);
  expect(times.reverse()).toEqual([...events.times]);
  expect(seen.length).toBeGreaterThan(3);
  for (const { position, first } of seen) expect(first).toBe(all[position]);
});

test('files that are damaged are refused by name', () => {
  const path = join(folder, 'failures.csv');
  const text = readFileSync(path, 'utf8');
  const read = (end = endOfRecord(folder, 9000)): unknown => [...outcomesBefore(folder, end)].length;
  writeFileSync(path, text.replace('timeout', 'nothing'));
  expect(() => read(endOfIncomplete(folder))).toThrow(/failures\.csv: the row at byte \d+ is not a failure/);
  writeFileSync(path, text);
  expect(() => read({ ...endOfRecord(folder, 9000), failuresBytes: 40 })).toThrow('does not fit order.u32');
  expect(() => read(endOfRecord(folder, 99_000))).toThrow('order.u32: has');
  writeFileSync(path, '');
  expect(() => read()).toThrow('has no header');
});
