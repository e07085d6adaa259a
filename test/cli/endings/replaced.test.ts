import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orbweaver } from '../command.ts';

// Goal: an answer of one kind does not take the place of another kind's in silence.

const { folder } = temporaryFolder();
const cache = ['--cache', join(folder, 'cache')];

const commands = {
  'a run': [['simulate', 'star'], 'run.json'],
  'runs of --repeat': [['simulate', 'star', '--repeat', '2'], 'runs.json'],
  'a tour': [['tour', 'star'], 'tour.json'],
  'facts of a graph': [['info', 'star'], 'info.json'],
  'a plan': [
    ['plan', 'star', '--goal', '2 pages', '--machines', '1', '--robots', '1', '--threads', '1', ...cache], 'plan.json',
  ],
} as const;

/** One run and repeated ones are of one kind. */
const areRuns = (kind: string): boolean => /^(a run|runs)\b/.test(kind);

test('what is replaced is said, once, if it is of another kind', async () => {
  const kinds = Object.entries(commands);
  let before: readonly [kind: string, file: string] | undefined;
  for (const [kind, [words, file]] of [...kinds, ...[...kinds].reverse()]) {
    const { code, stderr } = await orbweaver([...words, '--out', 'out'], folder);
    expect(code).toBe(0);
    expect(stderr).toBe(
      before === undefined || before[0] === kind || (areRuns(before[0]) && areRuns(kind)) ? '' : `out: replaced ${before[0]} that was there (${before[1]})\n`,
    );
    expect(readdirSync(join(folder, 'out'))).toContain(file);
    before = [kind, file];
  }
});

test('runs of --repeat do not replace a finished study of other runs; the same study may be repeated, and grow', async () => {
  const repeat = (...words: string[]) => orbweaver(['simulate', 'star', ...words, '--out', 'seeds'], folder);
  for (const words of [['--repeat', '2'], ['--repeat', '3'], ['--repeat', '3', '--json']])
    expect((await repeat(...words)).code, words.join(' ')).toBe(0);
  const runs = readFileSync(join(folder, 'seeds', 'runs.json'), 'utf8');
  for (const words of [['--repeat', '2'], ['--repeat', '3', '--seed', '2'], ['--repeat', '3', '--processors', '2']]) {
    const { code, stderr } = await repeat(...words);
    expect(code, words.join(' ')).toBe(2);
    expect(stderr).toMatch(/^--out \S*seeds: has \d finished runs? with other settings or seeds .*would be lost; name another folder\n$/);
  }
  expect(readFileSync(join(folder, 'seeds', 'runs.json'), 'utf8')).toBe(runs);
  expect(readdirSync(folder)).not.toContain('seeds.partial');
  writeFileSync(join(folder, 'seeds', 'study.json'), '{}');
  expect((await repeat('--repeat', '3')).stderr).toMatch(/has a finished study \(study\.json\), which would be lost/);
});
