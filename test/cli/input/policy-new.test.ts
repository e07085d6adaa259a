import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orbweaver } from '../command.ts';
import { writeSmallWeb } from './small-web.ts';
import { sampled } from '../../sweep.ts';

// Goal: who wants a policy of their own has one that runs, at once, with no package beside it; and no file is lost.

const { folder, file } = temporaryFolder();
writeSmallWeb(join(folder, 'web'));

const names = sampled(['mine.mjs', 'few-links.js'], 2);

describe('policy new', () => {
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
