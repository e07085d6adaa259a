import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AssertionError, InputError, WorldError } from '../../../src/base/index.ts';
import {
  EndedThread, newBarrierMemory, WorkerHandle, WorkerPool, WorkerTeam,
} from '../../../src/base/threads/index.ts';
import { builtScripts } from '../../built-scripts.ts';
import { sampled } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import type { Question } from './answers.ts';

// Goal: whatever a thread does, who asked it hears of it, as the error that it was; and no thread is left behind.

interface Asked {
  readonly ask: (question: Question, transfer?: ArrayBuffer[]) => Promise<unknown>;
  close(): Promise<void>;
}

const { folder } = temporaryFolder();
const typeScriptOf = (name: string): URL => new URL(`./${name}.ts`, import.meta.url);
const scripts = ['breaking-worker', 'handle-worker', 'pool-worker', 'sleeping-worker', 'unclosed'];
const moduleOf = await builtScripts(folder, ...scripts.map(typeScriptOf));
const heapMegabytes = 40;
const remarks: string[] = [];

function newHandle(): WorkerHandle<Question, unknown> {
  const onRemark = (remark: string): void => void remarks.push(remark);
  return new WorkerHandle<Question, unknown>({
    name: 'thread', module: moduleOf('handle-worker'), heapMegabytes, onRemark,
  });
}

function newPool(threads: number): Asked & { readonly pool: WorkerPool<Question, unknown> } {
  const pool = new WorkerPool<Question, unknown>({
    name: 'threads', module: moduleOf('pool-worker'), threads, heapMegabytes,
  });
  const ask: Asked['ask'] = (question, transfer = []) => pool.run(question, { transfer });
  return { pool, ask, close: () => pool.close() };
}

let open: { close(): Promise<void> }[] = [];
let started: Worker[] = [];
const note = (thread: Worker): void => void started.push(thread);

function opened<T extends { close(): Promise<void> }>(one: T): T {
  open.push(one);
  return one;
}

beforeAll(() => void process.on('worker', note));
afterAll(() => void process.off('worker', note));
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  // Node's number of a thread that has ended.
  expect(started.map(({ threadId }) => threadId)).toEqual(started.map(() => -1));
  open = [];
  started = [];
});

const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'fulfilled', (error: unknown) => error,
  );

