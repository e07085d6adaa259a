import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orbweaver } from '../command.ts';

// Goal: a command does not take the place of an answer that cost work and is of another kind.

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

test('an answer replaces an earlier one of its kind; of another kind it is refused, and nothing is lost', async () => {
  for (const [kind, [words, file]] of Object.entries(commands)) {
    const out = file.replace('.json', '');
    for (const time of ['first', 'again'])
      expect(await orbweaver([...words, '--out', out], folder), time).toMatchObject({ code: 0, stderr: '' });
    const before = readdirSync(join(folder, out)).sort();
    for (const [otherKind, [otherWords]] of Object.entries(commands)) {
      // Seeds are added to a single run.
      if (otherKind === kind || (kind === 'a run' && otherKind === 'runs of --repeat')) continue;
      const { code, stderr } = await orbweaver([...otherWords, '--out', out], folder);
      expect({ code, stderr }, otherKind).toEqual({
        code: 2, stderr: `--out ${out}: has ${kind} (${file}), which would be lost; name another folder\n`,
      });
    }
    expect(readdirSync(join(folder, out)).sort()).toEqual(before);
  }
  expect((await orbweaver(['simulate', 'star', '--repeat', '2', '--out', 'run'], folder)).code).toBe(0);
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
  mkdirSync(join(folder, 'study'));
  writeFileSync(join(folder, 'study', 'study.json'), '{}');
  const onStudy = await orbweaver(['simulate', 'star', '--repeat', '3', '--out', 'study'], folder);
  expect(onStudy.stderr).toBe('--out study: has a study (study.json), which would be lost; name another folder\n');
});
