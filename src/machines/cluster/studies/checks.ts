import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { InputError } from '../../../base/index.ts';
import { canonicalJson, contentKey, ofForm, type ReadRun, type TakeBack } from '../../../questions/study/index.ts';
import type { RunJob } from './job.ts';

/** One run in so many of each worker is repeated. */
const repeatOneIn = 20;
/** Names come from the server, and may be of any length. */
const maxNameChars = 100;
const maxReasonChars = 300;

/** The checksums of a job: an answer carries the same. */
export type JobMarks = Readonly<
  Record<'version' | 'kind' | 'graph' | 'scores' | 'fit' | 'policies' | 'settings', string>
>;

/** The marks of a job. */
export function marksOf({ kind, needs: { graph, scores, fit, policyFiles }, task }: RunJob, version: string): JobMarks {
  return {
    version, kind, graph: graph.checksum, scores: scores?.sha256 ?? '', fit: fit?.sha256 ?? '',
    policies: policyFiles.map(({ sha256 }) => sha256).join(' '), settings: contentKey(task),
  };
}

/** The answer of a worker. */
export interface Answer {
  readonly job: JobMarks;
  readonly run: unknown;
}

const mark = z.string();
const answerSchema = z.strictObject({
  job: z.strictObject({
    version: mark, kind: mark, graph: mark, scores: mark, fit: mark, policies: mark, settings: mark,
  }),
  run: z.unknown(),
});

/** The longest answer that a true worker gives, in bytes: figures, and up to two numbers for each page of the graph. */
export const maxAnswerBytes = (pages: number): number => 2 ** 21 + 32 * pages;

/** The run in an answer to a job. @throws InputError with the place at which it is no such answer. */
function runIn<Run>(text: string, marks: JobMarks, runOf: (run: unknown) => Run): Run {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError('the whole: is not JSON');
  }
  const { job, run } = ofForm(answerSchema, value);
  for (const [name, expected] of Object.entries(marks))
    if (job[name as keyof JobMarks] !== expected) throw new InputError(`job.${name}: differs from the job's`);
  try {
    return runOf(run);
  } catch (error) {
    if (error instanceof RangeError) throw new InputError('run: is nested too deeply');
    throw error;
  }
}

/** The trust in workers, for as long as a process has runs for them. */
export class Trust {
  /** No worker knows it, so none can tell which of its runs will be repeated. */
  readonly #secret: Uint8Array;
  readonly #met = new Set<string>();
  readonly #dropped = new Set<string>();
  readonly #onRemark: (text: string) => void;

  constructor(onRemark: (text: string) => void, secret: Uint8Array = randomBytes(32)) {
    this.#onRemark = onRemark;
    this.#secret = secret;
  }

  isDropped(worker: string): boolean {
    return this.#dropped.has(worker);
  }

  /** Whether a run is to be repeated: the first of a worker, since a name costs nothing, and one in twenty after it. */
  isDrawn(worker: string, key: string): boolean {
    if (!this.#met.has(worker)) {
      this.#met.add(worker);
      return true;
    }
    const draw = createHmac('sha256', this.#secret).update(`${worker}\n${key}`).digest().readUInt32LE();
    return draw % repeatOneIn === 0;
  }

  drop(worker: string, reason: string): void {
    if (this.#dropped.has(worker)) return;
    this.#dropped.add(worker);
    this.#onRemark(
      `worker ${worker} is dropped, and its runs are repeated by others: ${reason.slice(0, maxReasonChars)}`,
    );
  }
}

/** The result of a job that a worker left on the server. */
export interface WorkerResult {
  /** The name by which it took the job; empty if there is none. */
  readonly worker: string;
  /** Its answer as text; undefined if that is longer than any true one. */
  readonly answer: string | undefined;
}

export interface ChecksOptions<Task, Run> {
  readonly trust: Trust;
  readonly read: ReadRun<Task, Run>;
  /** Runs a task in this process; undefined if the signal ended it. */
  readonly here: (task: Task, key: string) => Promise<Run | undefined>;
  readonly takeBack: TakeBack;
}

/** The runs of workers for one study or plan: none is believed that was not read, and some are repeated. */
export class Checks<Task, Run> {
  readonly #options: ChecksOptions<Task, Run>;
  /** Whose runs were believed, by worker: the keys of those stored. */
  readonly #stored = new Map<string, Set<string>>();
  readonly #workers = new Map<string, string>();

  constructor(options: ChecksOptions<Task, Run>) {
    this.#options = options;
  }

  /** The run of a job that a worker has answered; where its answer does not count, as this process runs it. */
  async believed(
    key: string, { task }: { readonly task: Task }, marks: JobMarks, result: WorkerResult,
  ): Promise<Run | undefined> {
    const { trust, here } = this.#options;
    const worker = nameOf(result);
    if (trust.isDropped(worker)) return here(task, key);
    let run: Run;
    try {
      if (result.answer === undefined) throw new InputError('the whole: is longer than any answer');
      run = runIn(result.answer, marks, (value) => this.#options.read(task, value));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      await this.#drop(worker, `its answer is refused: ${error.message}`);
      return here(task, key);
    }
    if (trust.isDrawn(worker, key)) {
      const ours = await here(task, key);
      if (ours === undefined) return undefined;
      const difference = differenceOf(ours, run);
      if (difference === undefined) this.#workers.set(key, worker);
      else await this.#drop(worker, `a run of it was repeated, and ${difference}`);
      return ours;
    }
    this.#workers.set(key, worker);
    return run;
  }

  /** The run of a job of which a worker says that it fails: this process finds out. @throws what the run throws. */
  async failed(
    key: string, { task }: { readonly task: Task }, result: WorkerResult, why: string,
  ): Promise<Run | undefined> {
    const run = await this.#options.here(task, key);
    if (run !== undefined) await this.#drop(nameOf(result), `it says that a run fails which does not: ${why}`);
    return run;
  }

  /** Notes that a run is stored. False if its worker was dropped meanwhile. */
  stored(key: string): boolean {
    const worker = this.#workers.get(key);
    if (worker === undefined) return true;
    this.#workers.delete(key);
    if (this.#options.trust.isDropped(worker)) return false;
    const keys = this.#stored.get(worker) ?? new Set();
    this.#stored.set(worker, keys.add(key));
    return true;
  }

  async #drop(worker: string, reason: string): Promise<void> {
    this.#options.trust.drop(worker, reason);
    const keys = this.#stored.get(worker) ?? [];
    this.#stored.delete(worker);
    for (const key of keys) await this.#options.takeBack(key);
  }
}

const nameOf = ({ worker }: WorkerResult): string => (worker === '' ? 'without a name' : worker.slice(0, maxNameChars));

/** How a run differs from its repetition; undefined if it does not. */
function differenceOf(ours: unknown, theirs: unknown): string | undefined {
  const [here, there] = [ours, theirs].map(hashOf);
  if (here !== there) return `its replay hash is ${there}, here ${here}`;
  // As it will be stored: without undefined fields.
  return canonicalJson(ours) === canonicalJson(theirs) ? undefined : 'its figures are others than here';
}

/** The replay hash of a study's run, or of a plan's trial. */
function hashOf(run: unknown): string {
  const { run: inner = run } = run as { readonly run?: unknown };
  return (inner as { readonly replayHash: string }).replayHash;
}
