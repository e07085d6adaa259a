import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orbweaver } from '../../cli/command.ts';
import { servedDashboard } from '../../service/dashboard/served.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { chromiumIsHere, chromiumPath } from '../chromium.ts';
import { barriersOn, dashboardTabs, tabTo } from './tabs.ts';

if (!chromiumIsHere()) console.log(`Skipped: no browser at ${chromiumPath}; set CHROMIUM to the path of one.`);

const hostile = '<img src=x onerror=alert(1)>';

// Goal: one can start a run, follow and steer it, and find it again, in the browser alone and by keyboard alone.
describe.skipIf(!chromiumIsHere())('the dashboard in a browser', () => {
  const { folder } = temporaryFolder();
  const served = servedDashboard(folder);
  const { at, opened, faults } = dashboardTabs(served);

  test('without a run it says what to do', async () => {
    const page = await at('');
    await page.getByRole('heading', { name: 'No run yet' }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.close();
    expect(faults).toEqual([]);
  });

  test('an address that changes while the page opens is followed', async () => {
    const page = await at('');
    await page.addInitScript("addEventListener('DOMContentLoaded', () => { location.hash = '#/new'; })");
    await page.goto(`${served.origin}/`);
    await page.getByRole('heading', { name: 'New run' }).waitFor();
    await page.close();
  });

  test('by keyboard alone, a run is set up, started, paused, given robots, resumed and stopped', async () => {
    const page = await at('');
    const press = async (key: string, times = 1): Promise<void> => {
      for (let i = 0; i < times; i++) await page.keyboard.press(key);
    };
    const type = async (label: string, text: string): Promise<void> => {
      await tabTo(page, page.getByLabel(label, { exact: true }));
      await press('Control+a');
      await page.keyboard.type(text);
    };
    const activate = async (role: 'button' | 'link', name: string, key = 'Enter'): Promise<void> => {
      await tabTo(page, page.getByRole(role, { name, exact: true }).first());
      await press(key);
    };
    await activate('link', 'New run');
    await page.getByRole('heading', { name: 'New run' }).waitFor();
    await type('Graph', 'docs-web');
    const processors = page.getByLabel('Processors (P)');
    await type('Processors (P)', '0');
    await expect.poll(() => processors.getAttribute('aria-invalid')).toBe('true');
    const named = (await processors.getAttribute('aria-describedby'))!.split(' ')[0];
    expect(await page.locator(`[id="${named}"]`).textContent()).toMatch(/processors/);
    expect(await barriersOn(page)).toEqual([]);
    // The browser reports the refusal too.
    expect(faults.splice(0)).toEqual([expect.stringContaining('400')]);
    await press('Backspace');
    await page.keyboard.type('2');
    // A ranking for each page, and a page per superstep: it takes long enough to be steered.
    await type('Superstep limit (R_x)', '1');
    await tabTo(page, page.getByLabel('Policy', { exact: true }));
    await page.keyboard.type('batch-pagerank');
    await tabTo(page, page.getByText('More settings'));
    await press('Enter');
    await type('Search settings', 'ranking');
    await type('Rank every pages', '1');
    const command = page.getByLabel('Text of the command');
    for (const words of [
      /^orbweaver simulate docs-web /, / --processors 2 /, / --superstep-limit 1 /, / --policy batch-pagerank /,
      / --rank-every-pages 1 /,
    ]) await expect.poll(() => command.textContent()).toMatch(words);
    expect(await barriersOn(page)).toEqual([]);

    await activate('button', 'Start the run');
    await activate('button', 'Pause', 'Space');
    await page.locator('.state', { hasText: 'paused' }).waitFor();
    await page.getByRole('heading', { name: 'docs-web' }).waitFor();
    // Another tab of the browser shows the same run.
    const other = await at(new URL(page.url()).hash);
    await other.locator('.state', { hasText: 'paused' }).waitFor();
    await activate('button', 'Processor 1, details');
    await tabTo(page, page.getByLabel('Robots of processor 1', { exact: true }));
    await press('ArrowRight');
    expect(await page.getByRole('img', { name: /^Rank gathered against pages/ }).count()).toBe(1);
    expect(await barriersOn(page)).toEqual([]);

    await activate('button', 'Resume');
    await page.locator('.state', { hasText: 'running' }).waitFor();
    await expect.poll(() => other.getByRole('row', { name: /^Processor 1, details/ }).textContent()).toContain('of 5');
    await activate('button', 'Stop');
    await activate('button', 'Stop it');
    await page.getByRole('link', { name: 'Report' }).waitFor();
    await other.getByRole('link', { name: 'Report' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    await Promise.all([page.close(), other.close()]);
    expect(faults).toEqual([]);
  });

  test('finished runs are listed, found and compared; their names are text', async () => {
    for (const name of [hostile, 'other']) {
      expect((await orbweaver(['simulate', 'star', '--out', join(served.runs, name)], folder)).code).toBe(0);
    }
    // Those of the tests before, too.
    const { runs } = (await served.ask('/api/runs')).body as { runs: readonly object[] };
    const page = await at('');
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(runs.length);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('tbody').textContent()).toContain(hostile);
    await page.getByLabel('Search').fill('star');
    expect(await rows.count()).toBe(2);
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    const command = page.getByLabel('Text of the command');
    expect(await command.textContent()).toContain(`'${join(served.runs, hostile)}'`);
    expect(await barriersOn(page)).toEqual([]);
    await rows.first().getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Statistics of the crawl' }).waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/NaN|undefined|Infinity|\[object/);
    await page.close();
    expect(faults).toEqual([]);
  });

  test('a superstep is opened: downloads are named by pointer and by keys, zoomed, and saved', async () => {
    const argv = ['--processors', '2', '--superstep-limit', '40', '--max-pages', '300', '--timeout-share', '0.1'];
    await orbweaver(['simulate', 'docs-web', ...argv, '--out', join(served.runs, 'opened')], folder);
    const { runs } = (await served.ask('/api/runs')).body as { runs: { id: string; folder: string }[] };
    const page = await at(`#/run/${runs.find((one) => one.folder.endsWith('/opened'))?.id}`);
    const picture = page.getByRole('listbox', { name: 'Downloads of the superstep' });
    await picture.waitFor();
    const section = page.locator('.opened');
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByLabel('Superstep', { exact: true }).fill('1');
    await page.getByLabel('Superstep', { exact: true }).press('Enter');
    await section.getByText(/^Superstep 1 of/).waitFor();
    const bars = await picture.getByRole('option').count();
    const said = section.getByRole('status');
    await picture.getByRole('option').nth(3).hover();
    expect(await said.textContent())
      .toMatch(/^\S+\/.*: .*; began .* the superstep began, took .*; Processor \d, robot \d$/);
    await picture.focus();
    for (const key of ['Home', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    expect(await picture.getAttribute('aria-activedescendant')).toBe('download-2');
    const name = await page.locator('#download-2').getAttribute('aria-label');
    expect(await said.textContent()).toContain(name!.slice(0, name!.lastIndexOf(',')));
    for (const key of ['+', '+', '+', '+']) await page.keyboard.press(key);
    expect(await picture.getByRole('option').count()).toBeLessThan(bars);
    await section.getByRole('button', { name: 'Show all' }).click();
    expect(await picture.getByRole('option').count()).toBe(bars);
    await section.getByText('The same as a table').click();
    await expect.poll(() => section.locator('tbody tr').count()).toBe(bars);
    expect(await barriersOn(page)).toEqual([]);
    const [saved] = await Promise.all([
      page.waitForEvent('download'), section.getByRole('link', { name: 'trace.json', exact: true }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('trace.json');
    await page.close();
    expect(faults).toEqual([]);
  });

  test('logs are read page by page, filtered and searched, and what happened is there after the end', async () => {
    const argv = ['--processors', '2', '--max-pages', '300', '--timeout-share', '0.1', '--watch'];
    await orbweaver(['simulate', 'docs-web', ...argv, '--out', join(served.runs, 'logged')], folder);
    const { runs } = (await served.ask('/api/runs')).body as { runs: { id: string; folder: string }[] };
    const page = await at(`#/run/${runs.find((one) => one.folder.endsWith('/logged'))?.id}`);
    await page.getByRole('region', { name: 'Lines of what happened' }).getByText(/^ended/).waitFor();
    await page.getByRole('img', { name: /the best order has .* and a random order .* on average/ }).waitFor();
    expect(await page.getByRole('region', { name: 'Table of pages by their number of links' }).textContent())
      .toMatch(/0\d+.*1\d+.*2 to 3\d+/);

    await page.getByRole('button', { name: 'Processor 1, details' }).press('Enter');
    const rows = page.getByRole('region', { name: 'Table: log of processor 1' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(15);
    const newest = await rows.first().textContent();
    await page.getByRole('button', { name: 'Older: log of processor 1' }).click();
    await expect.poll(() => rows.first().textContent()).not.toBe(newest);
    await page.getByRole('button', { name: 'Newer: log of processor 1' }).click();
    await expect.poll(() => rows.first().textContent()).toBe(newest);
    await page.getByLabel('Outcomes in the log of processor 1').selectOption('timeout');
    const others = async (): Promise<string[]> =>
      (await rows.allTextContents()).filter((text) => !text.includes('timed out'));
    await expect.poll(others).toEqual([]);
    expect(await rows.count()).toBeGreaterThan(0);

    const all = page.getByRole('region', { name: 'Table: log', exact: true }).locator('tbody tr');
    const name = (await all.last().locator('.page').textContent())!;
    await page.getByLabel('Search the log', { exact: true }).fill(name.toUpperCase());
    await expect.poll(() => all.locator('.page').allTextContents()).toContain(name);
    await expect.poll(async () => new Set(await all.locator('.page').allTextContents()).size).toBeLessThan(3);
    expect(await barriersOn(page)).toEqual([]);
    await page.close();
    expect(faults).toEqual([]);
  });

  test.each([400, 1280])('fits %i pixels, in the dark', async (width) => {
    const dark = await opened({ viewport: { width, height: 800 }, colorScheme: 'dark' });
    const page = await at('', dark);
    for (const [hash, settled] of [['#/', 'tbody'], ['#/new', '#graph']] as const) {
      await page.goto(`${served.origin}/${hash}`);
      await page.locator(settled).waitFor();
      expect(await barriersOn(page)).toEqual([]);
    }
    await page.goto(`${served.origin}/#/`);
    await page.locator('tbody a').first().click();
    await page.getByRole('heading', { name: 'Statistics of the crawl' }).waitFor();
    await page.getByRole('listbox', { name: 'Downloads of the superstep' }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await dark.close();
    expect(faults).toEqual([]);
  });
});
