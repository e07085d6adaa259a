import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseExperiment } from '../src/core/policy/index.ts';
import { checkpointAfter, simulate } from '../src/core/engine/index.ts';
import type { ExperimentInput } from '../src/core/settings/index.ts';
import { urlOf } from '../src/graphs/graph/index.ts';
import { docsWeb, docsWebPrepared, docsWebRanks as ranks } from './docs-web.ts';
import { partOf, sampled } from './sweep.ts';

// Goal: what the lesson says that everyone sees is what everyone sees.

const lesson = readFileSync(new URL('../notebooks/lesson.md', import.meta.url), 'utf8');

/** Each table by the beginning of its head: the settings that its first column means, and those of the step. */
const tables: readonly [head: string, settings: (first: string) => ExperimentInput][] = [
  ['| policy |', (policy) => ({ policy, processors: 1 })],
  ['| R_x |', (limit) => ({
    policy: 'opic', processors: 4, politenessMs: 0, superstepMs: 0, superstepLimit: Number(limit.replace(',', '')),
  })],
  ['| processors | 90 %', (processors) => ({ policy: 'opic', processors: Number(processors) })],
  ['| processors, delay', (processors) => ({ policy: 'opic', processors: Number(processors), politenessMs: 100 })],
];

const rows = tables.flatMap(([head, settings]) => {
  const [heads, , ...body] = lesson.slice(lesson.indexOf(head)).split('\n\n')[0].split('\n').map(cellsOf);
  return body.map(([first, ...cells]) => ({ name: `${heads[0]} ${first}`, heads, cells, input: settings(first) }));
});

function cellsOf(line: string): string[] {
  return line.split('|').slice(1, -1).map((cell) => cell.trim());
}

const minutes = (seconds: number): string =>
  `${Math.floor(Math.round(seconds) / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`;

const tried = sampled(rows, 4);
test.each(tried)(`$name (${partOf(tried, rows)})`, async ({ heads, cells, input }) => {
  const { run: { summary } } = await simulate(docsWebPrepared, input, { ranks });
  const { quality, secondsToRank, supersteps, bsp, virtualSeconds } = summary;
  const figures: Readonly<Record<string, string>> = {
    'half of the rank after': minutes(secondsToRank['50']!), '90 % after': minutes(secondsToRank['90']!),
    '90 % of the rank after': minutes(secondsToRank['90']!), 'whole crawl': minutes(virtualSeconds),
    'PageRank area': quality.pagerankArea.toFixed(3).replace(/^0/, ''),
    supersteps: supersteps.toLocaleString('en-GB'),
    'pairs sent per page': (bsp.pairs / summary.pagesFetched).toFixed(2),
  };
  expect(cells).toEqual(heads.slice(1).map((head) => figures[head]));
});

test('the page that shows why breadth-first loses, and the fork', async () => {
  const [, path] = /search the log for `([^`]+)`/.exec(lesson)!;
  const page = ranks.indexOf(Math.max(...ranks));
  expect(urlOf(docsWeb, page)).toBe(path);
  expect(lesson).toContain(`No page has a higher rank: ${(100 * ranks[page]).toFixed(1)} % of all.`);
  const times: string[] = [];
  const named: string[] = [];
  for (const policy of ['breadth-first', 'opic']) {
    const { events, run: { summary: { limits } } } = await simulate(docsWebPrepared, { policy, processors: 1 }, { ranks });
    named.push(`${limits.named[0]} of ${limits.hosts.names[0]}`);
    times.push(minutes(events.times[2 * events.order.indexOf(page) + 1] / 1e6));
  }
  const text = lesson.replaceAll('\n', ' ');
  const [, host] = /one host, which may be asked once a second \(`([^`]+)`\)/.exec(text)!;
  expect(named[0]).toBe(`politeness of ${host}`);
  expect(text).toContain(`Breadth-first fetches it after ${times[0]} of its crawl, OPIC after ${times[1]}.`);
  const linksIn = docsWeb.outTargets.reduce((sum, target) => sum + Number(target === page), 0);
  expect(text).toContain(`${linksIn.toLocaleString('en-GB')} pages link to it`);

  const experiment = parseExperiment({ policy: 'breadth-first', processors: 1 });
  const [, superstep, after] = /superstep (\d+) with policy `opic`[^]*half of the rank after (\S+) in/.exec(lesson)!;
  const from = await checkpointAfter(docsWebPrepared, [{ experiment, untilSuperstep: Number(superstep) }], { ranks });
  const { run } = await simulate(docsWebPrepared, { ...experiment, policy: 'opic' }, { ranks, from });
  expect(minutes(run.summary.secondsToRank['50']!)).toBe(after);
});
