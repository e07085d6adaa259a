import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NewRun } from '../../../src/views/service/dashboard/api.ts';
import { FolderSite } from '../../../src/views/service/index.ts';
import { loopback } from '../../crawl/loopback.ts';
import { hostileNames } from '../../report/hostile.ts';
import { servedDashboard } from '../../service/dashboard/served.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { chromiumIsHere } from '../chromium.ts';
import { dashboardTabs } from './tabs.ts';

// Goal: names from the web and from files are text on the page, whatever they would like to be.
describe.skipIf(!chromiumIsHere())('pages titled with script', () => {
  const { folder } = temporaryFolder();
  const served = servedDashboard(folder);
  const { at, faults } = dashboardTabs(served);
  const begin = async (run: NewRun): Promise<string> => {
    const { status, body } = await served.ask('/api/runs', run);
    expect({ status, body }).toMatchObject({ status: 201 });
    return (body as { id: string }).id;
  };
  /** Opens a run that has ended, with all names that there are, and looks whether one of them did anything. */
  const look = async (id: string, name: string): Promise<void> => {
    const page = await at(`#/run/${id}`);
    await page.getByRole('link', { name: 'Report' }).waitFor();
    await page.getByRole('listbox', { name: 'Downloads of the superstep' }).waitFor();
    await page.getByLabel('Superstep', { exact: true }).fill('0');
    await page.getByLabel('Superstep', { exact: true }).press('Enter');
    await page.getByText('The same as a table').click();
    await page.locator('.opened td', { hasText: name }).first().waitFor();
    await page.goto(`${served.origin}/#/`);
    await page.locator('tbody tr').first().waitFor();
    expect(await page.locator('img, iframe, object, embed, svg [onload], script:not([src])').count()).toBe(0);
    await page.close();
    expect(faults).toEqual([]);
  };

  test('are crawled and shown as text', async () => {
    const root = join(folder, 'site');
    mkdirSync(root, { recursive: true });
    const titles = [...hostileNames, '<script>alert(1)</script>'];
    // A half pair is no part of a URL.
    const path = (title: string): string => encodeURIComponent(Buffer.from(title).toString());
    const links = titles.map((title) => `<a href="/${path(title)}">${title}</a>`);
    writeFileSync(join(root, 'index.html'), `<title>${titles.join('')}</title>${links.join('')}`);
    const web = await loopback(await FolderSite.open([{ folder: root, host: 'script.example' }]));
    const { contact, allowNetworks, resolve } = web.live;
    const id = await begin({
      kind: 'live', seeds: ['http://script.example/?<script>alert(1)</script>', 'http://script.example/'],
      settings: { processors: 1, politenessMs: 1, superstepMs: 100, live: { contact, allowNetworks, resolve } },
    });
    await look(id, 'script.example/');
    await web.close();
  });

  test('in the files of a graph are simulated and shown as text', async () => {
    const graph = join(folder, 'graph');
    mkdirSync(graph, { recursive: true });
    const names = ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>'];
    writeFileSync(join(graph, 'pages.tsv'), names.map((name, i) => `h${i}.example\t/${name}\t1000\n`).join(''));
    writeFileSync(join(graph, 'arcs.tsv'), '0\t1\n1\t2\n2\t0\n');
    await look(await begin({ kind: 'simulation', graph, settings: { seedPages: [0] } }), names[0]);
  });
});
