import { InputError, WorldError } from '../../../base/index.ts';
import type { RunScript } from '../../../questions/study/index.ts';

/** Before all keys of BullMQ. */
export const prefix = 'orbweaver';

/** A queue per version of the code, so that workers never take runs of another. */
export const queueName = (version: string): string => `runs-${version}`;

/** The key under which the server has a job. */
export const jobKey = (version: string, key: string): string => `${prefix}:${queueName(version)}:${key}`;

/** A file that a worker reads by itself: its name in records, its path on every machine, and what it must hold. */
export interface NeededFile {
  readonly file: string;
  readonly path: string;
  readonly sha256: string;
}

/** What the runs of a study or a plan share, by checksums. */
export interface RunNeeds {
  readonly graph: { readonly checksum: string; readonly name: string };
  readonly scores: NeededFile | undefined;
  /** The crawl that the network was fitted to. */
  readonly fit: NeededFile | undefined;
  readonly policyFiles: readonly NeededFile[];
}

/** One run, as it is queued under the key of its result. */
export interface RunJob {
  readonly kind: RunScript['kind'];
  readonly needs: RunNeeds;
  readonly task: unknown;
}

/** A worker's name, which the server shows beside its connection: threads, and where it runs. */
export const workerName = (threads: number, place: string): string => `${threads}/${place.replace(/[^\w.-]/g, '_')}`;

/** The text by which an error of a run travels. One of our own has its class, others their stack. */
export function failureText(error: unknown): string {
  if (error instanceof InputError || error instanceof WorldError) return `${error.name}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The error as it would have been thrown on one machine. */
export function failureOf(text: string): Error {
  const [, name, message] = /^(InputError|WorldError): (.*)$/s.exec(text) ?? [];
  if (name === 'InputError') return new InputError(message);
  if (name === 'WorldError') return new WorldError(message);
  if (text.startsWith('job stalled')) {
    return new WorldError('the workers that ran it ended, one after the other; finished runs are stored');
  }
  const error = new Error(text);
  error.stack = text;
  return error;
}
