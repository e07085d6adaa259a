import { EndedThread, threadModule, WorkerHandle } from '../../../base/threads/index.ts';
import { shared } from '../fetch/shared-body.ts';
import { compressedRecords, type ArchivedAnswer } from './warc-records.ts';

export interface ToRecord {
  readonly answer: ArchivedAnswer;
  readonly atMs: number;
}

export interface RecordsMade {
  readonly bytes: Uint8Array;
  /** The end of each answer's records. */
  readonly ends: readonly number[];
}

interface Job extends ToRecord {
  readonly resolve: (records: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Answers that are sent together at most, and the bytes of all but the last of them. */
const MAX_BATCH = 8;
const MAX_BATCH_BYTES = 1 << 19;
/** Batches that are with the thread: while it makes one, the next is there already. */
const MAX_BATCHES = 2;

/**
 * Makes the records of answers, with digests and compression, on a thread that starts with the first of them. If the
 * thread ends, the caller's thread makes its records and all that follow.
 *
 * Memory   the answers, whose bodies the thread reads where they are.
 */
export class RecordThread {
  readonly #module: URL;
  #thread: WorkerHandle<readonly ToRecord[], RecordsMade> | undefined;
  #underWay = 0;
  #waiting: Job[] = [];
  #isSending = false;
  #isLost = false;
  #isClosed = false;

  /** @param module what the thread runs; set by tests of threads that die. */
  constructor(module = threadModule(import.meta.url, 'record-worker')) {
    this.#module = module;
  }

  /** The records of an answer. Rejects after `close`, with EndedThread. */
  records(answer: ArchivedAnswer, atMs: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ answer, atMs, resolve, reject });
      if (this.#isSending) return;
      this.#isSending = true;
      // What arrives in the same turn of the event loop goes together.
      setImmediate(() => {
        this.#isSending = false;
        this.#next();
      });
    });
  }

  /** Ends the thread; what it has not made is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
    this.#next();
  }

  #next(): void {
    if (this.#isClosed || this.#isLost) {
      for (const job of this.#waiting.splice(0)) this.#makeHere(job);
      return;
    }
    if (this.#waiting.length === 0 || this.#underWay === MAX_BATCHES) return;
    this.#underWay++;
    const jobs = this.#waiting.splice(0, this.#countTogether());
    this.#thread ??= new WorkerHandle({ name: 'the thread of the archive', module: this.#module });
    const batch = jobs.map(({ answer, atMs }) => ({ answer: { ...answer, body: shared(answer.body) }, atMs }));
    void this.#thread.ask(batch).then(
      ({ bytes, ends }) => {
        jobs.forEach(({ resolve }, i) => { resolve(bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i])); });
      },
      () => {
        this.#isLost = true;
        for (const job of jobs) this.#makeHere(job);
      },
    ).then(() => {
      this.#underWay--;
      this.#next();
    });
  }

  #makeHere({ answer, atMs, resolve, reject }: Job): void {
    try {
      if (this.#isClosed) throw new EndedThread('the archive was closed');
      resolve(compressedRecords(answer, atMs));
    } catch (error) {
      reject(error);
    }
  }

  #countTogether(): number {
    const max = Math.min(MAX_BATCH, this.#waiting.length);
    let count = 0;
    for (let bytes = 0; count < max && bytes < MAX_BATCH_BYTES; count++)
      bytes += this.#waiting[count].answer.body.length;
    return count;
  }
}
