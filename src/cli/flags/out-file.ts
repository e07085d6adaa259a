import { randomUUID } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { checkRegular, targetOf, writeError } from '../../base/files/index.ts';
import { InputError, WorldError } from '../../base/index.ts';
import { printableShort } from '../text/printable.ts';

/**
 * Checks before the work whether the file of a flag can be written, by creating and removing a file beside it; beside
 * its target, if it is a link.
 * @throws InputError if it cannot; WorldError if the disk is full.
 */
export async function checkWritable(path: string, flag = '--out'): Promise<void> {
  const place = `${flag} ${printableShort(path)}`;
  const target = await targetOf(path).catch((error: unknown) => {
    throw error instanceof InputError ? new InputError(`${flag} ${printableShort(error.message, 200)}`) : error;
  });
  const kind = await stat(target).catch(() => undefined);
  if (kind?.isDirectory() === true) throw new InputError(`${place}: is a folder; name a file`);
  if (kind !== undefined) checkRegular(place, kind);
  const beside = `${target}.${randomUUID()}.partial`;
  try {
    const file = await open(beside, 'wx');
    await file.close();
    await rm(beside);
  } catch (error) {
    const failure = writeError(path, error);
    if (failure instanceof WorldError) throw failure;
    throw new InputError(`${place}: ${refusal(error)}`);
  }
}

export function refusal(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (String(code)) {
    case 'ENOENT':
      return 'cannot be written: no such folder';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'cannot be written: a part of its path is a file';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be written: permission denied';
    case 'EROFS':
      return 'cannot be written: the disk is read-only';
    default:
      return `cannot be written: ${message}`;
  }
}
