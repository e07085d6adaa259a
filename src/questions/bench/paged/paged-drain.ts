import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pagedQueueKinds } from '../../../core/queue/index.ts';
import { assert } from '../../../base/index.ts';
import { loaderArguments, threadModule } from '../../../base/threads/index.ts';
import type { Drained, DrainTask, PagedDrainTask } from './drain.ts';
import { operationsOf } from './io.ts';
import { columns, type Part, type Shown } from '../part.ts';
import type { Absent } from '../peers/javascript.ts';
import { stxxlName, stxxlPriorityQueue } from '../peers/stxxl-priority-queue.ts';

export interface PagedDrain extends Drained {
  readonly queue: string;
  readonly isOurs: boolean;
}

export interface PagedDrainResult extends DrainTask {
  readonly drains: readonly PagedDrain[];
  /** Compiler and flags of the C++ peer; null where it is absent. */
  readonly compiler: string | null;
  readonly absent: readonly Absent[];
}

/** What a process may grow by beyond the memory its queue is given: the engine's garbage, and tables by page. */
export const overheadBytes = 100 * 2 ** 20;

/**
 * A queue many times its memory, filled and then emptied in order: ours, and STXXL's. Each runs in a process of its
 * own, so that the memory of others does not count.
 */
export const pagedDrainPart: Part<PagedDrainResult> = {
  name: 'paged',
  title: 'Queues in secondary memory, filled and emptied',
  async measure(context) {
    const { pagedEntries: entries, pagedMemoryBytes: memoryBytes, seed, signal } = context;
    const task = { entries, memoryBytes, seed };
    const drains: PagedDrain[] = [];
    const absent: Absent[] = [];
    let compiler: string | null = null;
    const add = async (queue: string, isOurs: boolean, run: () => Promise<Drained>): Promise<void> => {
      await context.report(`${queue}, ${entries} entries in ${mebibytes(memoryBytes)}`);
      try {
        if (!signal.aborted) drains.push({ queue, isOurs, ...(await run()) });
      } catch (error) {
        // Killed halfway; what there is is returned.
        if (!signal.aborted) throw error;
      }
    };
    for (const kind of pagedQueueKinds) await add(`paged ${kind}`, true, () => drainApart({ ...task, kind }, signal));
    if (!signal.aborted) {
      await context.report('compiling STXXL');
      const stxxl = await stxxlPriorityQueue(task);
      if ('reason' in stxxl) {
        absent.push(stxxl);
      } else {
        ({ compiler } = stxxl);
        try {
          await add(stxxlName, false, () => stxxl.drain(signal));
        } finally {
          await stxxl.remove();
        }
      }
    }
    for (const { queue, checksum } of drains) {
      assert(checksum === drains[0].checksum, () => `${queue} took out other entries than ${drains[0].queue} did`);
    }
    return { ...task, drains, compiler, absent };
  },
  show,
};

/** At least 64 pages in memory; none is above 64 KiB. */
function pageBytesFor(memoryBytes: number): number {
  return 2 ** Math.floor(Math.log2(Math.min(65536, memoryBytes / 64)));
}

/** One of our queues, in another process. */
export async function drainApart(
  task: Omit<PagedDrainTask, 'path' | 'pageBytes'>, signal?: AbortSignal,
): Promise<Drained> {
  const program = threadModule(import.meta.url, 'drain-process');
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-bench-'));
  try {
    const whole: PagedDrainTask = { ...task, path: join(folder, 'queue'), pageBytes: pageBytesFor(task.memoryBytes) };
    const words = [...loaderArguments(program), fileURLToPath(program), JSON.stringify(whole)];
    const { stdout } = await promisify(execFile)(process.execPath, words, { signal, killSignal: 'SIGKILL' });
    return JSON.parse(stdout) as Drained;
  } finally {
    // Killed, it may have made its file while others were removed.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function show({ entries, memoryBytes, seed, drains, compiler, absent }: PagedDrainResult): Shown {
  const times = (8 * entries) / memoryBytes;
  const movedBytes = ({ insert, extract }: Drained): number =>
    [insert, extract].reduce((sum, io) => sum + io.bytesRead + io.bytesWritten, 0);
  const operations = ({ insert, extract }: Drained): number => operationsOf(insert) + operationsOf(extract);
  const ours = drains.filter(({ isOurs }) => isOurs);
  const peer = drains.find(({ isOurs }) => !isOurs);
  const verdicts = ours.map((drain) => {
    const growth = drain.residentGrowthBytes ?? 0;
    const isWithin = growth <= memoryBytes + overheadBytes;
    const beside =
      peer === undefined || movedBytes(peer) === 0
        ? ''
        : `, ${(movedBytes(drain) / movedBytes(peer)).toFixed(2)} times the bytes that ${peer.queue} moved`;
    return (
      `${drain.queue}: all ${entries} entries came out in order; ${operations(drain)} I/O operations of ${drain.pageBytes} bytes ` +
      `move each entry ${(movedBytes(drain) / (8 * entries)).toFixed(1)} times${beside}. Resident memory grew by ${mebibytes(growth)}, ` +
      `which is ${isWithin ? 'within' : 'above'} the memory given and ${mebibytes(overheadBytes)} more.`
    );
  });
  return {
    paragraphs: [
      `${entries} entries of uniform keys (seed ${seed}) go in, then all come out, greatest first, 8192 at a time, in ` +
        `${mebibytes(memoryBytes)} of main memory: the entries take ${times.toFixed(1)} times as much. Each queue runs in a process of ` +
        'its own, the clock stands while entries are made and looked at, and all returned the same entries in the same batches.',
      ...verdicts,
      ...absent.map(({ name, reason }) => `${name} is absent: ${reason}.`),
      ...(peer === undefined
        ? []
        : [
            `${peer.queue} (${compiler ?? ''}) has half the memory for the queue and half for blocks under way, in blocks of ` +
              `${peer.pageBytes} bytes, which its own rule finds: compare bytes, not operations. It sorts what comes in and merges; it ` +
              'counts no comparisons, has no checksums and cannot undo an operation, and a thread of its own does its I/O, so that some of ' +
              'its counts vary from run to run.',
          ]),
      "Files go through the system's cache, on all sides: where main memory is ample, seconds are not those of a disk.",
    ],
    tables: [
      {
        name: 'paged',
        caption: `${entries} entries in and out, ${mebibytes(memoryBytes)} of main memory`,
        columns: columns(
          'queue', 'page or block, bytes', ['seconds in', 2], ['seconds out', 2], ['comparisons an entry', 1], 'reads',
          'writes', 'I/O operations', ['MiB read', 1], ['MiB written', 1], ['resident growth, MiB', 1],
        ),
        rows: drains.map((drain) => {
          const { queue, pageBytes, insert, extract, residentGrowthBytes } = drain;
          const compared =
            insert.comparisons === null || extract.comparisons === null
              ? null
              : insert.comparisons + extract.comparisons;
          return [
            queue, pageBytes, insert.seconds, extract.seconds, compared === null ? null : compared / entries,
            insert.reads + extract.reads, insert.writes + extract.writes, operations(drain),
            (insert.bytesRead + extract.bytesRead) / 2 ** 20, (insert.bytesWritten + extract.bytesWritten) / 2 ** 20,
            residentGrowthBytes === null ? null : residentGrowthBytes / 2 ** 20,
          ];
        }),
      },
    ],
    charts: [],
  };
}

function mebibytes(bytes: number): string {
  return `${Number((bytes / 2 ** 20).toFixed(1))} MiB`;
}
