import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../src/measure/index.ts';
import { namesBelow, newFolder, orbweaver } from './command.ts';

// Goal: two runs are held against each other page by page, by URL where their graphs number pages differently; and what a record says of
// itself decides which of them is the fact.

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const at = (...names: string[]): string => join(folder, ...names);
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;
const run = async (...args: string[]) => {
  const ended = await orbweaver(args, folder);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
};
const plain = (text: string): string => text.replace(/\s+/g, ' ');

interface Agreement { common: number; tauB: number; samePrefix: number; divergence: { place: number; first: string; second: string } | null }
interface PairJson {
  title: string; pagesMatchedBy: string; sides: { name: string; label: string; quality: { pagerankArea: number } }[];
  order: Agreement; processors: Agreement[]; orderUnknown?: string; processorsUnknown?: string;
}
const pairOf = async (...args: string[]) => (JSON.parse(await run('compare', ...args, '--json')) as { pair: PairJson }).pair;

// One graph under two numberings: `live` is a record such as a crawl leaves, with its own graph beside it.
beforeAll(async () => {
  await run('import', 'docs-web', '--order', 'bfs', '--out', 'bfs.owg');
  const settings = ['--policy', 'breadth-first', '--max-pages', '400'];
  await run('simulate', 'docs-web', ...settings, '--processors', '2', '--out', 'predicted');
  await run('simulate', 'bfs.owg', ...settings, '--processors', '2', '--out', 'live');
  renameSync(at('bfs.owg'), at('live', 'graph.owg'));
  const record = json(at('live', 'run.json')) as RunJson<object>;
  writeFileSync(at('live', 'run.json'), JSON.stringify({ ...record, experiment: { ...record.experiment, live: { contact: 'a@b.example' } } }));
});

