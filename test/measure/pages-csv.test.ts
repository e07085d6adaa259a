import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { simulate, trueRanks } from '../../src/core/engine/index.ts';
import { buildGraph, hostsFromNames, prepare, StringTable, type WebGraph } from '../../src/graphs/graph/index.ts';
import { pagesCsv } from '../../src/core/measure/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { docsWeb } from '../docs-web.ts';
import { tries } from '../sweep.ts';

// Goal: pages.csv says of each page what the record says last of it, in the order in which the record says it.

async function rowsOf(graph: WebGraph, input: ExperimentInput): Promise<void> {
  const prepared = prepare(graph);
  const { events } = await simulate(prepared, input);
  const ranks = trueRanks(prepared);
  const [header, ...rows] = [...pagesCsv(graph, { events, ranks })].join('').trimEnd().split('\n');
  expect(header).toBe('url,host,processor,start,end,outcome,rank');

  // All outcomes in their order: the failures at their positions, fetched pages between them.
  const outcomes: { page: number; row: string }[] = [];
  const row = (page: number, processor: number, start: number, end: number, outcome: string): void => {
    const host = graph.hosts.names.at(graph.hosts.ofPage[page]);
    const url = graph.hosts.synthetic ? String(page) : `${host}${graph.paths?.at(page) ?? ''}`;
    const words = [url, host].map((word) => (/[",]/.test(word) ? JSON.stringify(word).replaceAll('\\"', '""') : word));
    const text = [...words, processor, start / 1e6, end / 1e6, outcome, ranks[page]].join();
    outcomes.push({ page, row: text });
  };
  const failures = new Map(events.failures.map((failure) => [failure.position, failure]));
  for (let i = 0; outcomes.length < events.order.length + failures.size;) {
    const failure = failures.get(outcomes.length);
    if (failure) row(failure.page, failure.processor, failure.startedUs, failure.finishedUs, failure.kind);
    else row(events.order[i], events.processors[i], events.times[2 * i], events.times[2 * i++ + 1], 'fetched');
  }
  const last = new Map(outcomes.map(({ page }, i) => [page, i]));
  expect(rows).toEqual(outcomes.filter(({ page }, i) => last.get(page) === i).map((outcome) => outcome.row));
}

describe('pages.csv', () => {
  test.each<[string, ExperimentInput]>([
    ['of a calm network', { maxPages: 3000 }],
    ['of a hostile network, with retries', { network: { preset: 'hostile' }, maxPages: 2000, retries: 2 }],
    ['with processors that crash', { network: { crashSeconds: 60, restartSeconds: 5 }, maxPages: 2000 }],
  ])('%s has the last outcome of each page', async (_, input) => {
    await rowsOf(docsWeb, input);
  });

  test('of a graph without URLs has page ids', async () => {
    await rowsOf(await openGraph('star'), { policy: 'random' });
  });

  test('quotes what a table needs quoted', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.nat(5), { minLength: 1, maxLength: 8 }), async (letters) => {
      const paths = letters.map((letter, i) => `/${',"a;\'é'[letter]}${i}`);
      const pages = paths.length;
      await rowsOf(buildGraph({
        name: 'odd', pages, sources: new Uint32Array(pages), targets: Uint32Array.from(paths, (_, i) => i),
        hosts: hostsFromNames(paths.map(() => 'a.example')), paths: StringTable.from(paths),
      }), { processors: 1 });
    }), { numRuns: tries(20) });
  });
});
