import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAll, writeError } from '../../base/files/index.ts';
import { InputError, WorldError } from '../../base/index.ts';

/** The name by which a graph is read from standard input. */
export const STANDARD_INPUT = '-';
const words = 'standard input';

/** A graph may fill half of the free space, and no more than this. */
const MAX_BYTES = 2 ** 36;

/**
 * Calls `read` with the names, each `-` among them replaced by the path of a temporary file that holds standard input:
 * readers look at the first bytes before they read, and some files are read twice. Where the system has /proc, the file
 * has no name while it is written and read, so nothing stays behind, however the process ends; elsewhere it is removed
 * at the end of `read`. `inWords` replaces its path in texts for the user.
 *
 * Errors   InputError if standard input is a terminal, empty or too large; messages of `read` name standard input.
 *          WorldError if the disk is full.
 */
export async function withStandardInput<T>(
  names: readonly string[], work: (paths: readonly string[], inWords: (text: string) => string) => Promise<T>,
): Promise<T> {
  if (!names.includes(STANDARD_INPUT)) return work(names, (text) => text);
  if (names.indexOf(STANDARD_INPUT) !== names.lastIndexOf(STANDARD_INPUT))
    throw new InputError(`${words}: is named twice, and can be read once`);
  if (process.stdin.isTTY)
    throw new InputError(`${words}: is a terminal; pipe a graph into it, as in: zcat links.gz | orbweaver info -`);
  // Without a folder around it: a process killed between removing the file and its folder would leave the folder.
  const name = join(tmpdir(), `orbweaver-stdin-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600).catch((error: unknown) => { throw writeError(tmpdir(), error); });
  const removed = (): Promise<void> => rm(name, { force: true });
  try {
    const unnamed = `/proc/self/fd/${file.fd}`;
    const path = existsSync(unnamed) ? unnamed : name;
    if (path === unnamed) await removed();
    await spool(file);
    const inWords = (text: string): string => text.replaceAll(path, words);
    const paths = names.map((name) => (name === STANDARD_INPUT ? path : name));
    return await work(paths, inWords).catch((error: unknown) => {
      throw error instanceof InputError ? new InputError(inWords(error.message)) : error;
    });
  } finally {
    await file.close();
    await removed();
  }
}

async function spool(file: Parameters<typeof writeAll>[0]): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const most = Math.min(MAX_BYTES, (bavail * bsize) / 2);
  let bytes = 0;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > most) {
        throw new InputError(
          `${words}: has more than ${Math.floor(most)} bytes, half of the free space of ${tmpdir()} or 64 GiB; ` +
            'store it in a file and name that',
        );
      }
      await writeAll(file, chunk);
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new WorldError(`${tmpdir()}: no space is left for ${words}`);
    if (code === 'EISDIR') throw new InputError(`${words}: is a folder; name the folder instead`);
    throw error instanceof Error && 'syscall' in error
      ? new InputError(`${words}: cannot be read: ${error.message}`)
      : error;
  }
  if (bytes === 0) throw new InputError(`${words}: is empty; pipe a graph into it, as in: zcat links.gz | orbweaver info -`);
}
