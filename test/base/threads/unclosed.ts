import { WorkerHandle, WorkerPool } from '../../../src/base/threads/index.ts';

// A program that leaves a pool open with an idle thread, and closes a handle whose thread is at work: nothing is to
// keep it alive. It is compiled with its scripts (built-scripts.ts).
const pool = new WorkerPool<object, number>({
  name: 'threads', module: new URL('./pool-worker.mjs', import.meta.url), threads: 2,
});
const handle = new WorkerHandle<object, number>({
  name: 'thread', module: new URL('./handle-worker.mjs', import.meta.url),
});
const [square] = await Promise.all([pool.run({ kind: 'square', of: 6 }), handle.started]);
handle.ask({ kind: 'spin' }).catch(() => undefined);
await handle.close();
process.stdout.write(String(square));
