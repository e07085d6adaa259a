import { expect, test } from 'vitest';
import { restsSince, withRests } from '../../src/crawl/checkpoint/rests.ts';
import { MemoryStore, UrlTable, type Visit } from '../../src/live/index.ts';
import type { FrontierState } from '../../src/frontier/index.ts';

// Goal: when a crawl goes on, every host that may have been visited since its checkpoint rests, and noted rests have
// their deadlines.

const visit = (page: number, finishedAtUs: number, waitUs: number): Visit =>
  ({ page, kind: 'fetched', bytes: 0, waitUs, finishedAtUs, links: new Uint32Array(0), digest: '', warc: undefined });

test('hosts visited since rest their whole delay; what was noted counts from its own beginning, and with its failures', async () => {
  const urls = new UrlTable();
  const store = new MemoryStore({});
  const hosts = ['old', 'new', 'slow', 'paused', 'failing'];
  const pages = hosts.map((host) => ({ url: `http://${host}.test/`, depth: 0, redirects: 0 }));
  for (const { url } of pages) urls.add(url, 0, 0);
  await store.note({ firstPage: 0, pages });
  await store.note({ firstPage: 5, pages: [], visit: visit(0, 900, 0) });
  await store.note({ firstPage: 5, pages: [], visit: visit(1, 1000, 0) });
  await store.note({ firstPage: 5, pages: [], visit: visit(2, 2000, 70) });
  const noted = new Map([[3, { restUs: 40, failures: 0 }], [4, { restUs: 500, failures: 3 }]]);

  const rests = restsSince(store, urls, 1000, 20, noted as unknown as Parameters<typeof restsSince>[4]);
  expect([...rests].sort(([a], [b]) => a - b)).toEqual([
    [1, { restUs: 20 }], [2, { restUs: 70 }], [3, { restUs: 40, failures: 0 }], [4, { restUs: 500, failures: 3 }],
  ]);

  const waits = [{ host: 1, readyAtUs: 5100, failures: 2 }, { host: 3, readyAtUs: 9999, failures: 1 }];
  const state = {
    pending: { entries: new Float64Array(0), hosts: new Uint32Array(0), waits },
  } as unknown as FrontierState;
  const after = withRests(state, rests, (host) => host !== 2, 5000).pending.waits;
  expect([...after].sort((a, b) => a.host - b.host)).toEqual([
    // The later of what the checkpoint knows and the whole delay.
    { host: 1, readyAtUs: 5100, failures: 2 },
    // Of a noted rest what is left of it, whatever was left at the checkpoint.
    { host: 3, readyAtUs: 5040, failures: 0 },
    { host: 4, readyAtUs: 5500, failures: 3 },
  ]);
});
