import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError, WorldError } from '../../base/index.ts';
import { httpGet, networkError, passingFault, PassingFault, type HttpAnswer, type HttpLimits } from './http-get.ts';
import { PartFile, partOf, type Origin } from './part-file.ts';

export interface DownloadLimits extends HttpLimits {
  /** Maximum consecutive attempts that bring less than 1 MiB each. */
  readonly attempts: number;
  /** Wait before the second attempt; twice as long before each further one, milliseconds. */
  readonly backOffMs: number;
  readonly longestBackOffMs: number;
}

export const downloadLimits: DownloadLimits = {
  attempts: 6, backOffMs: 1000, longestBackOffMs: 60_000, redirects: 5, stallMs: 60_000,
};

/** What a download needs of the machine besides the network; tests substitute their own. */
export interface DownloadMachine {
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Bytes that may still be written to the disk of a folder; undefined if the system does not report it. */
  readonly freeBytes: (folder: string) => Promise<number | undefined>;
}

export const thisMachine: DownloadMachine = {
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
  async freeBytes(folder) {
    const disk = await statfs(folder).catch(() => undefined);
    return disk && disk.bavail * disk.bsize;
  },
};

export interface DownloadOptions {
  /** Aborts the download; the bytes received so far stay. */
  readonly signal?: AbortSignal | undefined;
  /** Called as bytes arrive; `bytesTotal` is undefined if the server does not report it. */
  readonly onProgress?: ((bytes: number, bytesTotal: number | undefined) => void) | undefined;
  /** Called with one line of text for each event that a user should know: resuming, starting again, waiting. */
  readonly onNote?: ((note: string) => void) | undefined;
  readonly limits?: Partial<DownloadLimits> | undefined;
  readonly machine?: DownloadMachine | undefined;
}

/** What a file must be, as far as that is known. */
export interface Expected {
  readonly bytes?: number | undefined;
  /** Maximum size of the file. */
  readonly maxBytes?: number | undefined;
  readonly md5?: string | undefined;
  readonly sha256?: string | undefined;
}

export interface Downloaded {
  readonly bytes: number;
  readonly sha256: string;
  readonly md5: string;
}

/** An attempt that brought this much counts as progress. */
const GOT_ON_BYTES = 1 << 20;

/**
 * Downloads the file at `url` to `path`, resuming an earlier download. Nothing is at `path` before the file is complete
 * and as expected; until then it is `path.part`, which stays when the download ends early, by the signal or a transient
 * failure.
 *
 * Errors   InputError if server or file are not as expected, WorldError if the network or the disk fails, the signal's
 *          reason.
 * Cost     One pass over the bytes and their hashes, and one more over those that came earlier. Memory: a few chunks.
 */
export async function download(
  url: string, path: string, expected: Expected = {}, options: DownloadOptions = {},
): Promise<Downloaded> {
  const limits: DownloadLimits = { ...downloadLimits, ...options.limits };
  const part = await PartFile.open(path, url);
  try {
    await attempts(url, part, expected, options, limits);
    const digests = part.digests();
    for (const hash of ['sha256', 'md5'] as const) {
      if (expected[hash] === undefined || expected[hash] === digests[hash]) continue;
      await part.clear();
      throw new InputError(
        `${url}: what came has the ${hash} ${digests[hash]}, not ${expected[hash]} as published; it was discarded`,
      );
    }
    await part.finish();
    return { bytes: part.bytes, ...digests };
  } finally {
    await part.close();
  }
}

/** Sends requests until the part is complete. */
async function attempts(
  url: string, part: PartFile, expected: Expected, options: DownloadOptions, limits: DownloadLimits,
): Promise<void> {
  const { signal, onNote, machine = thisMachine } = options;
  let furthest = part.bytes;
  for (let failures = 0; ; ) {
    try {
      signal?.throwIfAborted();
      await transfer(url, part, expected, options, limits);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      const fault = passingFault(error);
      if (!fault) throw networkError(url, error);
      if (part.bytes >= furthest + GOT_ON_BYTES) failures = 0;
      furthest = Math.max(furthest, part.bytes);
      if (++failures >= limits.attempts) {
        throw new WorldError(`${url}: ${fault.message}, ${failures} times in a row; ${resumeAdvice(part)}`);
      }
      const backOffMs = Math.max(limits.backOffMs * 2 ** (failures - 1), fault.retryAfterMs ?? 0);
      const ms = Math.min(backOffMs, limits.longestBackOffMs);
      onNote?.(`${url}: ${fault.message}; again in ${ms / 1000} s (attempt ${failures + 1} of ${limits.attempts})`);
      await machine.wait(ms, signal);
    }
  }
}

function resumeAdvice(part: PartFile): string {
  if (part.bytes === 0) return 'nothing has come';
  return `the ${part.bytes} bytes received are stored in ${partOf(part.path)}, and fetching again continues from there`;
}

