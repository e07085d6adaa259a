import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { servedDashboard } from '../service/dashboard/served.ts';
import { isFullSweep } from '../sweep.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { FedRun } from '../watch/fed-run.ts';
import { chromiumIsHere, openChromium } from './chromium.ts';

// Goal: many tabs cost a server one stream of events, and a long run costs a tab no more memory than a short one.
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

  describe('of many tabs', () => {
    const sockets = new Set<Socket>();
    const streams = new Set<ServerResponse>();
    const count = (message: unknown): void => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
      if (request.headers.host !== new URL(served.origin).host) return;
      const { socket } = request;
      if (!sockets.has(socket)) socket.once('close', () => sockets.delete(socket));
      sockets.add(socket);
      if (request.url?.startsWith('/api/events') !== true) return;
      streams.add(response);
      response.once('close', () => streams.delete(response));
    };
    beforeEach(async () => {
      run = await FedRun.open(2);
      subscribe('http.server.request.start', count);
    });
    afterEach(() => { unsubscribe('http.server.request.start', count); });

    test('all show its end; those of a browser share a stream, and open six connections at most', async () => {
      const context = await browser.newContext();
      const tabs: Page[] = [];
      for (let i = 0; i < 8; i++) tabs.push(await tab(context));
      await expect.poll(() => streams.size).toBe(1);
      expect(sockets.size).toBeLessThanOrEqual(6);
      const others = await Promise.all([1, 2].map(() => browser.newContext()));
      for (const other of others) tabs.push(await tab(other));
      await expect.poll(() => streams.size).toBe(3);
      run.feed(25);
      run.tick();
      await run.finish();
      await Promise.all(tabs.map((page) => page.locator('.state', { hasText: 'finished' }).waitFor()));
      await Promise.all([context, ...others].map((one) => one.close()));
    });
  });

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