const kinds: readonly [string, () => Asked, isPool: boolean][] = [
  ['WorkerHandle', newHandle, false],
  ['WorkerPool of three', () => newPool(3), true],
  ['WorkerPool of one', () => newPool(1), true],
];
describe.each(sampled(kinds, 2))('%s', (_, create, isPool) => {
  test('what is thrown has its class and its message, and the thread goes on', async () => {
    const asked = opened(create());
    for (const kind of [AssertionError, InputError, WorldError, RangeError, TypeError, Error]) {
      const error = await reasonOf(asked.ask({ kind: 'throw', name: kind.name, message: `bad ${kind.name}` }));
      expect(Object.getPrototypeOf(error)).toBe(kind.prototype);
      expect(error).toMatchObject({ name: kind.name, message: `bad ${kind.name}` });
      expect((error as Error).stack).toContain('answerTo');
    }
    const asks = asked.ask({ kind: 'throw', name: 'InputError', message: 'bad', field: 'queue.block' });
    expect(await reasonOf(asks)).toMatchObject({ code: 'ORBWEAVER_INPUT', field: 'queue.block' });
    expect(await asked.ask({ kind: 'square', of: 3 })).toBe(9);
    expect(started).toHaveLength(1);
  });

  test('many are asked at once, and each has its own answer', async () => {
    const asked = opened(create());
    const numbers = Array.from({ length: 300 }, (_unused, i) => i);
    expect(await Promise.all(numbers.map((of) => asked.ask({ kind: 'square', of })))).toEqual(
      numbers.map((of) => of ** 2),
    );
    expect(started.length).toBeLessThanOrEqual(3);
  });

  test('arrays come and go; what is handed over is gone here', async () => {
    const asked = opened(create());
    const all = Float64Array.of(1, 2, 3);
    expect(await asked.ask({ kind: 'double', all })).toEqual(Float64Array.of(2, 4, 6));
    expect(all).toHaveLength(3);
    expect(await asked.ask({ kind: 'double', all }, [all.buffer])).toEqual(Float64Array.of(2, 4, 6));
    expect(all).toHaveLength(0);
  });

  test('a thread that exits, and one out of memory: WorldError', async () => {
    for (const [kind, says] of [['exit', /7/], ['fill memory', /memory/]] as const) {
      const asked = opened(create());
      const error = await reasonOf(asked.ask({ kind }));
      expect(error).toBeInstanceOf(EndedThread);
      expect(error).toBeInstanceOf(WorldError);
      expect((error as Error).message).toMatch(says);
      const next = asked.ask({ kind: 'square', of: 4 });
      if (isPool) expect(await next).toBe(16);
      else await expect(next).rejects.toThrow((error as Error).message);
    }
  });

  test('what nobody catches in a thread ends it', async () => {
    const asked = opened(create());
    const error = await reasonOf(asked.ask({ kind: 'throw later' }));
    expect(error).toBeInstanceOf(isPool ? EndedThread : AssertionError);
    expect((error as Error).message).toMatch(isPool ? 'threads: one has ended (nobody waits)' : 'thread: nobody waits');
    if (!isPool) expect((error as Error).cause).toBeInstanceOf(TypeError);
  });

  test('an answer that cannot be sent is an error, not a wait', async () => {
    await expect(opened(create()).ask({ kind: 'function' })).rejects.toThrow(
      isPool ? EndedThread : /could not be cloned/,
    );
  });

  test.each(['never', 'spin'] as const)(
    'closed while it answers %s: what waits is rejected, nothing more is taken',
    async (kind) => {
      const asked = opened(create());
      await asked.ask({ kind: 'square', of: 1 });
      const waiting = [1, 2, 3, 4].map(() => reasonOf(asked.ask({ kind })));
      await asked.close();
      for (const error of await Promise.all(waiting)) {
        expect(error).toBeInstanceOf(EndedThread);
        expect((error as Error).message).toMatch(/^threads?: closed$/);
      }
      await expect(asked.ask({ kind: 'square', of: 1 })).rejects.toThrow(AssertionError);
      await asked.close();
    },
  );

  test('closed before it has started', async () => {
    const asked = opened(create());
    const error = reasonOf(asked.ask({ kind: 'square', of: 1 }));
    await asked.close();
    expect(await error).toBeInstanceOf(EndedThread);
  });
});

describe('WorkerHandle', () => {
  test('hears remarks, and when the thread has started', async () => {
    remarks.length = 0;
    const handle = opened(newHandle());
    await handle.started;
    expect(remarks).toEqual(['before the first question']);
    await handle.close();
    expect(await handle.ended).toBeUndefined();
  });

  test('a module that does not load: its own error, with the name of the thread', async () => {
    const handle = opened(new WorkerHandle<Question>({ name: 'thread 5', module: moduleOf('breaking-worker') }));
    const error = await reasonOf(handle.started);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toBe('thread 5: no such queue');
    expect(await handle.ended).toBe(error);
    await expect(handle.ask({ kind: 'exit' })).rejects.toBe(error);
  });
});

