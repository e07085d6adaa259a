import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../../../base/index.ts';

// Two folders up is src/ or dist/, one more the package.
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Folders that do not affect the result of a run. */
const unrelated: ReadonlySet<string> = new Set([
  'bench', 'bundle', 'cli', 'dashboard', 'live', 'report', 'service', 'types',
]);

/** Written by the build: the npm package has a bundle instead of the modules. */
const writtenPath = join(root, 'code-version.txt');

let version: string | undefined;

/**
 * The version of the code that makes a run: the package's version, and a SHA-256 over every module and kernel of the
 * folders that affect it, as on disk. Changed code thus never uses cached runs of its earlier versions; hashing more
 * than necessary costs runs, but no errors. Cost: one small file is read; from the source some megabytes, once per
 * process.
 */
export function codeVersion(): string {
  if (version === undefined && existsSync(writtenPath)) version = readFileSync(writtenPath, 'utf8');
  if (version === undefined) {
    const hash = createHash('sha256');
    for (const path of modules('')) hash.update(`${path}\n`).update(readFileSync(join(root, path))).update('\n');
    version = `${packageVersion()}+${hash.digest('hex').slice(0, 16)}`;
  }
  return version;
}

function modules(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return unrelated.has(path) ? [] : modules(path);
    return /(?<!\.d)\.ts$|\.js$|\.wasm$/.test(path) ? [path] : [];
  });
}
