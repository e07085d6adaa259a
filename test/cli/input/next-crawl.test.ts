import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../crawl/loopback.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orbweaver } from '../command.ts';

// Goal: the README's workflow. A crawl predicts the next one, and the prediction is held against the next one.

const { folder } = temporaryFolder();
const at = (...names: string[]): string => join(folder, ...names);

async function ran(cwd: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await orbweaver(args, cwd);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

let web: Loopback;
beforeAll(async () => {
  const site = graphWeb(syntheticWeb(150, 3), { latencyMs: 3 });
  web = await loopback(site);
  const crawl = async (out: string, policy: string, robots: string): Promise<unknown> => ran(
    folder, 'crawl', ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--out', at(out),
    '--allow-network', '127.0.0.0/8', '--resolve', `*=127.0.0.1:${web.port}`, '--politeness-ms', '5',
    '--processors', '2', '--robots', robots, '--policy', policy, '--max-pages', '80', '--reader-threads', '0',
  );
  await crawl('first', 'opic', '3');
  await crawl('next', 'breadth-first', '8');
  await ran(folder, 'simulate', 'first', '--policy', 'breadth-first', '--robots', '8', '--out', 'predicted');
}, 60_000);
afterAll(() => web.close());

interface Document {
  readonly pair: { readonly matchedBy?: string; readonly common?: number };
}

describe('a prediction from one crawl and the next crawl', () => {
  test.each([
    ['without --graph', '.', []],
    ['from another folder', 'first', []],
    ['with the folder of the first crawl', '.', ['--graph', 'first']],
    ['with both folders', '.', ['--graph', 'next', '--graph', 'first']],
  ])('are matched by URL, %s', async (_, cwd, flags) => {
    const { pair } = JSON.parse(
      await ran(at(cwd), 'compare', at('predicted'), at('next'), ...flags, '--json'),
    ) as Document;
    expect(pair).toMatchObject({ pagesMatchedBy: 'URL' });
  });

  test('and in words, with a report', async () => {
    const text = (await ran(folder, 'compare', 'predicted', 'next', '--out', 'compared')).replace(/\s+/g, ' ');
    expect(text).toMatch(/Both fetched the same|pages in common|of the pages/);
    expect(readFileSync(at('compared', 'pages.csv'), 'utf8').split('\n').length).toBeGreaterThan(80);
  });

  test('a run of the same crawl takes its folder for its graph too', async () => {
    await ran(folder, 'compare', 'predicted', 'first', '--graph', 'first');
  });

  test('where the first crawl is gone, the answer names what is missing, and --graph mends it', async () => {
    renameSync(at('first'), at('moved'));
    try {
      const text = (await ran(folder, 'compare', 'predicted', 'next')).replace(/\s+/g, ' ');
      expect(text).toContain('the graph first is not available');
      expect(JSON.parse(
        await ran(folder, 'compare', 'predicted', 'next', '--graph', 'moved', '--json'),
      )).toMatchObject({ pair: { pagesMatchedBy: 'URL' } });
    } finally {
      renameSync(at('moved'), at('first'));
    }
  });
});

test.each([
  ['info', 'first', '--json'], ['rank', 'first', '--top', '1', '--json'], ['tour', 'first', '--json'],
])('the folder of a crawl is a graph: %s', async (...args) => {
  expect(await ran(folder, ...args)).toContain('first');
});
