import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { servedDashboard } from '../../service/dashboard/served.ts';
import { isFullSweep } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { FedRun } from '../../watch/fed-run.ts';
import { chromiumIsHere, openChromium } from '../chromium.ts';

// Goal: a long run costs a tab no more memory than a short one.
describe.skipIf(!chromiumIsHere())('a run in browsers', () => {
  const { folder } = temporaryFolder();
  const served = servedDashboard(folder);
  let browser: Browser;
  let run: FedRun;
  beforeAll(async () => { browser = await openChromium(); });
  afterAll(() => browser.close());

  const tab = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    if (context.pages().length === 1) await page.goto(served.url);
    await page.goto(`${served.origin}/#/run/${run.watch.card.id}`);
    await page.locator('.state', { hasText: 'running' }).waitFor();
    return page;
  };

  const part = isFullSweep ? 'a run of 100,000 supersteps' : 'a run of 100,000 supersteps; npm run test:all tries it';
  test.skipIf(!isFullSweep)(`takes a tab no more memory than 10,000: ${part}`, async () => {
    run = await FedRun.open(8);
    const context = await browser.newContext();
    const page = await tab(context);
    const session = await context.newCDPSession(page);
    const heapAfter = async (supersteps: number): Promise<number> => {
      while (run.supersteps < supersteps) {
        run.feed(100);
        run.tick();
        await sleep(30);
      }
      // The last tick may have been left out, as ticks take a share of the run's time.
      await expect.poll(async () => {
        run.tick();
        return page.locator('main').textContent();
      }).toContain((8 * supersteps).toLocaleString('en'));
      await session.send('HeapProfiler.collectGarbage');
      return ((await session.send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize;
    };
    const first = await heapAfter(10_000);
    const last = await heapAfter(100_000);
    console.log(`heap of a tab: ${first} bytes after 10,000 supersteps, ${last} after 100,000`);
    expect(last).toBeLessThanOrEqual(1.3 * first);
    await run.finish();
    await context.close();
  });
});
