import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SuperstepRow } from '../../src/core/events/index.ts';
import { DiskRecord, TotalOrder } from '../../src/core/measure/index.ts';
import { row } from './records.ts';

// A process of its own, for its memory: feeds the record on disk a crawl of so many pages, and prints the most memory
// that it took, in bytes, measured after garbage collection at twenty moments.

const pages = Number(process.argv[2]);
const [processors, perSuperstep, failEvery] = [8, 32, 50];
const folder = mkdtempSync(join(tmpdir(), 'orbweaver-growth-'));
const record = new DiskRecord(join(folder, 'run'), { command: 'none' });
const origins = { superstepLimit: '', pending: '' };
record.begin({ version: '', experiment: {}, origins }, (page) => page % processors);
const sink = new TotalOrder([record]);
sink.started({ mayRollBack: false });

const used = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = used();
let most = 0;
const supersteps = Math.ceil(pages / (processors * perSuperstep));
for (let superstep = 0, nowUs = 0; superstep < supersteps; superstep++) {
  sink.superstepBegins();
  for (let i = 0; i < perSuperstep; i++) {
    nowUs += 1000;
    for (let processor = 0; processor < processors; processor++) {
      const page = (superstep * perSuperstep + i) * processors + processor;
      const kind = page % failEvery === 0 ? 'timeout' : 'fetched';
      sink.outcome(processor, { page, kind, startedAtUs: nowUs - 500, finishedAtUs: nowUs });
    }
  }
  const rows = Array.from({ length: processors }, (_, processor): SuperstepRow =>
    row({ superstep, processor, barrierUs: nowUs, pages: perSuperstep, bytes: 1e6 }));
  sink.superstep({ barrierUs: Infinity, rows, unobserved: rows.map(() => 3) });
  if (superstep % Math.ceil(supersteps / 20) === 0) most = Math.max(most, used() - before);
}
await sink.ended('frontier dry');
most = Math.max(most, used() - before);
record.close();
rmSync(folder, { recursive: true });
process.stdout.write(String(most));
