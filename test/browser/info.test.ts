import { describe, expect, test } from 'vitest';
import { factsOf } from '../../src/questions/facts/index.ts';
import { infoParts, infoReport } from '../../src/cli/text/findings/info-shown.ts';
import { buildGraph, prepare } from '../../src/graphs/graph/index.ts';
import { shownHtml } from '../../src/views/report/index.ts';
import { partsOf } from '../graph/random-graphs.ts';
import { chromiumIsHere, chromiumPath } from './chromium.ts';
import { reportsInBrowser } from './opened.ts';
import { docsWeb } from '../docs-web.ts';

if (!chromiumIsHere()) console.log(`Skipped: no browser at ${chromiumPath}; set CHROMIUM to the path of one.`);

// Goal: what `info --out` draws is what it found, for graphs of which there is little to draw too.
describe.skipIf(!chromiumIsHere())('the report of a graph in a browser', () => {
  const opened = reportsInBrowser();
  const settings = {
    top: 3, bootstrap: 0, distances: 'approximate', registersLog2: 4, seed: 1, onStep: () => undefined,
  } as const;

  test('docs-web: degrees with their laws, the bow-tie, distances, host sizes', async () => {
    const graph = prepare(docsWeb);
    const facts = factsOf(graph, settings);
    await opened(shownHtml(infoReport(graph, facts, infoParts(facts), 'orbweaver info docs-web')), async (page) => {
      expect(await page.locator('svg.drawing').count()).toBe(4);
      expect(await page.locator('.key li').allTextContents()).toEqual(
        ['links in', 'links out', 'links in, fitted power law', 'links out, fitted power law']);
      expect((await page.locator('.bar').allInnerTexts())[0]).toMatch(/core\s+10,136 · 32\.4 %/);
      expect(await page.locator('main').innerText()).not.toMatch(/NaN|undefined|Infinity|\[object/);
    });
  });

  test.each([
    ['no links', 3, []], ['one link', 2, [[0, 1]]],
  ] as [string, number, [number, number][]][])('%s', async (_, pages, arcs) => {
    const graph = prepare(buildGraph(partsOf(pages, arcs)));
    const facts = factsOf(graph, { ...settings, distances: 'exact', registersLog2: undefined });
    await opened(shownHtml(infoReport(graph, facts, infoParts(facts), 'orbweaver info test')), async (page) => {
      expect(await page.locator('.warning').innerText()).toMatch(/^Hosts are synthetic/);
      expect(await page.locator('main').innerText()).not.toMatch(/NaN|undefined|Infinity|\[object/);
    });
  });
});
