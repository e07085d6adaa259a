import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files of tests that import `test/sweep.ts`, themselves or by way of others: paths from the top of the checkout. */
export function sweepFiles(): string[] {
  return testsOf(['test/sweep.ts'], ['test']);
}

/**
 * Files of tests that are among these modules, or import one, themselves or by way of others in `folders`. Paths are
 * from the top of the checkout.
 */
export function testsOf(modules: readonly string[], folders: readonly string[] = ['src', 'test']): string[] {
  const scripts = folders.flatMap((folder) => readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(root, folder, String(name)))).filter((name) => /\.tsx?$/.test(name));
  const importersOf = new Map<string, string[]>();
  for (const file of scripts)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)) {
      const target = join(dirname(file), specifier);
      importersOf.set(target, [...importersOf.get(target) ?? [], file]);
    }
  const found = new Set(modules.map((path) => join(root, path)));
  for (const file of found) for (const importer of importersOf.get(file) ?? []) found.add(importer);
  return [...found].filter((file) => file.endsWith('.test.ts')).map((file) => relative(root, file)).sort();
}
