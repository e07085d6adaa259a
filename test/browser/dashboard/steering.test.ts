import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { RunJson } from '../../../src/index.ts';
import type { NewRun, RunView } from '../../../src/views/service/dashboard/api.ts';
import { orbweaver } from '../../cli/command.ts';
import { writeSmallWeb } from '../../cli/input/small-web.ts';
import { CountedWeb } from '../../service/dashboard/counted-web.ts';
import { servedDashboard } from '../../service/dashboard/served.ts';
import { askDashboard, startedDashboard } from '../../service/dashboard/started.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { chromiumIsHere } from '../chromium.ts';
import { barriersOn, dashboardTabs } from './tabs.ts';

// Goal: what is clicked on the page happens to the run, and what the page shows is what the run's record says.
describe.skipIf(!chromiumIsHere())('a run steered in a browser', () => {
  const { folder } = temporaryFolder();
  const served = servedDashboard(folder);
  const { at, faults } = dashboardTabs(served);
  const patient = { timeout: 30_000 };

  const idOn = (page: Page): string => new URL(page.url()).hash.split('/').at(-1)!;
  const view = async (id: string): Promise<RunView> => (await served.ask(`/api/runs/${id}`)).body as RunView;
  const begin = async (run: NewRun): Promise<string> =>
    ((await served.ask('/api/runs', run)).body as { id: string }).id;
  const fill = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(values)) await page.locator(`[name="${name}"]`).fill(value);
  };
  /** Waits until the page shows a finished run; its record. */
  const recordOn = async (page: Page): Promise<RunJson> => {
    await page.getByRole('link', { name: 'Report' }).waitFor(patient);
    const { listed } = await view(idOn(page));
    return JSON.parse(readFileSync(join(listed.folder!, 'run.json'), 'utf8')) as RunJson;
  };
  /** The last line of the numbers of a chart, as it is saved. */
  const lastOf = async (page: Page, chart: RegExp): Promise<number[]> => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'), page.getByRole('button', { name: chart }).click(),
    ]);
    const lines = readFileSync(await saved.path(), 'utf8').trim().split('\n');
    return lines.at(-1)!.split(',').map(Number);
  };

  test('a simulation from the form: its curves and figures reach those of its record', async () => {
    const page = await at('#/new');
    await page.getByLabel('Graph', { exact: true }).fill('docs-web');
    await fill(page, { superstepLimit: '8', maxPages: '5000' });
    await page.getByRole('button', { name: 'Start the run' }).click();
    const { summary } = await recordOn(page);
    const { listed: { figures } } = await view(idOn(page));
    expect(figures!.rank).toBeLessThan(1);
    const [pages, rank] = await lastOf(page, /^CSV: Rank gathered/);
    expect(pages).toBe(summary.pagesFetched);
    expect(rank).toBeCloseTo(figures!.rank!, 9);
    await page.getByRole('radio', { name: 'time' }).check();
    const [seconds] = await lastOf(page, /^CSV: Rank gathered/);
    expect(seconds).toBeCloseTo(summary.virtualSeconds, 6);
    const shown = await page.locator('main').textContent();
    for (const value of [summary.pagesFetched, summary.pagesFailed, summary.supersteps])
      expect(shown).toContain(value.toLocaleString('en'));
    await page.close();
    expect(faults).toEqual([]);
  });

  test('a superstep of a live crawl, open as the crawl ends: its pages have names from then on', async () => {
    const web = await CountedWeb.open(3000, 200);
    const { contact, allowNetworks, resolve } = web.live;
    // A host is asked once in ten minutes: the crawl goes on until it is stopped.
    const id = await begin({
      kind: 'live', seeds: [...web.seeds],
      settings: { processors: 1, politenessMs: 600_000, superstepMs: 100, live: { contact, allowNetworks, resolve } },
    });
    const page = await at(`#/run/${id}`);
    await page.getByRole('listbox', { name: 'Downloads of the superstep' }).waitFor(patient);
    const superstep = page.getByLabel('Superstep', { exact: true });
    const names = page.locator('.opened td.name');
    // On a busy machine the first supersteps have no downloads.
    const opens = async (number: number): Promise<boolean> => {
      await superstep.fill(String(number));
      await superstep.press('Enter');
      return names.getByText(/^page \d+$/).first().waitFor({ timeout: 2000 }).then(() => true, () => false);
    };
    await page.getByText('The same as a table').click();
    let next = 0;
    await expect.poll(() => opens(next++ % 8), patient).toBe(true);
    expect((await served.ask(`/api/runs/${id}/control`, { do: 'stop' })).status).toBeLessThan(300);
    await names.getByText(new URL(web.seeds[0]).hostname).first().waitFor(patient);
    await page.close();
    await web.close();
    expect(faults).toEqual([]);
  });

  test('a live crawl from the form: the web sees robots change, pauses, hosts slowed and blocked, and its end', async () => {
    const web = await CountedWeb.open(3000, 200);
    const page = await at('#/new');
    await page.getByRole('radio', { name: /^Live crawl/ }).check();
    const { contact, allowNetworks = [], resolve } = web.live;
    for (const [i, seed] of web.seeds.entries()) {
      if (i > 0) await page.getByRole('button', { name: 'Add a URL' }).click();
      await page.getByLabel(`Seed URL ${i + 1}`, { exact: true }).fill(seed);
    }
    await page.getByText('More settings').click();
    await fill(page, {
      'live.contact': contact, processors: '1', robots: '8', politenessMs: '1', superstepMs: '100',
      'live.allowNetworks': allowNetworks.join(' '), 'live.resolve': JSON.stringify(resolve),
      'live.readerThreads': '0',
    });
    await expect.poll(() => page.getByLabel('Text of the command').textContent(), patient).toContain('--robots 8 ');
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start the run' }).click();
    await expect.poll(() => web.open, patient).toBe(8);

    const robots = page.getByLabel('Robots of each processor, as a number');
    const give = async (count: number): Promise<void> => {
      await robots.fill(String(count));
      await robots.press('Enter');
    };
    // So many requests as 8 robots make in 2 seconds: counted, for a busy machine is late.
    const inTwoSeconds = 80;
    let { begun } = web;
    await give(4);
    await expect.poll(() => web.mostOpen, patient).toBe(4);
    expect(web.begun - 12).toBeLessThan(begun + inTwoSeconds);
    begun = web.begun;
    await give(8);
    await expect.poll(() => web.open, patient).toBe(8);
    expect(web.begun).toBeLessThan(begun + inTwoSeconds);

    // The two hosts of which most was asked: one is slowed, so that it is asked once more at most, one is blocked.
    const [slowed, blocked] = [...web.begunOf].sort(([, a], [, b]) => b - a).map(([host]) => host);
    await page.getByText('Slow or block a host').click();
    const host = page.getByRole('textbox', { name: 'Host' });
    await host.fill(slowed);
    await page.getByLabel('Delay').fill('600');
    await page.getByRole('button', { name: 'Raise its delay' }).click();
    await page.getByRole('status').getByText(`${slowed}: at least 600 s between two downloads.`).waitFor();
    await host.fill(blocked);
    await page.getByRole('button', { name: 'Block it...' }).click();
    await page.getByRole('button', { name: 'Block it', exact: true }).click();
    await page.getByRole('status').getByText(`${blocked} is blocked.`).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    const asked = (): readonly number[] => [slowed, blocked].map((name) => web.begunOf.get(name)!);
    const before = asked();
    begun = web.begun;
    await expect.poll(() => web.begun, patient).toBeGreaterThan(begun + 40);
    expect(asked()[0]).toBeLessThanOrEqual(before[0] + 1);
    expect(asked()[1]).toBe(before[1]);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.state', { hasText: 'paused' }).waitFor();
    await expect.poll(() => web.open, patient).toBe(0);
    begun = web.begun;
    await page.setViewportSize({ width: 400, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await barriersOn(page)).toEqual([]);
    expect(web.begun).toBe(begun);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => web.begun, patient).toBeGreaterThan(begun);

    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop it' }).click();
    const { summary: { pagesFetched }, changes = [] } = await recordOn(page);
    expect(changes.map(({ setting, value }) => `${setting} ${value}`)).toEqual([
      'robots 4', 'robots 8', 'hostDelayMs 600000', 'hostBlocked 1', 'paused 1', 'paused 0', 'stop 1',
    ]);
    const { listed: { folder: record } } = await view(idOn(page));
    const more = ['--max-pages', String(pagesFetched + 20), '--json'];
    const { code, stdout } = await orbweaver(['crawl', '--resume', record!, ...more], folder);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as RunJson).summary.pagesFetched).toBe(pagesFetched + 20);
    await page.close();
    await web.close();
    // A second try finds the folder of the first, and names another.
    expect(faults.filter((fault) => !fault.endsWith('/api/check'))).toEqual([]);
  });

  test('a simulation goes as slowly as is chosen, and at full speed again', async () => {
    const graph = join(folder, 'web');
    writeSmallWeb(graph);
    const id = await begin({ kind: 'simulation', graph, settings: { superstepLimit: 1, processors: 1 }, out: 'paced' });
    const pause = await served.ask(`/api/runs/${id}/control`, { do: 'pause' });
    expect(pause.status).toBe(200);
    const page = await at(`#/run/${id}`);
    const pace = page.getByLabel('Pace');
    await pace.selectOption('5');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.state', { hasText: 'running' }).waitFor();
    const superstep = async (): Promise<number> => (await view(id)).state!.superstep;
    const [first, sinceMs] = [await superstep(), performance.now()];
    await expect.poll(superstep, patient).toBeGreaterThan(first + 2);
    // 3 supersteps and more, of which the first had begun.
    expect(performance.now() - sinceMs).toBeGreaterThan(350);
    expect(await pace.inputValue()).toBe('5');
    expect(await barriersOn(page)).toEqual([]);
    await pace.selectOption('');
    await recordOn(page);
    await page.close();
    expect(faults).toEqual([]);
  });

  test('a fork with nothing changed is the run again; with another policy it is drawn beside the run', async () => {
    const first = await begin({ kind: 'simulation', graph: join(folder, 'web'), settings: { superstepMs: 1000 } });
    const page = await at(`#/run/${first}`);
    const { replayHash } = await recordOn(page);
    const fork = async (superstep: string, policy?: string): Promise<RunJson> => {
      const from = idOn(page);
      await page.getByText(/^Fork: /).click();
      const form = page.locator('.fork');
      await form.getByLabel('Superstep', { exact: true }).fill(superstep);
      if (policy !== undefined) await form.getByLabel('Policy', { exact: true }).selectOption(policy);
      await expect.poll(() => page.getByLabel('Text of the command of the fork').textContent())
        .toContain(` --at ${superstep} ${policy === undefined ? '--out' : `--policy ${policy}`}`);
      expect(await barriersOn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Start the fork' }).click();
      await expect.poll(() => idOn(page)).not.toBe(from);
      return recordOn(page);
    };
    expect((await fork('3')).replayHash).toBe(replayHash);
    expect((await fork('2', 'breadth-first')).replayHash).not.toBe(replayHash);
    await page.getByText('from superstep 2').waitFor();
    await page.getByText('the run it is a fork of').waitFor();
    await page.close();
    expect(faults).toEqual([]);
  });

  test('a server that is killed leaves the run alone, and another shows it', async () => {
    const { url, child } = await startedDashboard(folder, served.runs);
    const dead = new Promise((resolve) => child.once('exit', resolve));
    const { body } = await askDashboard(url, '/api/runs', {
      kind: 'simulation', graph: join(folder, 'web'), settings: { superstepLimit: 1, processors: 1 }, out: 'lasting',
    });
    const { id } = body as { id: string };
    await served.ask(`/api/runs/${id}/control`, { do: 'pace', maxSuperstepsPerSecond: 10 });
    child.kill('SIGKILL');
    await dead;
    const page = await at(`#/run/${id}`);
    await page.locator('.state', { hasText: 'running' }).waitFor(patient);
    const pages = async (): Promise<number> => (await view(id)).state!.pagesFetched;
    const then = await pages();
    await expect.poll(pages, patient).toBeGreaterThan(then);
    await page.getByLabel('Pace').selectOption('');
    expect((await recordOn(page)).summary.ended).toBe('frontier dry');
    await page.close();
    expect(faults).toEqual([]);
  });
});
