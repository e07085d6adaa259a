import { describe, expect, test } from 'vitest';
import { reportHtml, type LabelledRun } from '../../src/report/index.ts';
import { hostileNames } from '../report/hostile.ts';
import { madeRun } from '../report/made-run.ts';
import { chromiumIsHere, chromiumPath } from './chromium.ts';
import { reportsInBrowser } from './opened.ts';
import { isFullSweep, sampled } from '../sweep.ts';

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

  test.each(sampled<[string, LabelledRun[]]>([
    ['one run', [two[0]]], ['two runs', two], ['many runs', many],
    ['a run on one processor', [{ label: 'a', result: madeRun({ processors: 1 }) }]],
    ['a run of nothing', [{ label: 'a', result: madeRun({ pages: 0, supersteps: 0 }) }]],
  ], 5))(
    '%s: its figures, each with a sentence, labelled axes and something drawn; no error, no request',
    async (_, runs) => {
      await opened(reportHtml(runs, { title: 'A report', command: 'orbweaver simulate made' }), async (page) => {
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

  test.runIf(isFullSweep)('synthetic hosts are said before anything is shown', async () => {
    const runs = [{ label: 'a', result: madeRun({ hostsAreSynthetic: true }) }];
    await opened(reportHtml(runs, { title: 'a' }), async (page) => {
      expect(await page.locator('main > :not(h1)').first().textContent()).toMatch(/^The hosts of made are synthetic/);
    });
  });

  test.runIf(isFullSweep)('fits a screen of 1200 pixels and one of 400, and follows the colour scheme of the reader', async () => {
    const paper = (width: number, colorScheme: 'light' | 'dark') =>
      opened(reportHtml(two, { title: 'Two runs' }), async (page) => {
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        return page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      }, { viewport: { width, height: 800 }, colorScheme });
    expect(await paper(1200, 'light')).not.toBe(await paper(400, 'dark'));
  });

  test.runIf(isFullSweep)('answers the pointer', async () => {
    await opened(reportHtml([two[0]], { title: 'One run' }), async (page) => {
      const drawing = page.locator('#figure-1 svg.drawing');
      await drawing.hover();
      await expect.poll(() => drawing.locator('[aria-label="tip"] text').textContent()).toMatch(/% of the PageRank/);
    });
  });
});
