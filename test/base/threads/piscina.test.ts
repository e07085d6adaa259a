import { Piscina } from 'piscina';
import { expect, test } from 'vitest';
import { sampled } from '../../sweep.ts';

// Why WorkerPool has a piscina for each thread and never lets a task wait in one: where a thread dies before it is
// ready, as one out of memory does, piscina starts no other, and leaves the tasks that wait with no thread that could
// ever take them. The day this fails, one piscina may be enough.

const sizes = [[1, 2], [1, 1], [2, 2]];
test.each(sampled(sizes, 3))('piscina of %i to %i threads: a task waits for ever', async (minThreads, maxThreads) => {
  const filename = new URL('./no-such-worker.js', import.meta.url).href;
  const pool = new Piscina({ filename, minThreads, maxThreads });
  pool.on('error', () => undefined);
  const ends = Array.from({ length: maxThreads + 1 }, () => ({ isSettled: false }));
  const runs = ends.map((end, i) => pool.run(i).catch(() => undefined).then(() => { end.isSettled = true; }));
  while (pool.threads.length > 0) await new Promise(setImmediate);
  expect(ends.filter(({ isSettled }) => !isSettled)).not.toEqual([]);
  expect(pool.queueSize).toBeGreaterThan(0);
  await pool.destroy();
  await Promise.all(runs);
});
