import { afterEach, expect, test, vi } from 'vitest';
import { WorkerPool } from '../../../src/base/threads/index.ts';
import { readTasks } from '../../../src/search/indexing/task-readers.ts';
import { packText } from '../../../src/base/web/index.ts';

// Goal: an interrupted `index` ends well, whatever its threads are doing.

afterEach(() => { vi.restoreAllMocks(); });

test('who stops early ends no thread within a task: while zlib starts, that would end the process', async () => {
  const run = vi.spyOn(WorkerPool.prototype, 'run');
  const unsettled: boolean[] = [];
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its pool
  const close = WorkerPool.prototype.close;
  vi.spyOn(WorkerPool.prototype, 'close').mockImplementation(async function (this: WorkerPool<unknown, unknown>) {
    unsettled.push(run.mock.settledResults.some(({ type }) => type === 'incomplete'));
    await close.call(this);
  });

  const words = Array.from({ length: 20_000 }, (_, i) => `word${i}`).join(' ');
  const text = packText({ language: 'en', lines: `6${words}\n`, anchors: [], isCut: false });
  const tasks = Array.from({ length: 640 }, (_, i) => ({ kind: 'stored', url: `http://a.org/${i}`, text }) as const);
  const reading = readTasks(tasks, 2, { stopWords: new Set(), recordLimitBytes: 1 << 20 });
  await expect(reading.next()).resolves.toHaveProperty('done', false);
  await reading.return();

  expect(run.mock.calls.length).toBeGreaterThan(1);
  expect(run.mock.calls.length).toBeLessThan(20);
  expect(unsettled).toEqual([false]);
});