describe('WorkerTeam', () => {
  const team = (breaking: Record<number, string> = {}): WorkerTeam<number, number> => {
    const memory = newBarrierMemory();
    return opened(
      new WorkerTeam(
        'team',
        [0, 1, 2].map(
          (thread) =>
            new WorkerHandle<number, number>({
              name: `thread ${thread}`,
              module: moduleOf('sleeping-worker'),
              data: { memory, threads: 3, breaks: breaking[thread] },
            }),
        ),
      ),
    );
  };

  test('asks all, again and again', async () => {
    const whole = team();
    for (let i = 0; i < 20; i++) expect(await whole.ask(i)).toEqual([i + 1, i + 1, i + 1]);
  });

  test.each([
    ['throw', 'no barrier'], ['exit', 'thread 1 has ended (exit code 7)'],
  ])('one that does not come (%s) ends all', async (how, says) => {
    const broken = team({ 1: how });
    await broken.started;
    await expect(broken.ask(1)).rejects.toThrow(says);
    await expect(broken.ask(1)).rejects.toThrow(says);
    await expect(broken.until(new Promise(() => undefined))).rejects.toThrow(says);
    for (const worker of broken.workers) await worker.ended;
  });

  test('closed, what waits is rejected', async () => {
    const whole = team();
    await whole.started;
    const asleep = reasonOf(whole.workers[0].ask(1));
    const waiting = reasonOf(whole.until(new Promise(() => undefined)));
    await whole.close();
    expect([await asleep, await waiting]).toEqual([
      new EndedThread('thread 0: closed'), new EndedThread('team: closed'),
    ]);
    await expect(whole.ask(1)).rejects.toThrow(AssertionError);
  });
});

describe('WorkerPool', () => {
  test('threads that do not start, twice, end what asks for them', async () => {
    const pool = opened(
      new WorkerPool<Question, unknown>({ name: 'threads', module: moduleOf('breaking-worker'), threads: 2 }),
    );
    const errors = await Promise.all([1, 2, 3].map((of) => reasonOf(pool.run({ kind: 'square', of }))));
    for (const error of errors) {
      expect(error).toBeInstanceOf(WorldError);
      expect(String(error)).toMatch(/^WorldError: threads do not start \(.+\)$/);
    }
    expect(started).toHaveLength(6);
  });

  test('a thread that dies while idle is replaced by the next task', async () => {
    const { ask } = opened(newPool(1));
    await ask({ kind: 'square', of: 5 });
    await started[0].terminate();
    expect(await ask({ kind: 'square', of: 5 })).toBe(25);
    expect(started).toHaveLength(2);
  });

  test('a signal ends the thread that has the task, and that alone', async () => {
    const { pool, ask } = opened(newPool(2));
    const controller = new AbortController();
    const { signal } = controller;
    const onBegin = (): void => void setImmediate(() => { controller.abort(); });
    const spinning = reasonOf(pool.run({ kind: 'spin' }, { signal, onBegin }));
    expect(await ask({ kind: 'square', of: 2 })).toBe(4);
    expect(await spinning).toBe(signal.reason);
    expect(await reasonOf(pool.run({ kind: 'square', of: 2 }, { signal }))).toBe(signal.reason);
    expect(await Promise.all([1, 2, 3].map((of) => ask({ kind: 'square', of })))).toEqual([1, 4, 9]);
  });

  test('who runs a task may end the thread that has it', async () => {
    const { pool, ask } = opened(newPool(1));
    const spinning = reasonOf(pool.run({ kind: 'spin' }, { onBegin: (end) => setImmediate(end) }));
    expect(await spinning).toBeInstanceOf(EndedThread);
    expect(await ask({ kind: 'square', of: 2 })).toBe(4);
  });
});

test('scripts may be TypeScript, as under tsx', async () => {
  const handle = opened(new WorkerHandle<Question, unknown>({ name: 'thread', module: typeScriptOf('handle-worker') }));
  const pool = opened(
    new WorkerPool<Question, unknown>({ name: 'threads', module: typeScriptOf('pool-worker'), threads: 1 }),
  );
  expect(await handle.ask({ kind: 'square', of: 6 })).toBe(36);
  expect(await pool.run({ kind: 'square', of: 6 })).toBe(36);
});

test('threads do not keep a process alive that has nothing more to do', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(moduleOf('unclosed'))]);
  expect(stdout).toBe('36');
});
