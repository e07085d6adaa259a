import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crawlLive, type LiveCrawlRequest } from '../../src/machines/crawl/index.ts';
import { PageScores } from '../../src/machines/crawl/page-scores.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const { folder } = temporaryFolder();
const sound: LiveCrawlRequest = { experiment: {}, live: { contact: 'test@localhost' }, seeds: ['http://a.example/'] };

test.each<[string, Partial<LiveCrawlRequest>, RegExp]>([
  [
    'queues in files', { experiment: { queue: { memoryBytes: 1 << 20 } as object } },
    /^experiment\.queue: "memoryBytes" is not a field; it is a setting of simulations/,
  ],
  ['a partition that needs an oracle', { experiment: { partition: 'lpt' } }, /^partition lpt: needs/],
  ['an invalid setting', { live: { contact: 'x' } }, /^live\.contact: /],
  ['no seed page', { seeds: [] }, /^a crawl needs a URL to start from$/],
  [
    'a seed page twice',
    { seeds: ['http://a.example', 'http://A.example/#top'] },
    /^http:\/\/a\.example\/: is named twice$/,
  ],
])('%s: refused before anything is on disk', async (name, change, says) => {
  const out = join(folder, name);
  await expect(crawlLive(out, { ...sound, ...change })).rejects.toThrow(says);
  expect(existsSync(out)).toBe(false);
});

test('scores grow with the pages known, and stay the same array', () => {
  const scores = new PageScores(new Map([['a.example/1500', 7]]));
  const { values } = scores;
  for (let page = 0; page < 3000; page++) scores.know(page, `https://a.example/${page}`);
  expect(values.length).toBeGreaterThanOrEqual(3000);
  expect([values[0], values[1500], values[2999]]).toEqual([0, 7, 0]);
  expect(() => { scores.know(2 ** 27, 'https://a.example/'); }).toThrow('the crawl knows more');
});
