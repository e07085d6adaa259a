import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPagedQueue, nodeFileAccess, type FileAccess, type IoCounts, type PagedQueueKind,
} from '../../../core/queue/index.ts';
import { assert } from '../../../base/index.ts';
import { ioBetween, operationsOf } from './io.ts';
import type { PriorityStream } from '../paper/priority-streams.ts';

/** A stretch of a stream that is counted by itself: steps [from, to). */
export interface Phase {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface PagedReplayOptions {
  readonly kind: PagedQueueKind;
  /** R: a page holds R keys, so that a CBT's block is one page. */
  readonly block: number;
  readonly memoryBytes: number;
}

export interface PhaseCounts extends IoCounts {
  /** Entries put in and taken out. */
  readonly inserted: number;
  readonly extracted: number;
  /** At least so many entries came and left in memory, never in a page that was written. */
  readonly neverStored: number;
  /** I/O operations of the extraction that needed most. */
  readonly worstBatch: number;
}

export interface PagedReplay {
  readonly phases: readonly PhaseCounts[];
  /** Depends on the entries of every batch, not on their order within it. */
  readonly checksum: number;
}

/** Most entries held at once. */
export function peakOf({ steps }: PriorityStream): number {
  let size = 0;
  let peak = 0;
  for (const step of steps) {
    size += step;
    peak = Math.max(peak, size);
  }
  return peak;
}

/**
 * The stream with each entry replaced by its rank, 1 for the least: every comparison has the same result, and a written
 * page shows which entries it contains. Of equal entries the earlier one gets the lower rank.
 */
export function ranked({ steps, entries, extracted }: PriorityStream): PriorityStream {
  const order = Uint32Array.from(entries.keys()).sort((a, b) => entries[a] - entries[b] || a - b);
  const ranks = new Float64Array(entries.length);
  order.forEach((at, rank) => (ranks[at] = rank + 1));
  return { steps, entries: ranks, extracted };
}

/**
 * Sends a ranked stream through an empty paged queue in a temporary file, and counts reads and writes.
 * Deterministic.
 */
export function replayPaged(
  { steps, entries }: PriorityStream, phases: readonly Phase[], options: PagedReplayOptions,
): PagedReplay {
  const { kind, block, memoryBytes } = options;
  const isStored = new Uint8Array(entries.length + 1);
  const access: FileAccess = {
    ...nodeFileAccess,
    write(descriptor, bytes, offset, length, position) {
      if (length === 8 * block)
        for (const rank of new Float64Array(bytes.buffer, bytes.byteOffset, block)) isStored[rank] = 1;
      return nodeFileAccess.write(descriptor, bytes, offset, length, position);
    },
  };
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const queue = createPagedQueue({
    kind, path: join(folder, 'queue'), cacheBytes: memoryBytes, pageBytes: 8 * block, block, access,
  });
  try {
    const into = new Float64Array(steps.reduce((most, step) => Math.max(most, -step), 0));
    // I/O and insertions before each step.
    const ioAt: IoCounts[] = [];
    const inserted: number[] = [];
    let at = 0;
    let checksum = 0;
    for (const step of steps) {
      ioAt.push({ ...queue.io });
      inserted.push(at);
      if (step > 0) {
        queue.insertMany(entries, at, at + step);
        at += step;
      } else {
        const keyCount = queue.extractTop(-step, into);
        assert(keyCount === -step, () => `replay: ${keyCount} entries left, not ${-step}`);
        let sum = 0;
        for (let i = 0; i < keyCount; i++) sum = (sum + into[i]) >>> 0;
        checksum = (Math.imul(checksum, 31) + sum) >>> 0;
      }
    }
    ioAt.push({ ...queue.io });
    inserted.push(at);
    const countsOf = ({ from, to }: Phase): PhaseCounts => {
      let worstBatch = 0;
      let extracted = 0;
      for (let step = from; step < to; step++) {
        if (steps[step] > 0) continue;
        extracted -= steps[step];
        worstBatch = Math.max(worstBatch, operationsOf(ioBetween(ioAt[step], ioAt[step + 1])));
      }
      const came = entries.subarray(inserted[from], inserted[to]);
      const neverStored = came.reduce((count, rank) => count + 1 - isStored[rank], 0);
      return { ...ioBetween(ioAt[from], ioAt[to]), inserted: came.length, extracted, neverStored, worstBatch };
    };
    return { phases: phases.map(countsOf), checksum };
  } finally {
    queue.dispose();
    rmSync(folder, { recursive: true });
  }
}
