import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import {
  drain, overheadBytes, pagedDrainPart, queueBenchDefaults, stxxlName, stxxlPriorityQueue, type Drained,
  type PartContext,
} from '../../../src/questions/bench/index.ts';
import { pagedQueueKinds, type PagedQueueKind } from '../../../src/core/queue/index.ts';

// Goal: what is said of a paged queue that is filled and emptied is what happened. Everything runs tiny; times are not
// looked at.

const folder = mkdtempSync(join(tmpdir(), 'paged-drain-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const task = { entries: 30_000, memoryBytes: 2 ** 16, seed: 1 };
let files = 0;
const drained = (kind: PagedQueueKind, more: Partial<typeof task> = {}): Drained =>
  drain({ ...task, ...more, kind, pageBytes: 1024, path: join(folder, String(files++)) });
const context = (more: Partial<PartContext> = {}): PartContext => ({
  ...queueBenchDefaults, graphs: [], pagedEntries: task.entries, pagedMemoryBytes: task.memoryBytes, seed: task.seed,
  signal: new AbortController().signal, report: () => Promise.resolve(), ...more,
});

/** From now on temporary files are made in a folder of the test's own. */
function useTemporaryFolder(): void {
  vi.stubEnv('TMPDIR', mkdtempSync(join(folder, 'own-')));
}

/** What is still there, but for the folder of the loader that lets a process run TypeScript. */
function leftBehind(): string[] {
  return readdirSync(tmpdir()).filter((name) => !name.startsWith('tsx-'));
}

describe('a paged queue, filled and emptied', () => {
  test('both kinds return the same, and I/O is near its least', () => {
    const [one, other] = pagedQueueKinds.map((kind) => drained(kind));
    expect(one.checksum).toBe(other.checksum);
    expect(drained('cbt', { seed: 2 }).checksum).not.toBe(one.checksum);
    for (const { insert, extract } of [one, other]) {
      // Nearly four times the memory: most pages are written at least once, and read again.
      const least = 0.8 * (8 * task.entries - task.memoryBytes);
      expect(insert.bytesWritten + extract.bytesWritten).toBeGreaterThan(least);
      expect(insert.bytesRead + extract.bytesRead).toBeGreaterThan(least);
      expect(insert.bytesWritten).toBe(1024 * insert.writes);
      expect(extract.comparisons).toBeGreaterThan(task.entries);
    }
  });

  test.each(pagedQueueKinds)('%s: what fits in memory is neither read nor written', (kind) => {
    const { insert, extract } = drained(kind, { memoryBytes: 2 ** 21 });
    for (const phase of [insert, extract])
      expect(phase).toMatchObject({ reads: 0, writes: 0, bytesRead: 0, bytesWritten: 0 });
  });
});

describe('the part', () => {
  test('each queue in a process of its own; a peer that cannot be compiled is said to be absent', async () => {
    const path = process.env['PATH'];
    vi.stubEnv('PATH', '/nonexistent');
    useTemporaryFolder();
    const result = await pagedDrainPart.measure(context());
    expect(leftBehind()).toEqual([]);
    vi.stubEnv('PATH', path);
    expect(result.drains.map(({ queue }) => queue)).toEqual(['paged cbt', 'paged quickheap']);
    expect(result).toMatchObject({ ...task, compiler: null });
    for (const [i, kind] of pagedQueueKinds.entries()) {
      const { insert, extract, checksum, residentGrowthBytes } = result.drains[i];
      const here = drained(kind);
      // The same work here and there: only times and memory differ.
      expect(checksum).toBe(here.checksum);
      expect({ ...insert, seconds: 0 }).toEqual({ ...here.insert, seconds: 0 });
      expect({ ...extract, seconds: 0 }).toEqual({ ...here.extract, seconds: 0 });
      expect(residentGrowthBytes).toBeGreaterThan(0);
      expect(residentGrowthBytes).toBeLessThan(task.memoryBytes + overheadBytes);
    }
    const { paragraphs, tables } = pagedDrainPart.show(result);
    expect(paragraphs).toContain(`${stxxlName} is absent: no C++ compiler: none of c++, g++, clang++ runs.`);
    expect(paragraphs.filter((text) => text.includes('is within the memory given and 100 MiB more'))).toHaveLength(2);
    expect(tables[0].rows).toHaveLength(2);
    const grown = {
      ...result, drains: result.drains.map((one) => ({ ...one, residentGrowthBytes: 2 * overheadBytes })),
    };
    expect(
      pagedDrainPart.show(grown).paragraphs.filter((text) => text.includes('is above the memory given')),
    ).toHaveLength(2);
  });

  test('aborted while a queue works, it returns what it has and leaves no file', async () => {
    const controller = new AbortController();
    useTemporaryFolder();
    const report = (): Promise<void> => {
      setTimeout(() => controller.abort(), 100);
      return Promise.resolve();
    };
    const result = await pagedDrainPart.measure(context({ signal: controller.signal, report, pagedEntries: 1e8 }));
    expect(result).toMatchObject({ drains: [], absent: [] });
    expect(leftBehind()).toEqual([]);
  });
});

// Compiling takes seconds, where the library is.
test('STXXL takes out the entries that ours do (skipped where the library or a compiler is absent)', async ({
  skip,
}) => {
  useTemporaryFolder();
  const stxxl = await stxxlPriorityQueue({ ...task, memoryBytes: 2 ** 20, entries: 200_000 });
  if ('reason' in stxxl) {
    expect(stxxl.reason).toMatch(/is not installed|^no C\+\+ compiler/);
    skip(stxxl.reason);
    return;
  }
  try {
    const { checksum, insert, extract, pageBytes } = await stxxl.drain();
    const ours = drained('quickheap', { memoryBytes: 2 ** 20, entries: 200_000 });
    expect(checksum).toBe(ours.checksum);
    expect(insert.comparisons).toBe(null);
    expect(insert.bytesWritten + extract.bytesWritten).toBeGreaterThan(0);
    expect(extract.bytesRead).toBe(pageBytes * extract.reads);
    const small = await stxxlPriorityQueue({ ...task, entries: 1000 });
    expect(small).toEqual({ name: stxxlName, reason: 'it has no block size for so many entries in so little memory' });
  } finally {
    await stxxl.remove();
  }
  expect(leftBehind()).toEqual([]);
});
