import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { measuring } from '../../src/cli/answers/incomplete-runs.ts';
import { OpenedGraphs } from '../../src/cli/answers/compared/graphs.ts';
import { comparedIn, type Compared } from '../../src/questions/compare/index.ts';
import { readIncomplete, type RunEvents } from '../../src/core/measure/index.ts';
import { finished, orbweaver, start } from '../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from './loopback.ts';

// Goal: what a live crawl left that was killed, in its first session or a later one, is measured on what it had stored,
// and shown as incomplete until it is resumed to its end.

/** Pages in the record so far. */
function recordedPages(folder: string): number {
  const file = join(folder, 'record.partial', 'journal.jsonl');
  const last = existsSync(file) ? readFileSync(file, 'utf8').split('\n').at(-2) : undefined;
  return last === undefined ? 0 : (JSON.parse(last) as { fetched: number }).fetched;
}

/** Supersteps that were reported again when the crawl was resumed count what they did then. */
function expectReadableAtEachLine(record: string): void {
  const journal = join(record, 'journal.jsonl');
  const text = readFileSync(journal, 'utf8');
  for (let end = text.indexOf('\n') + 1; end > 0; end = text.indexOf('\n', end) + 1) {
    writeFileSync(journal, text.slice(0, end));
    expect(readIncomplete(record).events.order.length).toBeGreaterThanOrEqual(0);
  }
  writeFileSync(journal, text);
}

async function read(folder: string): Promise<{ readonly item: Compared; readonly order: RunEvents['order'] }> {
  const [item] = await comparedIn(folder, measuring(new OpenedGraphs(), []));
  return { item, order: (await item.records[0].events()).order };
}

test('a live crawl that is killed twice, and resumed', async () => {
  const site = graphWeb(syntheticWeb(300, 5), { latencyMs: 5, notFoundShare: 0.1 });
  const web = await loopback(site);
  try {
    const folder = web.folder();
    const flags = [
      ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8', '--resolve',
      `*=127.0.0.1:${web.port}`, '--politeness-ms', '1', '--superstep-ms', '40', '--processors', '3', '--robots', '2',
      '--reader-threads', '0', '--no-warc', '--out', folder,
    ];
    const fetched: number[] = [];
    for (const [args, pages] of [[flags, 40], [['--resume', folder], 120]] as const) {
      const child = start(['crawl', ...args], '/');
      const end = finished(child);
      while (recordedPages(folder) < pages && child.exitCode === null) await sleep(2);
      child.kill('SIGKILL');
      expect((await end).code).toBeNull();
      const { item, order } = await read(folder);
      const { run, readUpTo } = item.records[0];
      expect(readUpTo).toBe(run.summary.supersteps - 1);
      expect(run.summary).toMatchObject({ ended: 'incomplete', pagesFetched: order.length });
      expect(new Set(order).size).toBe(order.length);
      expect(run.dataset.pages).toBeGreaterThan(order.length);
      expect(order.length).toBeGreaterThan(fetched.at(-1) ?? 0);
      fetched.push(order.length);
      expectReadableAtEachLine(join(folder, 'record.partial'));
    }
    expect(await orbweaver(['crawl', '--resume', folder], '/')).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'record.partial'))).toBe(false);
    const { item, order } = await read(folder);
    expect(item).toMatchObject({ readUpTo: undefined, interrupted: false });
    expect(order.length).toBeGreaterThan(fetched[1]);
  } finally {
    await web.close();
  }
});