describe('compare, of two runs', () => {
  test('one crawl under two numberings is one crawl, by URL, whichever is named first', async () => {
    for (const names of [['predicted', 'live'], ['live', 'predicted']]) {
      const pair = await pairOf(...names);
      expect(pair).toMatchObject({ title: 'Prediction and fact', pagesMatchedBy: 'URL', sides: [{ name: 'prediction', label: 'predicted' }, { name: 'fact', label: 'live' }] });
      expect(pair.order).toMatchObject({ common: 400, firstOnly: 0, secondOnly: 0, tauB: 1, samePrefix: 400, divergence: null });
      expect(pair.processors.map(({ tauB }) => tauB)).toEqual([1, 1]);
      expect(pair.sides[1].quality.pagerankArea).toBeCloseTo(pair.sides[0].quality.pagerankArea, 9);
    }
    const text = plain(await run('compare', 'predicted', 'live'));
    expect(text).toContain('The prediction is predicted, the fact live.');
    expect(text).toContain('Both fetched the same 400 pages. The order is the same, page by page.');
    expect(text).toMatch(/It was predicted to take (\S+( s)?), and took \1: the same\./);
  });

  test('an order in which two pages changed places is told by their URLs, and for the processor whose they are', async () => {
    const order = readFileSync(at('live', 'order.u32'));
    const swapped = Buffer.from(order);
    // Pages 100 and 101 of the order, from 0.
    order.copy(swapped, 400, 404, 408);
    order.copy(swapped, 404, 400, 404);
    cpSync(at('live'), at('swapped'), { recursive: true });
    writeFileSync(at('swapped', 'order.u32'), swapped);
    const [{ order: found, processors }, text] = [await pairOf('predicted', 'swapped', '--out', 'out'), await run('compare', 'predicted', 'swapped')];
    expect(found).toMatchObject({ common: 400, samePrefix: 100, divergence: { place: 100 }, mostDisplacement: 1 });
    expect(found.tauB).toBeCloseTo(1 - 4 / (400 * 399), 12);
    const { first, second } = found.divergence!;
    expect(plain(text)).toContain(`The first 100 pages are the same: as page 101, prediction fetched ${first}, fact fetched ${second}.`);
    expect(plain(text)).toContain("Kendall's tau-b of the common pages is 0.9999 (");
    // The two are of one processor, or each of its own, whose orders are then as before.
    expect(processors.filter(({ tauB }) => tauB < 1).length).toBeLessThanOrEqual(1);

    const rows = readFileSync(at('out', 'pages.csv'), 'utf8').trimEnd().split('\n').map((line) => line.split(','));
    expect(rows).toHaveLength(401);
    expect(rows.filter(([, one, other]) => one !== other).map(([page]) => page)).toEqual(['page', first, second]);
    const html = readFileSync(at('out', 'report.html'), 'utf8');
    const data = JSON.parse(/id="report-data">(.*?)<\/script>/s.exec(html)![1]) as { parts: { title: string }[]; runs: { label: string }[] };
    expect([data.parts.map(({ title }) => title), data.runs.map(({ label }) => label)]).toEqual([['Prediction and fact'], ['prediction', 'fact']]);
    expect(namesBelow(at('out'))).toEqual(['compare.json', 'pages.csv', 'report.html']);
    // The folder is ours, and may be replaced.
    await run('compare', 'predicted', 'live', '--out', 'out');
  });

  test('without the graph of one, the figures are compared, and it is said what to give', async () => {
    renameSync(at('live', 'graph.owg'), at('elsewhere.owg'));
    const { orderUnknown } = await pairOf('predicted', 'live');
    expect(orderUnknown).toBe('docs-web is not the graph that was crawled, and without it no page has a URL (name it with --graph)');
    expect((await pairOf('predicted', 'live', '--graph', 'elsewhere.owg', '--graph', 'docs-web')).order.tauB).toBe(1);
    const other = await orbweaver(['compare', 'predicted', 'live', '--graph', 'star'], folder);
    expect(other).toEqual({ code: 2, stdout: '', stderr: '--graph star: is none of the graphs that these runs crawled\n' });
    renameSync(at('elsewhere.owg'), at('live', 'graph.owg'));
  });

  test('graphs without URLs, other processors, and records that are damaged', async () => {
    await run('simulate', 'star', '--out', 'star');
    expect((await pairOf('predicted', 'star')).orderUnknown).toBe('star has no URLs, by which alone pages of two graphs can be matched');
    await run('simulate', 'docs-web', '--max-pages', '50', '--out', 'eight');
    expect((await pairOf('predicted', 'eight')).processorsUnknown).toBe('they had 2 and 8 processors');

    const order = readFileSync(at('live', 'order.u32'));
    for (const [bytes, message] of [
      [Buffer.concat([order.subarray(0, -4), order.subarray(0, 4)]), /^damaged\/order\.u32: names page \d+ twice\n$/],
      [Buffer.concat([order.subarray(0, -4), Buffer.from([255, 255, 255, 255])]), /^damaged\/order\.u32: names pages that the graph does not have\n$/],
      [order.subarray(4), /^damaged\/order\.u32: has 1596 bytes, not the 1600 of 400 pages\n$/],
    ] as const) {
      cpSync(at('live'), at('damaged'), { recursive: true });
      writeFileSync(at('damaged', 'order.u32'), bytes);
      const { code, stderr } = await orbweaver(['compare', 'predicted', 'damaged'], folder);
      expect(code).toBe(2);
      expect(stderr).toMatch(message);
    }
  });

  test('what an older record does not tell is left out', async () => {
    const { summary, ...record } = json(at('predicted', 'run.json')) as RunJson;
    const { ended, pagesFetched, quality: { pagerankArea } } = summary;
    cpSync(at('predicted'), at('older'), { recursive: true });
    writeFileSync(at('older', 'run.json'), JSON.stringify({ ...record, summary: { ended, pagesFetched, quality: { pagerankArea } } }));
    const text = await run('compare', 'predicted', 'older');
    expect(text).toMatch(/^ +robots busy +0\.\d{3} +- +-$/m);
    expect(plain(text)).toContain('Both fetched the same 400 pages.');
  });
});
