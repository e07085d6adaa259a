import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, BrowserContextOptions, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListedRun } from '../../../src/views/service/dashboard/api.ts';
import { orbweaver } from '../../cli/command.ts';
import { servedDashboard } from '../../service/dashboard/served.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { chromiumIsHere, openChromium } from '../chromium.ts';
import { barriersOn } from './tabs.ts';

const hostile = '<img/src=x/onerror=alert(1)>.example';

// Goal: the graph of a run is seen, read by keyboard alone, and taken away; also where there is no WebGL.
describe.skipIf(!chromiumIsHere())('the graph of a run in a browser', () => {
  const { folder, file } = temporaryFolder();
  const served = servedDashboard(folder);
  const browsers: Browser[] = [];
  const faults: string[] = [];
  let context: BrowserContext;

  const opened = async (options: BrowserContextOptions = {}, ...argv: readonly string[]): Promise<BrowserContext> => {
    const browser = await openChromium(...argv);
    browsers.push(browser);
    const made = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    made.on('console', (message) => {
      // The software that draws here in place of a graphics card says so.
      const isAboutCard = message.text().includes('GPU stall due to ReadPixels');
      if (['error', 'warning'].includes(message.type()) && !isAboutCard) faults.push(message.text());
    });
    made.on('weberror', (error) => faults.push(error.error().message));
    made.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    made.on('request', (request) => {
      if (!/^(blob:)?http/.test(request.url()) || request.url().replace('blob:', '').startsWith(served.origin)) return;
      faults.push(`request: ${request.url()}`);
    });
    const page = await made.newPage();
    await page.goto(served.url);
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.close();
    return made;
  };
  const graphOf = async (name: string, within = context): Promise<Page> => {
    const { runs } = (await served.ask('/api/runs')).body as { runs: ListedRun[] };
    const page = await within.newPage();
    await page.goto(`${served.origin}/#/run/${runs.find((one) => one.folder === join(served.runs, name))!.id}/graph`);
    return page;
  };
  const savedBy = async (page: Page, name: string): Promise<{ file: Download; bytes: Buffer }> => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click(),
    ]);
    return { file: saved, bytes: readFileSync(await saved.path()) };
  };

  beforeAll(async () => {
    mkdirSync(served.runs, { recursive: true });
    mkdirSync(join(folder, 'hostile'), { recursive: true });
    file('hostile/pages.tsv.gz', gzipSync('#\na.example\t/\t10\n' + `${hostile}\t/<b>\t10\n`
      + Array.from({ length: 11 }, (_, i) => `h${i}.example\t/\t10\n`).join('')));
    file('hostile/arcs.tsv.gz', gzipSync(Array.from({ length: 12 }, (_, i) => `0\t${i + 1}\n`).join('') + '1\t2\n'));
    const argv = ['--processors', '3', '--superstep-limit', '20', '--max-pages', '100'];
    await orbweaver(['simulate', 'docs-web', ...argv, '--out', join(served.runs, 'docs')], folder);
    await orbweaver(['simulate', join(folder, 'hostile'), '--out', join(served.runs, 'hostile')], folder);
    context = await opened();
  });
  afterAll(async () => {
    await Promise.all(browsers.map((browser) => browser.close()));
  });

  test('hosts, their pages and what is around one are reached by keyboard alone', async () => {
    const page = await graphOf('docs');
    await page.locator('[data-drawn]').waitFor();
    const said = page.locator('.moment-said');
    const whole = (await said.textContent())!;
    expect(whole).toMatch(/^Up to superstep \d+: \d+ hosts in the picture, 100 pages fetched on \d+ of them/);

    const slider = page.getByRole('slider', { name: 'Superstep' });
    await slider.press('Home');
    expect(await said.textContent()).toMatch(/^Up to superstep 0: /);
    await slider.press('End');
    expect(await said.textContent()).toBe(whole);
    await page.getByRole('button', { name: 'Play the growth' }).press('Enter');
    await expect.poll(async () => await said.textContent()).not.toBe(whole);
    await expect.poll(async () => await said.textContent()).toBe(whole);

    const hosts = page.getByRole('region', { name: 'Table of hosts' });
    const rows = hosts.locator('tbody button');
    await rows.first().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    const second = (await rows.nth(1).textContent())!;
    expect(await hosts.locator('.chosen button').textContent()).toBe(second);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Pages of ${second}` }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('pages');
    const first = page.getByRole('region', { name: 'Table of pages', exact: true }).locator('tbody button').first();
    await first.press('Enter');
    await page.getByRole('heading', { name: `Around ${(await first.textContent())!}` }).waitFor();
    await page.getByRole('region', { name: 'Pages that link to it' }).locator('tr').nth(1).waitFor();
    expect(await barriersOn(page)).toEqual([]);

    await hosts.getByRole('button', { name: 'Host' }).press('Enter');
    const names = await rows.allTextContents();
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
    await page.getByLabel('Search hosts').fill('python');
    await expect.poll(async () => (await rows.allTextContents()).every((name) => name.includes('python'))).toBe(true);
    await page.getByLabel('Find pages whose URL contains').fill('no such page');
    await page.getByLabel('Find pages whose URL contains').press('Enter');
    await page.getByText('0 pages.', { exact: true }).waitFor();
    await page.close();
    expect(faults).toEqual([]);
  });

  test('picture and numbers are taken away, and names are text', async () => {
    const page = await graphOf('hostile');
    await page.locator('[data-drawn]').waitFor();
    expect(await page.locator('tbody').first().textContent()).toContain(hostile);
    expect(await page.locator('main img').count()).toBe(0);
    const svg = await savedBy(page, 'SVG of the graph');
    expect(svg.file.suggestedFilename()).toMatch(/^[0-9a-f]{16}-graph\.svg$/);
    expect(svg.bytes.toString()).not.toContain('<img');
    const isWellFormed = `!new DOMParser().parseFromString(${JSON.stringify(svg.bytes.toString())}, 'image/svg+xml')
      .querySelector('parsererror')`;
    expect(await page.evaluate(isWellFormed)).toBe(true);
    const png = await savedBy(page, 'PNG of the graph');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(await coloursIn(page, png.bytes)).toBeGreaterThan(50);
    const csv = await savedBy(page, 'CSV of the hosts');
    expect(csv.bytes.toString().trim().split('\n')).toHaveLength(14);
    const links = await savedBy(page, 'CSV of links');
    expect(links.bytes.toString()).toContain(`a.example,${hostile},1\n`);
    await page.getByRole('button', { name: hostile }).click();
    await page.getByRole('heading', { name: `Pages of ${hostile}` }).waitFor();
    await page.getByRole('region', { name: 'Table of pages', exact: true }).locator('tbody button').click();
    await page.getByRole('img', { name: /: 1 page that link/ }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.close();
    expect(faults).toEqual([]);
  });

  test('without WebGL there is a still picture beside the same tables, at 400 pixels in the dark', async () => {
    const without = await opened({ viewport: { width: 400, height: 800 }, colorScheme: 'dark' }, '--disable-3d-apis');
    const page = await graphOf('hostile', without);
    await page.getByText('This browser has no WebGL').waitFor();
    await page.locator('.canvas img').waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'PNG of the graph' }).isDisabled()).toBe(true);
    await page.locator('.nodes tbody button').first().click();
    await page.getByRole('region', { name: 'Table of pages', exact: true }).locator('tr').nth(1).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
    expect(await barriersOn(page)).toEqual([]);
    await page.close();
    expect(faults).toEqual([]);
  });

  test('an unknown run is said to be one', async () => {
    const page = await context.newPage();
    await page.goto(`${served.origin}/#/run/0123/graph`);
    await page.getByRole('alert').filter({ hasText: 'there is no run 0123' }).waitFor();
    await page.close();
    // The browser reports the refusal too.
    expect(faults.splice(0).filter((fault) => !fault.includes('404'))).toEqual([]);
  });
});

/** How many colours a picture has: one that was not drawn has one. */
async function coloursIn(page: Page, png: Buffer): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    const image = new Image();
    image.onload = () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      const onto = canvas.getContext('2d');
      onto.drawImage(image, 0, 0);
      done(new Set(new Uint32Array(onto.getImageData(0, 0, image.width, image.height).data.buffer)).size);
    };
    image.src = 'data:image/png;base64,${png.toString('base64')}';
  })`);
}
