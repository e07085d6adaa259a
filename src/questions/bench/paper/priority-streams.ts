import type { PartSettings } from '../part.ts';
import { simulate } from '../../../core/engine/index.ts';
import { buildGraph, prepare, type WebGraph } from '../../../graphs/graph/index.ts';
import { createQueue, type IoCounts, type PriorityQueue } from '../../../core/queue/index.ts';
import { assert, DrawStream, grown } from '../../../base/index.ts';
import type { BatchQueue } from '../contenders.ts';
import { hold, holdPlan } from '../hold/hold-model.ts';

/** What went through one queue, batch by batch: enough to send it through another. */
export interface PriorityStream {
  /** A positive step puts in that many of the next entries, a negative one takes that many out. */
  readonly steps: Int32Array;
  /** All entries put in, in order. */
  readonly entries: Float64Array;
  readonly extracted: number;
}

/** A queue that writes down what passes through it, and is otherwise the queue inside. */
export class RecordingQueue implements PriorityQueue {
  readonly #inner: PriorityQueue;
  readonly #steps: number[] = [];
  #entries = new Float64Array(1024);
  #inserted = 0;
  #extracted = 0;

  constructor(inner: PriorityQueue) {
    this.#inner = inner;
  }

  get size(): number {
    return this.#inner.size;
  }

  get comparisons(): PriorityQueue['comparisons'] {
    return this.#inner.comparisons;
  }

  get structure(): PriorityQueue['structure'] {
    return this.#inner.structure;
  }

  get io(): IoCounts {
    return this.#inner.io ?? { reads: 0, writes: 0, bytesRead: 0, bytesWritten: 0 };
  }

  insertMany(entries: Float64Array, from: number, to: number): void {
    this.#inner.insertMany(entries, from, to);
    if (to === from) return;
    this.#entries = grown(this.#entries, this.#inserted + to - from);
    this.#entries.set(entries.subarray(from, to), this.#inserted);
    this.#inserted += to - from;
    this.#steps.push(to - from);
  }

  extractTop(k: number, into: Float64Array): number {
    const count = this.#inner.extractTop(k, into);
    if (count > 0) this.#steps.push(-count);
    this.#extracted += count;
    return count;
  }

  checkInvariants(): void {
    this.#inner.checkInvariants();
  }

  dispose(): void {
    this.#inner.dispose();
  }

  stream(): PriorityStream {
    return {
      steps: Int32Array.from(this.#steps), entries: this.#entries.slice(0, this.#inserted), extracted: this.#extracted,
    };
  }
}

/** Sends a stream through an empty queue. `onBatch` sees each batch that leaves; it must not keep the array. */
export function replay(
  { steps, entries }: PriorityStream, queue: BatchQueue, onBatch?: (batch: Float64Array) => void,
): void {
  const into = new Float64Array(steps.reduce((most, step) => Math.max(most, -step), 0));
  let at = 0;
  for (const step of steps) {
    if (step > 0) {
      queue.insertMany(entries, at, at + step);
      at += step;
    } else {
      const count = queue.extractTop(-step, into);
      assert(count === -step, () => `replay: ${count} entries left, not ${-step}`);
      onBatch?.(into.subarray(0, count));
    }
  }
}

/** A workload for queues: for each batch size R the streams of its processors. */
export interface StreamSource {
  readonly name: string;
  /** Drawn by us, not taken from the web. */
  readonly isSynthetic: boolean;
  /** R beyond this is not measured: a queue would be empty after a batch or two. */
  readonly largestBlock: number;
  streams(block: number): Promise<PriorityStream[]>;
}

const anyQueue = (block: number): PriorityQueue => createQueue({ kind: 'binary-heap', block, seed: 1 });

/**
 * The queues of an OPIC crawl whose processors fetch R pages a superstep and keep R pending jobs: each superstep takes
 * about R entries out and puts in what was found or has grown. Recorded anew for each R, since R decides what is found
 * when. Supersteps end by count alone; all else as `orbweaver simulate` does it. The queue that records has no
 * influence: every kind gives the same crawl.
 */
export function crawlSource(graph: WebGraph, processors: number, isSynthetic = false): StreamSource {
  // The measures need them, and nobody looks at those here.
  const ranks = new Float64Array(graph.pages).fill(1 / graph.pages);
  const prepared = prepare(graph);
  return {
    name: `${graph.name}, OPIC, ${processors === 1 ? '1 processor' : `${processors} processors`}`,
    isSynthetic,
    largestBlock: Math.ceil(graph.pages / processors / 2),
    async streams(block) {
      const recorders: RecordingQueue[] = [];
      await simulate(
        prepared,
        { policy: 'opic', processors, superstepLimit: block, pending: block, superstepMs: 0 },
        {
          ranks,
          makeQueue: (options, processor) =>
            (recorders[processor] = new RecordingQueue(createQueue({ ...options, kind: 'binary-heap' }))),
        },
      );
      return recorders.map((recorder) => recorder.stream());
    },
  };
}

/** The hold model with uniform keys: N entries put in, then `operations` taken out and put in, R at a time. */
export function holdSource(entries: number, operations: number, seed: number): StreamSource {
  return {
    name: `hold model, uniform keys, N = ${entries}`,
    isSynthetic: true,
    largestBlock: entries / 4,
    streams(block) {
      const recorder = new RecordingQueue(anyQueue(block));
      hold(recorder, holdPlan({ entries, block, operations, seed }));
      return Promise.resolve([recorder.stream()]);
    },
  };
}

/** Crawls of the graphs by one processor and by eight, and of the synthetic graph. */
export function crawlSources(
  { graphs, syntheticPages, seed }: Pick<PartSettings, 'graphs' | 'syntheticPages' | 'seed'>,
): StreamSource[] {
  return [
    ...graphs.flatMap((graph) => [crawlSource(graph, 1), crawlSource(graph, 8)]),
    crawlSource(syntheticGraph(syntheticPages, seed), 1, true),
  ];
}

/**
 * A web sample of our own drawing, for want of a second real one: each page is found from one earlier page and links to
 * up to seven earlier ones; half of all ends are copied from an arc drawn before, which favours pages that many link to
 * (the copying model of Kumar et al., "Stochastic models for the Web graph", FOCS 2000). Everything is reachable from
 * page 0.
 */
export function syntheticGraph(pages: number, seed: number): WebGraph {
  const draws = new DrawStream(seed, 'synthetic graph');
  const sources: number[] = [];
  const targets: number[] = [];
  let id = 0;
  const below = (bound: number): number => Math.floor(draws.uniform(id++) * bound);
  const earlier = (page: number): number =>
    targets.length > 0 && below(2) === 0 ? targets[below(targets.length)] : below(page);
  for (let page = 1; page < pages; page++) {
    const links = Array.from({ length: Math.min(7, page) }, () => earlier(page));
    sources.push(earlier(page), ...links.map(() => page));
    targets.push(page, ...links);
  }
  return buildGraph({
    name: `synthetic-copying-${pages}`,
    pages,
    sources: Uint32Array.from(sources),
    targets: Uint32Array.from(targets),
    seeds: Uint32Array.of(0),
  });
}