/** Sends one request and appends its answer to the part. */
async function transfer(
  url: string, part: PartFile, expected: Expected, options: DownloadOptions, limits: DownloadLimits,
): Promise<void> {
  const { signal, onNote, onProgress } = options;
  const earlier = part.origin;
  const validator = earlier && validatorOf(earlier);
  if (part.bytes > 0 && validator === undefined) {
    onNote?.(`${url}: the server sent no mark that distinguishes its files: starting again`);
    await part.clear();
  }
  const offset = part.bytes;
  const headers = offset > 0 && validator !== undefined ? { range: `bytes=${offset}-`, 'if-range': validator } : {};
  const answer = await httpGet(url, headers, limits, signal);
  try {
    const total = totalOf(answer);
    if (offset > 0 && answer.status === 416 && total === offset) return;
    if (offset > 0 && answer.status !== 200 && !goesOn(answer, offset, earlier)) {
      onNote?.(`${url}: the server does not continue at byte ${offset}: starts again`);
      await part.clear();
      answer.destroy();
      await transfer(url, part, expected, options, limits);
      return;
    }
    if (offset === 0 && answer.status !== 200) {
      throw new InputError(`${url}: the server answers ${answer.status} though the whole file was asked for`);
    }
    await checkTotal(url, part, total, expected, answer);
    if (answer.status === 206) onNote?.(`${url}: continues at byte ${offset}`);
    else {
      const now = originOf(url, answer);
      const why = isSame(earlier, now) ? 'the server sends only whole files' : 'the file has changed since';
      if (offset > 0) onNote?.(`${url}: ${why}: starts again`);
      await part.begin(now);
    }
    await checkSpace(url, part, total, options.machine ?? thisMachine);
    onProgress?.(part.bytes, total);
    for await (const chunk of answer.body()) {
      await part.append(chunk);
      await checkMaxBytes(url, part, expected);
      onProgress?.(part.bytes, total);
    }
    if (total !== undefined && part.bytes < total) throw new PassingFault('the connection was cut');
    if (expected.bytes !== undefined && part.bytes !== expected.bytes) {
      throw await refused(
        part,
        `${url}: ${part.bytes} bytes came, not ${expected.bytes} as the catalogue says; they were discarded`,
      );
    }
  } finally {
    answer.destroy();
  }
}

/**
 * The validator by which a server recognises whether its file is still the same: weak ETags may not be compared for a
 * range (RFC 9110, section 13.1.5).
 */
function validatorOf({ etag, lastModified }: Origin): string | undefined {
  return etag !== undefined && !etag.startsWith('W/') ? etag : lastModified;
}

function originOf(url: string, { headers }: HttpAnswer): Origin {
  return {
    url,
    ...(headers['etag'] !== undefined && { etag: headers['etag'] }),
    ...(headers['last-modified'] !== undefined && { lastModified: headers['last-modified'] }),
  };
}

function isSame(earlier: Origin | undefined, now: Origin): boolean {
  return earlier !== undefined && earlier.etag === now.etag && earlier.lastModified === now.lastModified;
}

/** Whether a 206 is the rest of the file that the part is the beginning of. Some servers leave the marks out of it. */
function goesOn(answer: HttpAnswer, offset: number, earlier: Origin | undefined): boolean {
  if (answer.status !== 206) return false;
  const { etag, 'last-modified': lastModified } = answer.headers;
  const isAsBefore =
    (etag ?? earlier?.etag) === earlier?.etag && (lastModified ?? earlier?.lastModified) === earlier?.lastModified;
  return isAsBefore && contentRange(answer)?.start === offset;
}

function contentRange({ headers }: HttpAnswer): { start: number | undefined; total: number | undefined } | undefined {
  const match = /^bytes (?:([0-9]{1,15})-[0-9]{1,15}|\*)\/([0-9]{1,15}|\*)$/.exec(headers['content-range'] ?? '');
  if (!match) return undefined;
  const number = (digits: string | undefined): number | undefined =>
    digits === undefined || digits === '*' ? undefined : Number(digits);
  return { start: number(match[1]), total: number(match[2]) };
}

/** Size of the whole file, if the server reports it. */
function totalOf(answer: HttpAnswer): number | undefined {
  if (answer.status !== 200) return contentRange(answer)?.total;
  const length = answer.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

async function checkTotal(
  url: string, part: PartFile, total: number | undefined, { bytes, maxBytes }: Expected, answer: HttpAnswer,
): Promise<void> {
  if (total !== undefined && bytes !== undefined && total !== bytes) {
    throw await refused(
      part,
      `${url}: has ${total} bytes by its server, ${bytes} by the catalogue; it was not fetched`,
    );
  }
  if (total !== undefined && maxBytes !== undefined && total > maxBytes) {
    throw await refused(part, `${url}: has ${total} bytes; a list has ${maxBytes} at most`);
  }
  const coding = answer.headers['content-encoding'];
  // Servers that call a .gz file gzip-coded send its own bytes; any other coding would have to be undone.
  if (coding !== undefined && coding !== 'identity' && !/\.gz$/i.test(new URL(url).pathname)) {
    throw await refused(
      part,
      `${url}: comes in the content coding "${coding.slice(0, 40)}", though none was asked for`,
    );
  }
}

/** If the server does not report a length, only the bytes received show it. */
async function checkMaxBytes(url: string, part: PartFile, { bytes, maxBytes }: Expected): Promise<void> {
  const most = bytes ?? maxBytes;
  if (most !== undefined && part.bytes > most)
    throw await refused(part, `${url}: more than ${most} bytes came; they were discarded`);
}

async function checkSpace(
  url: string, part: PartFile, total: number | undefined, machine: DownloadMachine,
): Promise<void> {
  const free = await machine.freeBytes(dirname(part.path));
  if (total !== undefined && free !== undefined && total - part.bytes > free) {
    throw new WorldError(
      `${url}: ${total - part.bytes} bytes are still to come, and ${dirname(part.path)} has room for ${free}`,
    );
  }
}

/** The error for a file that is not the one expected, after deleting what was received. */
async function refused(part: PartFile, message: string): Promise<InputError> {
  await part.clear();
  return new InputError(message);
}
