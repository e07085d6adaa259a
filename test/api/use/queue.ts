import {
  createPagedQueue, createQueue, entryIndex, entryKey, keyLimit, keyOfScore, openPagedQueue, packEntry,
  type PagedQueue, type PriorityQueue, type QueueOptions,
} from 'orbweaver/queue';

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`does not hold: ${what}`);
}

const entries = Float64Array.from({ length: 1000 }, (_, index) => packEntry(keyOfScore(index), index));
const kinds: readonly QueueOptions['kind'][] = ['quickheap', 'cbt', 'binary-heap'];
const filled = (queue: PriorityQueue): PriorityQueue => {
  queue.insertMany(entries, 0, entries.length);
  return queue;
};
const paged: PagedQueue = createPagedQueue({ kind: 'cbt', path: 'queue.pages', cacheBytes: 1 << 20 });
filled(paged);
paged.close();
const queues = [
  ...kinds.map((kind) => filled(createQueue({ kind, block: 16, seed: 1 }))),
  openPagedQueue({ path: 'queue.pages', cacheBytes: 1 << 20 }),
];
for (const queue of queues) {
  const top = new Float64Array(3);
  check(queue.extractTop(3, top) === 3 && queue.size === 997, 'three leave');
  check(Array.from(top, entryIndex).sort().join() === '997,998,999', 'the three greatest leave');
  check(top.every((entry) => entryKey(entry) < keyLimit), 'keys are below the limit');
  queue.checkInvariants();
  queue.dispose();
}
