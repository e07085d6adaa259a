import { describe, expect, test } from 'vitest';
import { reportHtml } from '../../src/views/report/index.ts';
import { madeRun } from '../report/made-run.ts';
import { chromiumIsHere, chromiumPath } from './chromium.ts';
import { reportsInBrowser } from './opened.ts';

if (!chromiumIsHere()) console.log(`Skipped: no browser at ${chromiumPath}; set CHROMIUM to the path of one.`);

// The one test in a browser that `npm test` runs: a report draws itself.
describe.skipIf(!chromiumIsHere())('report.html in a browser', () => {
  const opened = reportsInBrowser();

  test('synthetic hosts are said before anything is shown', async () => {
    const runs = [{ label: 'a', result: madeRun({ hostsAreSynthetic: true }) }];
    await opened(reportHtml(runs, { title: 'a' }), async (page) => {
      expect(await page.locator('figure svg.drawing').count()).toBeGreaterThan(0);
      expect(await page.locator('main > :not(h1)').first().textContent()).toMatch(/^The hosts of made are synthetic/);
    });
  });
});
