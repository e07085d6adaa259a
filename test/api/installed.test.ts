import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './doors.ts';

// Goal: whoever installs the package has what its bundle and its types load, and little else.

const { dependencies, peerDependencies, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as
  Readonly<Record<'dependencies' | 'peerDependencies' | 'scripts', Readonly<Record<string, string>>>>;

/** The project is built on these. */
const fixed = ['commander', 'graphology', 'graphology-metrics', 'piscina', 'zod'];

/** Packages that a file loads with `import` or `require`. */
function loadedBy(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, file.endsWith('.cjs'));
  return importedFiles.map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) => name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/'));
}

test('few packages are installed: those the project is built on, and what cannot be bundled', () => {
  expect(Object.keys(dependencies).sort()).toEqual([...fixed, 'lmdb', 'undici'].sort());
  expect(Object.keys(peerDependencies)).toEqual(['libsql']);
});

test('the doors, their types and the command load what is installed', () => {
  const known = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
  const files = ts.sys.readDirectory(join(root, 'dist/types'), ['.ts']);
  expect(files.length).toBeGreaterThanOrEqual(5);
  expect(files.flatMap(loadedBy).filter((name) => !known.has(name) && name !== 'orbweaver')).toEqual([]);
  for (const door of ['index', 'queue', 'crawl', 'policy', 'urlfrontier', 'main']) {
    const name = join(root, 'dist/bundle', `${door}.js`);
    expect(reached(name).filter((one) => !known.has(one)), door).toEqual([]);
  }
});

/** Packages that a module of the bundle loads at its start, itself or by other modules of the bundle. */
function reached(file: string): string[] {
  const seen = new Set([file]);
  const packages = new Set<string>();
  for (const path of seen) {
    const text = readFileSync(path, 'utf8');
    for (const [, name] of text.matchAll(/(?:^|;|\})(?:import|export)(?:[\w$\s{},*]+from)?\s*["']([^"']+)["']/gm)) {
      if (name.startsWith('.')) seen.add(join(path, '..', name));
      else if (!isBuiltin(name)) packages.add(name);
    }
  }
  return [...packages];
}

test('what is packed has no script that runs at an installation', () => {
  expect(['preinstall', 'install', 'postinstall'].filter((name) => name in scripts)).toEqual([]);
  expect(scripts['prepack']).toBe('npm pkg delete scripts.prepare');
  expect(scripts['postpack']).toBe(`npm pkg set "scripts.prepare=${scripts['prepare']}"`);
});

test('licences of what is bundled come with it', () => {
  const text = readFileSync(join(root, 'dist/bundle/licences.md'), 'utf8');
  for (const name of ['htmlparser2', 'fastify', '@grpc/grpc-js', 'bullmq', 'yaml', 'preact', '@observablehq/plot'])
    expect(text).toMatch(new RegExp(`^## ${name} \\d`, 'm'));
});
