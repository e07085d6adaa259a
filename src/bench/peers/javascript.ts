import type { BatchQueue, Contender } from '../contenders.ts';

/**
 * The queues of other packages as batch queues, over the same packed entries: the greatest out first. They are development
 * dependencies: where one is not installed it is absent, which is told and is no failure.
 */
const loaders: readonly { readonly name: string; readonly load: () => Promise<(capacity: number) => BatchQueue> }[] = [
  {
    name: 'flatqueue',
    async load() {
      const { default: FlatQueue } = await import('flatqueue');
      return () => flat(new FlatQueue());
    },
  },
  {
    name: 'flatqueue, fixed capacity',
    async load() {
      const { default: FlatQueue } = await import('flatqueue');
      return (capacity) => flat(new FlatQueue(capacity));
    },
  },
  {
    name: 'tinyqueue',
    async load() {
      const { default: TinyQueue } = await import('tinyqueue');
      return () => single(new TinyQueue<number>([], descending));
    },
  },
  {
    name: 'heap-js',
    async load() {
      const { Heap } = await import('heap-js');
      return () => single(new Heap<number>(descending));
    },
  },
  {
    name: 'mnemonist heap',
    async load() {
      const { MinHeap } = await import('mnemonist');
      return () => single(new MinHeap<number>(descending));
    },
  },
];

function descending(a: number, b: number): number {
  return b - a;
}

/** A queue of numbers, one at a time. */
function single(queue: { push(entry: number): unknown; pop(): number | undefined }): BatchQueue {
  return {
    insertMany(entries, from, to) {
      for (let i = from; i < to; i++) queue.push(entries[i]);
    },
    extractTop(k, into) {
      let taken = 0;
      while (taken < k) {
        const entry = queue.pop();
        if (entry === undefined) break;
        into[taken++] = entry;
      }
      return taken;
    },
  };
}

/**
 * flatqueue keeps values and ids in arrays of their own, typed ones where it is given the capacity: both forms are measured. Its
 * least value leaves first, so that values are negated entries; the id, which our entries carry in their low half, is always 0.
 */
function flat(queue: { push(id: number, value: number): void; pop(): unknown; peekValue(): number | undefined }): BatchQueue {
  return {
    insertMany(entries, from, to) {
      for (let i = from; i < to; i++) queue.push(0, -entries[i]);
    },
    extractTop(k, into) {
      let taken = 0;
      while (taken < k) {
        const value = queue.peekValue();
        if (value === undefined) break;
        queue.pop();
        into[taken++] = -value;
      }
      return taken;
    },
  };
}

export interface Absent {
  readonly name: string;
  readonly reason: string;
}

/** The peers that are installed, and those that are not. */
export async function javascriptPeers(): Promise<{ present: Contender[]; absent: Absent[] }> {
  const present: Contender[] = [];
  const absent: Absent[] = [];
  for (const { name, load } of loaders) {
    try {
      const makeOf = await load();
      present.push({ name, isOurs: false, make: ({ capacity }) => makeOf(capacity) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
      absent.push({ name, reason: 'the package is not installed (a development dependency)' });
    }
  }
  return { present, absent };
}
