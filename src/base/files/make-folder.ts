import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { targetOf } from './target.ts';

/**
 * Makes a folder and its missing parents. Node's own `recursive` never returns if a parent cannot contain folders, as
 * below /proc (seen with Node 20). Of a link that leads nowhere yet, its target is made, not its parents.
 * @returns the first folder that was made; undefined if all existed. @throws as mkdir.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) {
    await mkdir(folder).catch(async (error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      // Another process made it meanwhile; or it is a link.
      const target = await targetOf(folder);
      if (target !== folder && !existsSync(target)) await mkdir(target);
    });
  }
  return missing[0];
}
