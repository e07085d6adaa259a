import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { InputError } from '../src/base/index.ts';

/** A folder of the test file's own, removed after its tests; returns a maker of files in it. */
export function temporaryFolder(): { folder: string; file: (name: string, content: string | Uint8Array) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-dataset-'));
  // A process that a test has stopped may be writing its last files.
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return {
    folder,
    file(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
  };
}

/** The message of the InputError that `promise` must reject with. */
export async function inputErrorOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof InputError)) throw error;
  return error.message;
}
