import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BatchQueue, Contender } from '../contenders.ts';

interface Peer {
  readonly name: string;
  readonly package: string;
  readonly load: () => Promise<(capacity: number) => BatchQueue>;
}

const descending = (a: number, b: number): number => b - a;

/**
 * The queues of other packages as batch queues, over the same packed entries: the greatest out first. They are
 * development dependencies: where one is not installed, or in a version that another package brought along, it is left
 * out, which is reported and is no failure.
 */
const loaders: readonly Peer[] = [
  {
    name: 'flatqueue', package: 'flatqueue',
    load: () => import('flatqueue').then(({ default: FlatQueue }) => () => flat(new FlatQueue())),
  },
  {
    name: 'flatqueue, fixed capacity', package: 'flatqueue',
    load: () => import('flatqueue').then(({ default: FlatQueue }) => (capacity) => flat(new FlatQueue(capacity))),
  },
  {
    name: 'tinyqueue', package: 'tinyqueue',
    load: () => import('tinyqueue').then(({ default: TinyQueue }) => () => single(new TinyQueue([], descending))),
  },
  {
    name: 'heap-js', package: 'heap-js',
    load: () => import('heap-js').then(({ Heap }) => () => single(new Heap(descending))),
  },
  {
    name: 'mnemonist heap', package: 'mnemonist',
    load: () => import('mnemonist').then(({ MinHeap }) => () => single(new MinHeap(descending))),
  },
];

/** A queue of numbers, one at a time. */
function single(queue: { push(entry: number): unknown; pop(): number | undefined }): BatchQueue {
  return {
    insertMany(entries, from, to) {
      for (let i = from; i < to; i++) queue.push(entries[i]);
    },
    extractTop(k, into) {
      let count = 0;
      while (count < k) {
        const entry = queue.pop();
        if (entry === undefined) break;
        into[count++] = entry;
      }
      return count;
    },
  };
}

/**
 * flatqueue keeps values and ids in arrays of their own, typed ones where it is given the capacity: both forms are
 * measured. Its least value leaves first, so that values are negated entries; the id, which our entries carry in their
 * low half, is always 0.
 */
function flat(queue: {
  push(id: number, value: number): void;
  pop(): unknown;
  peekValue(): number | undefined;
}): BatchQueue {
  return {
    insertMany(entries, from, to) {
      for (let i = from; i < to; i++) queue.push(0, -entries[i]);
    },
    extractTop(k, into) {
      let count = 0;
      while (count < k) {
        const value = queue.peekValue();
        if (value === undefined) break;
        queue.pop();
        into[count++] = -value;
      }
      return count;
    },
  };
}

export interface Absent {
  readonly name: string;
  readonly reason: string;
}

/**
 * The peers that are installed, and those that are not.
 * @param from a file: the peers are those that it would import.
 */
export async function javascriptPeers(from = import.meta.url): Promise<{ present: Contender[]; absent: Absent[] }> {
  const present: Contender[] = [];
  const absent: Absent[] = [];
  for (const peer of loaders) {
    const { name } = peer;
    const reason = whyAbsent(peer.package, from);
    if (reason !== undefined) {
      absent.push({ name, reason });
      continue;
    }
    const makeOf = await peer.load();
    present.push({ name, isOurs: false, make: ({ capacity }) => makeOf(capacity) });
  }
  return { present, absent };
}

/** Ours, the same from `src/` and from `dist/`. */
const { devDependencies } = createRequire(import.meta.url)('../../../../package.json') as {
  devDependencies: Record<string, string>;
};

/** Why a package cannot be measured; undefined where it can. */
function whyAbsent(name: string, from: string): string | undefined {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  const path = folders.map((folder) => join(folder, name, 'package.json')).find(existsSync);
  if (path === undefined) return 'the package is not installed (a development dependency)';
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  const range = devDependencies[name];
  return isWithin(version, range) ? undefined : `version ${version} is installed, not ${range}`;
}

/**
 * Whether a version is within a range like ^1.2.3: the first number that is not 0 is the same, and what follows is no
 * less.
 */
function isWithin(version: string, range: string): boolean {
  const [actual, least] = [version, range].map((text) => text.replace(/^\^/, '').split('.').map(Number));
  const first = least.findIndex((number) => number !== 0);
  if (actual.slice(0, first + 1).join('.') !== least.slice(0, first + 1).join('.')) return false;
  const at = least.findIndex((number, i) => number !== actual[i]);
  return at < 0 || actual[at] > least[at];
}
