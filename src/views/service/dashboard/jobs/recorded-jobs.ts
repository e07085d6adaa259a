import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readRegular } from '../../../../base/files/index.ts';
import { InputError } from '../../../../base/index.ts';
import {
  jobKinds, maxCandidates, type JobBoard, type JobFile, type JobKind, type JobState,
} from '../../../watch/index.ts';
import { changedAt, checkOwnFile, timeOf } from '../runs/record-files.ts';

/** A job in a folder, as far as its files say. */
export interface RecordedJob {
  readonly kind: JobKind;
  readonly name: string;
  readonly command: string;
  readonly startedAt: string | null;
  readonly state: 'finished' | 'interrupted' | 'damaged';
  readonly answer: string | null;
  readonly problem: string | null;
}

/** plan.json of a large plan has some megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;

const interval = z.object({ mean: z.number(), low: z.number().nullable(), high: z.number().nullable() });
const text = z.string().max(20_000);
const board = {
  noun: text, unlisted: z.int().min(0), answer: text.nullable(),
  measures: z.array(z.object({
    name: text, form: z.enum(['share', 'seconds', 'number']), better: z.enum(['more', 'less']),
    limit: z.number().nullable(),
  })).max(16),
  candidates: z.array(z.object({
    name: text, at: z.number().nullable(), standing: z.enum(['in', 'out', 'best']), runs: z.int().min(0),
    estimates: z.array(interval.nullable()).max(16),
  })).max(maxCandidates),
} satisfies Record<keyof JobBoard, z.ZodType>;
const jobFile: z.ZodType<JobFile> = z.object({
  kind: z.enum(jobKinds), name: text, command: z.string().max(1_000_000), startedAt: z.iso.datetime(),
  elapsedSeconds: z.number().min(0), ended: z.enum(['finished', 'interrupted']).nullable(), ...board,
});

/** What every version of these documents has. */
const document = z.object({
  answer: text.optional(), graph: text.optional(), title: text.nullish(), dataset: z.object({ name: text }).optional(),
});

/**
 * Jobs by their folders: each read once, and again when it has changed.
 *
 * Cost  a look at four names per folder.
 */
export class RecordedJobs {
  readonly #known = new Map<string, { readonly changed: string; readonly job: RecordedJob }>();

  /** The job in a folder, if there is one. */
  async of(folder: string): Promise<RecordedJob | undefined> {
    for (const name of ['job', ...jobKinds] as const) {
      const stats = lstatSync(join(folder, `${name}.json`), { throwIfNoEntry: false });
      if (stats !== undefined && !stats.isDirectory()) return this.#read(folder, name, stats);
    }
    return undefined;
  }

  async #read(folder: string, name: 'job' | JobKind, stats: Stats): Promise<RecordedJob> {
    const path = join(folder, `${name}.json`);
    const [at, changed] = [timeOf(stats), changedAt(stats)];
    const cached = this.#known.get(path);
    if (cached?.changed === changed) return cached.job;
    let job: RecordedJob;
    try {
      const content = await documentIn(folder, `${name}.json`);
      job = name === 'job' ? fromJobFile(content, path, at) : fromDocument(name, content, path, at);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      job = { ...damaged(name === 'job' ? 'plan' : name, path, at), problem: error.message };
    }
    this.#known.set(path, { changed, job });
    return job;
  }
}

/** The last state of a job that was watched; null for any other. */
export async function recordedState(folder: string): Promise<JobState | null> {
  const content = await documentIn(folder, 'job.json').catch(() => undefined);
  const { success, data } = jobFile.safeParse(content);
  if (!success) return null;
  const { noun, measures, candidates, unlisted, answer, elapsedSeconds } = data;
  return {
    noun, measures, candidates, unlisted, answer, elapsedSeconds, phase: 'finished', error: null, progress: null,
  };
}

/**
 * The document in a file, which a stranger may have written; undefined if there is none, or it is no JSON.
 * @throws InputError if it is no file of that folder, or too long.
 */
async function documentIn(folder: string, name: string): Promise<unknown> {
  if (!checkOwnFile(folder, name, MAX_BYTES)) return undefined;
  const text = (await readRegular(join(folder, name), MAX_BYTES)).toString();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromJobFile(content: unknown, path: string, at: string | null): RecordedJob {
  const { success, data } = jobFile.safeParse(content);
  if (!success) return damaged('plan', path, at);
  const { kind, name, command, startedAt, ended, answer } = data;
  const isWhole = ended === 'finished';
  return {
    kind, name, command, startedAt, answer, state: isWhole ? 'finished' : 'interrupted',
    problem: isWhole ? null : `${ended === null ? 'its process was ended' : 'it was stopped'}; started again, ` +
      (kind === 'tune' ? 'it starts again' : 'it continues where it stopped: finished runs are stored'),
  };
}

function fromDocument(kind: JobKind, content: unknown, path: string, at: string | null): RecordedJob {
  const { success, data } = document.safeParse(content);
  if (!success) return damaged(kind, path, at);
  const { answer = null, title, graph, dataset } = data;
  return {
    kind, name: title ?? dataset?.name ?? graph ?? '', command: '', startedAt: at, state: 'finished',
    answer, problem: null,
  };
}

function damaged(kind: JobKind, path: string, at: string | null): RecordedJob {
  return {
    kind, name: '', command: '', startedAt: at, state: 'damaged', answer: null,
    problem: `${path}: cannot be read; it is not a document of this version of Orbweaver`,
  };
}
