import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sweep = join(root, 'test', 'sweep.ts');

/** Files of tests that import `test/sweep.ts`, themselves or by way of others: paths from the top of the checkout. */
export function sweepFiles(): string[] {
  const scripts = readdirSync(join(root, 'test'), { recursive: true }).map(String)
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(root, 'test', name));
  const importersOf = new Map<string, string[]>();
  for (const file of scripts)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)) {
      const target = join(dirname(file), specifier);
      importersOf.set(target, [...importersOf.get(target) ?? [], file]);
    }
  const found = new Set([sweep]);
  for (const file of found) for (const importer of importersOf.get(file) ?? []) found.add(importer);
  return [...found].filter((file) => file.endsWith('.test.ts')).map((file) => relative(root, file)).sort();
}
