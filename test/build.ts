import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the build depends on besides `src/`. */
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'esbuild.config.js'];

/** Written last by the build. */
const lastBuilt = 'dist/bundle/main.js';

/**
 * Builds `dist/` before the tests, unless it is newer than all that it is made of: tests that start the command never
 * test yesterday's, and one file of tests starts at once.
 */
export default function build(): void {
  const builtAtMs = changedAtMs(lastBuilt);
  if (
    builtAtMs > newestMs('src') &&
    settings.every((name) => builtAtMs > changedAtMs(name))
  )
    return;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
}

/** When any source in a folder changed last; a folder itself changes when a file in it is removed. */
function newestMs(folder: string): number {
  const below = readdirSync(join(root, folder), { recursive: true }).map(String)
    .filter((name) => !name.endsWith('.md'));
  return Math.max(changedAtMs(folder), ...below.map((name) => changedAtMs(join(folder, name))));
}

/** -Infinity where there is no such file. */
function changedAtMs(path: string): number {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
}
