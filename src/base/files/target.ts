import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { InputError } from '../index.ts';

/** As Linux follows. */
const MAX_LINKS = 40;

/**
 * Where a path that a user names leads, if it is a link: what is written there goes to its target, which need not be
 * there yet. Any other path is returned as it is.
 *
 * @throws InputError for a link that leads to itself.
 */
export async function targetOf(path: string): Promise<string> {
  let target = path;
  for (let links = 0; ; links++) {
    const isLink = await lstat(target).then((stats) => stats.isSymbolicLink(), () => false);
    if (!isLink) return target;
    if (links === MAX_LINKS) throw new InputError(`${path}: is a link that leads to itself`);
    // Two dots in a link mean the folder above the one that it is in, whatever link leads there.
    target = resolve(await realpath(dirname(target)), await readlink(target));
  }
}
