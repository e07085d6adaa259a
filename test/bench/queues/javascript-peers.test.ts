import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { javascriptPeers } from '../../../src/questions/bench/index.ts';
import { newFolder } from '../../cli/command.ts';

// Goal: a peer that is absent, or of a version that another package brought along, is left out and reported: the bench
// goes on.

const folder = newFolder();
afterAll(() => { rmSync(folder, { recursive: true }); });

const here = join(folder, 'index.js');

function install(name: string, version: string): void {
  mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify({ name, version }));
}

async function absentHere(): Promise<Record<string, string>> {
  const { absent } = await javascriptPeers(here);
  return Object.fromEntries(absent.map(({ name, reason }) => [name, reason]));
}

test('where none is installed, all are absent', async () => {
  const reasons = await absentHere();
  expect(Object.keys(reasons)).toEqual([
    'flatqueue', 'flatqueue, fixed capacity', 'tinyqueue', 'heap-js', 'mnemonist heap',
  ]);
  for (const reason of Object.values(reasons))
    expect(reason).toBe('the package is not installed (a development dependency)');
});

test('the mnemonist that graphology-metrics brings along is another version', async () => {
  const { absent, present } = await javascriptPeers(
    join(process.cwd(), 'node_modules', 'graphology-metrics', 'index.js'),
  );
  expect(absent).toEqual([
    {
      name: 'mnemonist heap',
      reason: expect.stringMatching(/^version 0\.39\.\d+ is installed, not \^0\.40\.8$/) as string,
    },
  ]);
  expect(present).toHaveLength(4);
});

test.each([
  ['0.40.8', true], ['0.40.12', true], ['0.40.7', false], ['0.41.0', false], ['1.40.8', false],
])('mnemonist %s: present %s', async (version, isPresent) => {
  install('mnemonist', version);
  expect('mnemonist heap' in await absentHere()).toBe(!isPresent);
});

test.each([
  ['3.1.0', true], ['3.0.9', false], ['3.2.0', true], ['4.0.0', false], ['2.9.9', false],
])('flatqueue %s: present %s', async (version, isPresent) => {
  install('flatqueue', version);
  expect('flatqueue' in await absentHere()).toBe(!isPresent);
});

test('in a checkout all are there', async () => {
  expect((await javascriptPeers()).absent).toEqual([]);
});
