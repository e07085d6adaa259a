import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reportHtml, type LabelledRun } from '../../src/views/report/index.ts';
import { hostileNames } from '../report/hostile.ts';
import { madeRun } from '../report/made-run.ts';
import { chromiumIsHere, chromiumPath, unfold } from './chromium.ts';
import { reportsInBrowser } from './opened.ts';

if (!chromiumIsHere()) console.log(`Skipped: no browser at ${chromiumPath}; set CHROMIUM to the path of one.`);

const two: LabelledRun[] = [
  { label: 'opic', result: madeRun({ processors: 8 }) },
  { label: 'random', result: madeRun({ processors: 8, seed: 2, pages: 900 }) },
];
const many: LabelledRun[] = Array.from({ length: 12 }, (_, i) => ({
  label: `seed ${i}`,
  result: madeRun({ seed: i, processors: 70 }),
}));

// Goal: a report draws itself anywhere, alone, and says what the run says and nothing that a name says.
describe.skipIf(!chromiumIsHere())('report.html in a browser', () => {
  const opened = reportsInBrowser();

  test.each([
    ['one run', [two[0]]], ['two runs', two], ['many runs', many],
    ['a run on one processor', [{ label: 'a', result: madeRun({ processors: 1 }) }]],
    ['a run of nothing', [{ label: 'a', result: madeRun({ pages: 0, supersteps: 0 }) }]],
  ])(
    '%s: its figures, each with a sentence, labelled axes and something drawn; no error, no request',
    async (_, runs) => {
      await opened(reportHtml(runs, { title: 'A report', command: 'orbweaver simulate made' }), async (page) => {
        await unfold(page);
        const figures = await page.locator('figure').all();
        // One processor has no balance, sends nothing and has all pages: a drawing of it would be empty.
        const isDivided = runs.some(({ result }) => result.run.summary.pagesPerProcessor.length > 1);
        expect(figures).toHaveLength(isDivided ? 7 : 4);
        for (const figure of figures) {
          expect((await figure.locator('figcaption').textContent())!.length).toBeGreaterThan(15);
          for (const drawing of await figure.locator('svg.drawing').all()) {
            expect(await drawing.locator('[aria-label="x-axis label"] text').textContent()).toMatch(/\w/);
          }
        }
        const axes = await page.locator('[aria-label="y-axis label"] text').count();
        expect(axes).toBeGreaterThanOrEqual(runs[0].result.events.rows.length === 0 ? 3 : isDivided ? 6 : 4);
        expect(await page.locator('pre').textContent()).toBe('orbweaver simulate made');
        const said = await page.locator('main').innerText();
        expect(/NaN|undefined|Infinity|\[object/.exec(said)?.[0]).toBeUndefined();
      });
    },
  );

  test('names from outside are text, even the worst of them', async () => {
    const runs = hostileNames.map((name) => ({
      label: name,
      result: madeRun({ host: name, dataset: name, hostsAreSynthetic: true, experiment: { [name]: name } }),
    }));
    for (const shown of [runs, runs.slice(0, 1)]) {
      await opened(reportHtml(shown, { title: hostileNames[0], command: hostileNames[1] }), async (page) => {
        expect(await page.title()).toBe(hostileNames[0]);
        expect(await page.locator('h1').textContent()).toBe(hostileNames[0]);
        expect(await page.locator('pre').textContent()).toBe(hostileNames[1]);
        expect(await page.locator('img, iframe, object, embed, link').count()).toBe(0);
        expect(await page.locator('script').count()).toBe(2);
        expect(await page.locator('svg [onload], svg script').count()).toBe(0);
        expect(await page.locator('.warning').textContent()).toContain(hostileNames[0]);
      });
    }
  });

  test('fits a screen of 1200 pixels and one of 400, and follows the colour scheme of the reader', async () => {
    const paper = (width: number, colorScheme: 'light' | 'dark') =>
      opened(reportHtml(two, { title: 'Two runs' }), async (page) => {
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        return page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      }, { viewport: { width, height: 800 }, colorScheme });
    expect(await paper(1200, 'light')).not.toBe(await paper(400, 'dark'));
  });

  test('each chart can be saved, as a picture for print and as its numbers', async () => {
    const runs: readonly LabelledRun[] = [{ label: 'one, "the first"', result: madeRun({ processors: 3 }) }, two[1]];
    await opened(reportHtml(runs, { title: 'Two runs' }), async (page) => {
      const savedFile = async (name: string): Promise<string> => {
        const [download] = await Promise.all([
          page.waitForEvent('download'), page.getByLabel(name, { exact: true }).first().click(),
        ]);
        // Chromium takes ten downloads a second of a page.
        await page.waitForTimeout(120);
        return readFileSync(await download.path(), 'utf8');
      };
      const buttons = await page.evaluate<string[]>(
        "[...document.querySelectorAll('.saves button')].map((button) => button.getAttribute('aria-label'))",
      );
      expect(buttons.filter((name) => name.startsWith('SVG'))).toHaveLength(await page.locator('svg.drawing').count());
      for (const name of buttons) {
        const text = await savedFile(name);
        if (name.startsWith('CSV')) {
          expect(text.split('\n').length, name).toBeGreaterThan(2);
          continue;
        }
        // Colours are numbers: no other program knows the page's style sheet.
        expect(text, name).not.toMatch(/var\(|color-mix|currentColor|<style|aria-label="tip"/);
        const problem = await page.evaluate<string | null>(
          `new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml').querySelector('parsererror')?.textContent`,
        );
        expect(problem ?? '', name).toBe('');
        expect(text).toContain(name.slice('SVG: '.length, 'SVG: '.length + 20));
      }
      const numbers = await savedFile('CSV: PageRank gathered, page by page');
      const last = numbers.split('\n').findLast((line) => line.startsWith('"one'))!.split(',');
      expect(Number(last.at(-2))).toBe(runs[0].result.run.summary.pagesFetched);
    }, { acceptDownloads: true });
  });

  test('a report of one run fits four screens; a link opens what it leads to, and all of it is printed', async () => {
    await opened(reportHtml([two[0]], { title: 'One run' }), async (page) => {
      expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(4 * 900);
      expect(await page.locator('#settings').isVisible()).toBe(false);
      await page.getByRole('link', { name: 'Settings' }).click();
      await expect.poll(() => page.locator('#settings').isVisible()).toBe(true);
      await unfold(page);
      expect(await page.locator('details:not([open])').count()).toBe(0);
    }, { viewport: { width: 1200, height: 900 } });
  });

  test('a table that goes on beyond the page says so', async () => {
    const hint = (width: number): Promise<boolean> =>
      opened(reportHtml(two, { title: 'Two runs' }), (page) => page.locator('.hint').first().isVisible(),
        { viewport: { width, height: 800 } });
    expect(await hint(400)).toBe(true);
    expect(await hint(1200)).toBe(false);
  });

  test('answers the pointer', async () => {
    await opened(reportHtml([two[0]], { title: 'One run' }), async (page) => {
      const drawing = page.locator('#figure-1 svg.drawing');
      await drawing.hover();
      await expect.poll(() => drawing.locator('[aria-label="tip"] text').textContent()).toMatch(/% of the PageRank/);
    });
  });
});
