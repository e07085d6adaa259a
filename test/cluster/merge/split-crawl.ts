import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorByName } from '../../../src/core/engine/index.ts';
import { openLmdbStore, UrlTable, type Visit } from '../../../src/core/live/index.ts';
import {
  readFailures, readRunEvents, readRunJson, recordFiles, replayHash, type RunResult,
} from '../../../src/core/measure/index.ts';
import type { LiveCrawlSettings } from '../../../src/core/settings/index.ts';

export interface SplitOptions {
  /** Barriers are later by so many microseconds: those of another crawl. */
  readonly laterUs?: number;
  /** Whether a node's record has the rows of its own processors alone. */
  readonly ownRowsOnly?: boolean;
  /** Each folder has the hosts of the node that is so many before it: no node of a crawl has them. */
  readonly shift?: number;
  /** What the ids of its folders begin with. */
  readonly id?: string;
}

/**
 * The folders that the nodes of a crawl would have left, made of the folder of a crawl on one machine: each node knows
 * the pages of its hosts, and those that its own pages lead to, and has visits, record and log of its own.
 */
export async function splitCrawl(
  crawl: string, folders: readonly string[],
  { laterUs = 0, ownRowsOnly = false, shift = 0, id = 'id' }: SplitOptions = {},
): Promise<void> {
  const nodes = folders.length;
  const run = await readRunJson<LiveCrawlSettings>(crawl);
  const events = await readRunEvents(crawl, run);
  const failures = await readFailures(crawl, run);
  const store = await openLmdbStore(join(crawl, 'store'));
  const pages = [...store.pages()];
  const processorOf = processorByName(run.experiment);
  const nodeOfHost = (host: string): number => (processorOf(host) + shift) % nodes;
  const nodeOf = (page: number): number => nodeOfHost(new URL(pages[page].url).host);
  const visits = [...store.visits()].sort((a, b) => a.finishedAtUs - b.finishedAtUs);
  const stored = store.settings as { readonly seeds: readonly string[] };
  await store.close();

  const ids = folders.map((_, node) => `${id}-${node}`);
  for (const [node, folder] of folders.entries()) {
    mkdirSync(folder, { recursive: true });
    const urls = new UrlTable();
    const own = await openLmdbStore(join(folder, 'store'), {
      ...stored, cluster: { node, nodes, id: ids[node] },
    });
    if (nodes > 1) await own.mark('peers', JSON.stringify(ids));
    const idOf = (page: number): number => urls.find(pages[page].url);
    const note = async (wanted: readonly number[], visit?: Visit): Promise<void> => {
      const fresh = wanted.filter((page) => idOf(page) < 0);
      const firstPage = urls.count;
      for (const page of fresh) urls.add(pages[page].url, pages[page].depth, pages[page].redirects);
      await own.note({
        firstPage, pages: fresh.map((page) => pages[page]),
        visit: visit && { ...visit, page: idOf(visit.page), links: visit.links.map(idOf) },
      });
    };
    await note(stored.seeds.map((_, page) => page));
    for (const visit of visits) {
      const links = [...visit.links];
      if (nodeOf(visit.page) === node) await note(links, visit);
      else await note(links.filter((page) => nodeOf(page) === node));
    }
    await own.close();

    const positions = new Map(failures.map((failure) => [failure.position, failure]));
    const order: number[] = [];
    const times: number[] = [];
    const ownFailures = [];
    for (let position = 0, fetched = 0; position < events.order.length + failures.length; position++) {
      const failure = positions.get(position);
      const page = failure?.page ?? events.order[fetched];
      const isOwn = nodeOf(page) === node;
      if (failure !== undefined && isOwn)
        ownFailures.push({ ...failure, page: idOf(page), position: order.length + ownFailures.length });
      if (failure !== undefined) continue;
      if (isOwn) {
        order.push(idOf(page));
        times.push(events.times[2 * fetched], events.times[2 * fetched + 1]);
      }
      fetched++;
    }
    const rows = events.rows.filter(({ processor }) => !ownRowsOnly || processor % nodes === node)
      .map((row) => ({ ...row, barrierUs: row.barrierUs + laterUs }));
    const ownEvents = {
      order: Uint32Array.from(order), times: Float64Array.from(times), failures: ownFailures, rows, crashes: [],
      changes: [],
      processors: Uint32Array.from(order, (page) => processorOf(new URL(urls.urlOf(page)).host)),
    };
    const record = {
      run: {
        ...run, summary: { ...run.summary, pagesFetched: order.length }, replayHash: replayHash(ownEvents),
        experiment: { ...run.experiment, seedPages: stored.seeds.map((_, page) => page) },
      },
      events: ownEvents,
      curves: undefined,
    } as unknown as RunResult;
    for (const [name, content] of recordFiles(record)) writeFileSync(join(folder, name), content);

    const log = readFileSync(join(crawl, 'crawl.log'), 'utf8').split('\n').filter((line) => {
      const url = line.trim().split(/\s+/).at(5);
      return url !== undefined && nodeOfHost(new URL(url).host) === node;
    });
    writeFileSync(join(folder, 'crawl.log'), log.map((line) => `${line}\n`).join(''));
  }
}
