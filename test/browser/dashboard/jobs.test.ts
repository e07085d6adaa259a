import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { orbweaver } from '../../cli/command.ts';
import { servedDashboard } from '../../service/dashboard/served.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { chromiumIsHere } from '../chromium.ts';
import { barriersOn, dashboardTabs } from './tabs.ts';

const hostile = '<img src=x onerror=alert(1)>';

// Goal: in the browser alone one plans from the form to the report, and sets finished runs side by side.
describe.skipIf(!chromiumIsHere())('plans and comparisons in a browser', () => {
  const { folder } = temporaryFolder();
  const served = servedDashboard(folder);
  const { faults, at, opened } = dashboardTabs(served);

  beforeAll(() => { process.env['ORBWEAVER_STUDIES'] = join(folder, 'studies'); });

  test('a plan goes from the form over its race to its answer and its report, by keyboard', async () => {
    const page = await at('#/new');
    await page.getByRole('radio', { name: /^Plan/ }).press('Space');
    await page.getByLabel('Graph', { exact: true }).fill('docs-web');
    const goal = page.getByLabel('Goal 1');
    await goal.fill('most of it');
    await expect.poll(() => goal.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByText(/must be a share or a number/).count()).toBe(1);
    // The browser reports the refusal too.
    expect(faults.splice(0)).toEqual([expect.stringContaining('400')]);
    await goal.fill('20% of rank');
    await page.getByLabel('Machines at most').fill('1');
    await page.getByLabel('Robots per machine at most').fill('8');
    await page.getByLabel('Settings that vary').fill('policy, superstepLimit');
    await expect.poll(() => page.getByLabel('Text of the command').textContent())
      .toContain("orbweaver plan docs-web --goal '20% of rank' --machines 1 --robots 8 ");
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start the plan' }).press('Enter');

    await page.getByRole('heading', { name: 'The answer so far' }).waitFor();
    const race = page.getByRole('img', { name: /^\d+ set-ups by share of the goal and cost/ });
    await race.waitFor();
    await page.getByRole('heading', { name: 'The answer', exact: true }).waitFor({ timeout: 40_000 });
    const text = await page.locator('.answer').textContent();
    expect(text).toMatch(/The cheapest set-up for 20 % of the rank: 1 machine .*95 % intervals over \d+ fresh seeds/);
    await page.getByText('The same as a table').press('Enter');
    await expect.poll(() => page.locator('tr.best').count()).toBe(1);
    expect(await race.locator('circle.mark-best').count()).toBe(2);
    expect(await page.locator('main').textContent()).not.toMatch(/NaN|undefined|Infinity|\[object/);
    expect(await barriersOn(page)).toEqual([]);
    for (const [kind, name] of [['SVG', /\.svg$/], ['CSV', /\.csv$/]] as const) {
      const [saved] = await Promise.all([
        page.waitForEvent('download'), page.getByRole('button', { name: new RegExp(`^${kind}: `) }).click(),
      ]);
      expect(saved.suggestedFilename()).toMatch(name);
    }
    await page.getByRole('link', { name: 'Open the report' }).press('Enter');
    await page.getByRole('heading', { name: /^A plan for docs-web/ }).waitFor();
    await page.close();
    expect(faults).toEqual([]);
  });

  test('a study is pasted, mended at its line, and its cells are shown; its title is text', async () => {
    const page = await at('#/new');
    await page.getByRole('radio', { name: /^Study/ }).check();
    await page.getByRole('button', { name: 'tiny' }).click();
    const yaml = page.getByLabel('Study file (YAML)');
    expect(await yaml.inputValue()).toContain('A first study');
    await yaml.fill(`title: '${hostile}'\ngraph: star\naxes:\n  policy: [opic\n  seed: [1, 2]\n`);
    await page.getByRole('button', { name: /^Go to line \d/ }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('yaml');
    expect(await barriersOn(page)).toEqual([]);
    await yaml.fill(`title: '${hostile}'\ngraph: star\naxes:\n  policy: [opic, random]\n  seed: [1, 2]\n`);
    await expect.poll(() => yaml.getAttribute('aria-invalid')).toBe('false');
    faults.length = 0;
    await page.getByRole('button', { name: 'Start the study' }).click();
    await page.getByRole('link', { name: 'Open the report' }).waitFor({ timeout: 40_000 });
    expect(await page.locator('h1').textContent()).toBe(hostile);
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(expect.arrayContaining(['opic', 'random']));
    expect(await page.locator('img').count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
    await page.close();
    expect(faults).toEqual([]);
  });

  test('finished runs are filtered, chosen and compared, also at 400 pixels in the dark', async () => {
    for (const policy of ['opic', 'breadth-first', 'random']) {
      const words = ['--max-pages', '400', '--policy', policy, '--superstep-limit', '8', '--watch'];
      const argv = ['simulate', 'docs-web', ...words, '--out', join(served.runs, policy)];
      expect((await orbweaver(argv, folder)).code).toBe(0);
    }
    const page = await at('');
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByLabel('Kind').selectOption('plan');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.textContent()).toContain('The cheapest set-up');
    await page.getByLabel('Kind').selectOption('all');
    await page.getByLabel('Policy').selectOption('opic');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel('Policy').selectOption('all');
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Compare the 3 runs' }).press('Enter');

    await page.getByRole('heading', { name: 'Compare runs' }).waitFor();
    await page.getByRole('img', { name: /^Rank gathered against pages fetched/ }).waitFor();
    const row = page.getByRole('row', { name: /^PageRank area/ });
    // What the command line says of the same records.
    const areas = ['opic', 'breadth-first', 'random'].map((policy) => {
      const { summary } = JSON.parse(readFileSync(join(served.runs, policy, 'run.json'), 'utf8')) as
        { summary: { quality: { pagerankArea: number } } };
      return summary.quality.pagerankArea;
    });
    expect(await row.locator('b').textContent()).toBe(`${Math.max(...areas).toFixed(3)} best`);
    expect(await page.getByRole('row', { name: /^policy / }).textContent()).toContain('breadth-first');
    expect(await page.getByLabel('Text of the command').textContent()).toMatch(/^orbweaver compare .*\/opic/);
    await page.getByRole('radio', { name: 'time' }).check();
    await page.getByRole('img', { name: /^Rank gathered against time/ }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Leave out random' }).click();
    await expect.poll(() => page.getByRole('columnheader', { name: 'random' }).count()).toBe(0);

    const narrow = await opened({ viewport: { width: 400, height: 800 }, colorScheme: 'dark' });
    const { runs } = (await served.ask('/api/runs')).body as { runs: { id: string; kind: string }[] };
    const plan = runs.find(({ kind }) => kind === 'plan')!;
    for (const [hash, settled] of [[new URL(page.url()).hash, '.plot'], [`#/run/${plan.id}`, '.picture']] as const) {
      const small = await at(hash, narrow);
      await small.locator(settled).first().waitFor();
      expect(await barriersOn(small)).toEqual([]);
      await small.close();
    }
    await narrow.close();
    await page.close();
    expect(faults).toEqual([]);
  });
});
