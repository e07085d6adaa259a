import { InputError, WorldError } from '../../../base/index.ts';
import { threadModule, WorkerPool } from '../../../base/threads/index.ts';
import { planScript } from '../../../questions/plan/index.ts';
import {
  contentKey, RunPool, studyScript, type ClonedContext, type RunScript,
} from '../../../questions/study/index.ts';
import type { GraphStore } from './graph-store.ts';
import type { RunJob, RunNeeds } from './job.ts';
import type { OpeningTask } from './opening.ts';

/** Graphs are large: this many stay open that no run needs at present. */
const maxIdle = 2;

interface OpenContext {
  readonly pool: Promise<RunPool<unknown, unknown>>;
  running: number;
}

export interface ContextsOptions {
  /** Runs at once. */
  readonly threads: number;
  readonly graphs: GraphStore;
  /** If aborted, the worker gives its runs back, and ends. */
  readonly signal: AbortSignal;
  readonly onOpen: (name: string) => void;
  /** Called if a thread died during a run, which is then repeated. */
  readonly onDeath: (why: string) => void;
}

const scripts: Readonly<Record<RunScript['kind'], RunScript>> = { study: studyScript, plan: planScript };

/** Graphs that a worker has open, each with threads for its runs. */
export class Contexts {
  readonly #options: ContextsOptions;
  /** The last one was used last. */
  readonly #open = new Map<string, OpenContext>();

  constructor(options: ContextsOptions) {
    this.#options = options;
  }

  async run({ kind, needs, task }: RunJob): Promise<unknown> {
    const key = contentKey({ kind, needs });
    const context = this.#open.get(key) ?? { pool: this.#opened(kind, needs), running: 0 };
    this.#open.delete(key);
    this.#open.set(key, context);
    context.running++;
    try {
      const pool = await context.pool.catch((error: unknown) => {
        // The next run tries again: a file may have come meanwhile.
        if (this.#open.get(key) === context) this.#open.delete(key);
        throw error;
      });
      return await pool.run(task, needs.graph.name);
    } finally {
      context.running--;
      await this.#closeIdle(maxIdle);
    }
  }

  async close(): Promise<void> {
    await this.#closeIdle(0);
  }

  async #opened(kind: RunScript['kind'], needs: RunNeeds): Promise<RunPool<unknown, unknown>> {
    const { threads, graphs, signal, onOpen, onDeath } = this.#options;
    onOpen(needs.graph.name);
    const opening = new WorkerPool<OpeningTask, ClonedContext>({
      name: "the worker's thread that opens graphs", module: threadModule(import.meta.url, 'opening'), threads: 1,
    });
    try {
      const data = await opening.run({ needs, graphs }, { signal });
      return new RunPool({ ...scripts[kind], data }, { threads, signal, onDeath: (_, why) => onDeath(why) });
    } catch (error) {
      // A file that this machine lacks or that differs here is no fault of the study.
      throw error instanceof InputError ? new WorldError(error.message) : error;
    } finally {
      await opening.close();
    }
  }

  async #closeIdle(stay: number): Promise<void> {
    const idle = [...this.#open].filter(([, { running }]) => running === 0);
    for (const [key, { pool }] of idle.slice(0, Math.max(0, idle.length - stay))) {
      this.#open.delete(key);
      await pool.then((runPool) => runPool.close(), () => undefined);
    }
  }
}
