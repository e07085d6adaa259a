import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` never returns where a parent cannot hold
 * folders, as below /proc (seen with Node 20).
 * @returns the first that had to be made; undefined where all were there. Errors   those of mkdir.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) {
    await mkdir(folder).catch((error: unknown) => {
      // Someone else made it meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  }
  return missing[0];
}
