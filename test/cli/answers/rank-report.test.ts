import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ShownReport } from '../../../src/views/report/index.ts';
import { concentration } from '../../../src/cli/text/findings/rank-shown.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orbweaver } from '../command.ts';

// Goal: how unequal ranks are is said rightly, in the terminal and in the report.

const { folder } = temporaryFolder();

test.each([
  [[1, 1, 1, 1, 1, 1], 'The best 1 of 6 pages has 16.7 % of the rank; half of it is on 3 (50.0 %).'],
  [[1, 1, 2], 'The best 1 of 3 pages has 50.0 % of the rank; half of it is on 1 (33.3 %).'],
  [[1, 2, 3], 'The best 1 of 3 pages has 50.0 % of the rank; half of it is on 1 (33.3 %).'],
  [[5], 'The best 1 of 1 page has 100.0 % of the rank; half of it is on 1 (100.0 %).'],
  [[0, 0], 'All ranks are 0.'],
  [[], 'All ranks are 0.'],
  // 1 to 1000: the best ten have 991 + ... + 1000, and k of them half as soon as k (2001 - k) / 2 >= 250,250.
  [
    Array.from({ length: 1000 }, (_, i) => i + 1),
    'The best 10 of 1,000 pages have 2.0 % of the rank; half of it is on 294 (29.4 %).',
  ],
])('concentration, case %#', (ranks, sentence) => {
  expect(concentration(Float64Array.from(ranks))).toBe(sentence);
});

describe('orbweaver rank --report', () => {
  test('writes a page with what the terminal says, the best pages and hosts, and the agreement', async () => {
    const { code, stdout, stderr } = await orbweaver(
      ['rank', 'docs-web', '--algorithm', 'in-degree', '--against', 'pagerank', '--report', 'ranks.html'], folder,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\nReport: ranks\.html\n$/);
    const html = readFileSync(join(folder, 'ranks.html'), 'utf8');
    const report = JSON.parse(/id="report-data">(.*?)<\/script>/s.exec(html)![1]) as ShownReport;
    const { paragraphs, tables, charts } = report.parts[0].shown;
    const said = stdout.replaceAll(/\s+/g, ' ');
    for (const paragraph of paragraphs.slice(1)) expect(said).toContain(paragraph);
    expect(tables.map(({ name }) => name)).toEqual(['pages', 'hosts', 'agreement']);
    // The page with the most links in, of info docs-web.
    const [[page, score, , url]] = tables[0].rows;
    expect(stdout).toMatch(new RegExp(`\\n +${String(page)} +${String(score)} +[\\d.,]+ +${String(url)}\\n`));
    expect(paragraphs[0]).toContain(`${String(url)} (`);
    const [{ points }, even] = charts[0].series;
    expect(points.at(-1)!.x).toBe(31_331);
    expect(points.at(-1)!.y).toBeCloseTo(1, 9);
    expect(even.points.at(-1)!.y).toBe(1);
    expect(points.every(({ y }, i) => i === 0 || y >= points[i - 1].y)).toBe(true);
  });

  test.each([['taken', 'is a folder; name a file'], ['nowhere/r.html', 'cannot be written: no such folder']])(
    'to %s is refused before the work', async (path, message) => {
      mkdirSync(join(folder, 'taken'), { recursive: true });
      const { code, stderr } = await orbweaver(['rank', 'star', '--report', path], folder);
      expect({ code, stderr }).toEqual({ code: 2, stderr: `--report ${path}: ${message}\n` });
      expect(existsSync(join(folder, 'nowhere'))).toBe(false);
    },
  );
});
