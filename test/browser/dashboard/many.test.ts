import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { servedDashboard } from '../../service/dashboard/served.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { FedRun } from '../../watch/fed-run.ts';
import { chromiumIsHere, openChromium } from '../chromium.ts';

// Goal: many tabs cost a server one stream of events.
describe.skipIf(!chromiumIsHere())('a run in many tabs', () => {
  const patient = { timeout: 30_000 };
  // Locators wait for frames, which a browser need not draw in a tab behind another.
  const pictures = "[...document.querySelectorAll('[role=img]')].map((one) => one.ariaLabel).join()";
  const state = "document.querySelector('.state')?.textContent ?? ''";

  const { folder } = temporaryFolder();
  const served = servedDashboard(folder);
  const sockets = new Set<Socket>();
  const streams = new Set<ServerResponse>();
  let browser: Browser;
  let run: FedRun;

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
  beforeAll(async () => {
    browser = await openChromium();
    run = await FedRun.open(2);
    subscribe('http.server.request.start', count);
  });
  afterAll(async () => {
    unsubscribe('http.server.request.start', count);
    await browser.close();
  });

  const tab = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    if (context.pages().length === 1) await page.goto(served.url);
    await page.goto(`${served.origin}/#/run/${run.watch.card.id}`);
    await page.locator('h1', { hasText: 'fed' }).waitFor();
    return page;
  };

  test('all show its end; those of a browser share a stream, and open six connections at most', async () => {
    const context = await browser.newContext();
    const tabs: Page[] = [];
    for (let i = 0; i < 8; i++) tabs.push(await tab(context));
    await expect.poll(() => streams.size, patient).toBe(1);
    expect(sockets.size).toBeLessThanOrEqual(6);
    const others = await Promise.all([1, 2].map(() => browser.newContext()));
    for (const other of others) tabs.push(await tab(other));
    await expect.poll(() => streams.size, patient).toBe(3);
    run.feed(25);
    run.tick();
    for (const page of tabs) await expect.poll(() => page.evaluate(pictures), patient).toContain('in superstep 24:');
    await run.finish();
    for (const page of tabs) await expect.poll(() => page.evaluate(state), patient).toContain('finished');
    await Promise.all([context, ...others].map((one) => one.close()));
  });
});
