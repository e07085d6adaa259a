import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orbweaver } from '../command.ts';
import { writeSmallWeb } from './small-web.ts';
import { sampled } from '../../sweep.ts';

// Goal: who wants a policy of their own has one that runs, at once, with no package beside it; and no file is lost.

const { folder, file } = temporaryFolder();
writeSmallWeb(join(folder, 'web'));

describe('policy new', () => {
  const names = sampled(['mine.mjs', 'few-links.js'], 2);
  test.each(names)('%s runs as it was written, twice with the same crawl', async (name) => {
    const written = await orbweaver(['policy', 'new', name], folder);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    expect(written.stdout).toContain(`orbweaver simulate docs-web --policy ./${name}`);
    const words = ['simulate', 'web', '--policy', `./${name}`, '--json'];
    const [one, other] = [await orbweaver(words, folder), await orbweaver(words, folder)];
    expect(one.code).toBe(0);
    const { replayHash } = JSON.parse(one.stdout) as { readonly replayHash: string };
    expect(replayHash).toBe((JSON.parse(other.stdout) as { readonly replayHash: string }).replayHash);
  });

  test('is refused where Node would read the file as CommonJS, and nothing is written', async () => {
    const inside = join(folder, 'common');
    mkdirSync(inside);
    file('common/package.json', '{"type": "commonjs"}');
    const { code, stderr } = await orbweaver(['policy', 'new', 'fifth.js'], inside);
    expect([code, existsSync(join(inside, 'fifth.js'))]).toEqual([2, false]);
    expect(stderr).toMatch(/name the file fifth\.mjs/);
  });

  test('study --policy has it beside others, once', async () => {
    await orbweaver(['policy', 'new', 'fourth.mjs'], folder);
    const twice = ['--policy', './fourth.mjs', '--policy', './fourth.mjs', '--policy', 'depth-first'];
    const { code, stdout } = await orbweaver(['study', ...twice, 'tiny', '--threads', '1', '--json'], folder);
    expect(code).toBe(0);
    for (const name of ['fourth', 'depth-first', 'opic']) expect(stdout).toContain(`"${name}"`);
    // Two latencies, three seeds, its own two policies and the two above.
    expect((JSON.parse(stdout) as { readonly runs: unknown[] }).runs).toHaveLength(24);
    const refused = async (name: string): Promise<string> =>
      (await orbweaver(['study', 'tiny', '--policy', name], folder)).stderr;
    expect(await refused('opik')).toMatch(/^--policy: opik: must be one of .*did you mean opic\?/);
    expect(await refused('./no.mjs')).toMatch(/no such file/);
  });

  test('its setting makes another order, and a study takes it', async () => {
    await orbweaver(['policy', 'new', 'third.mjs'], folder);
    file('study.yaml', 'graph: clique\naxes:\n  policy: [./third.mjs, opic]\n  seed: [1, 2]\n');
    expect(await orbweaver(['study', 'study.yaml', '--threads', '1'], folder)).toMatchObject({ code: 0 });
    const hash = async (penalty: string): Promise<string> => {
      const { stdout } = await orbweaver([
        'simulate', 'web', '--policy', './third.mjs', '--policy-option', `host-penalty=${penalty}`, '--json',
      ], folder);
      return (JSON.parse(stdout) as { replayHash: string }).replayHash;
    };
    expect(await hash('0')).not.toBe(await hash('5'));
  });

  test.each([
    ['opic.js', /there is a policy opic already/],
    ['mine.ts', /must end with \.js or \.mjs/],
    ['mine', /did you mean mine\.mjs\?/],
    ['Mine.js', /lower-case letters/],
    ['none/mine2.js', /there is no folder none/],
  ])('%s is refused', async (name, says) => {
    const { code, stderr } = await orbweaver(['policy', 'new', name], folder);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(existsSync(join(folder, name))).toBe(false);
  });

  test('a file that exists is not overwritten', async () => {
    const path = file('kept.mjs', 'mine');
    expect(await orbweaver(['policy', 'new', 'kept.mjs'], folder)).toMatchObject({ code: 2 });
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});
