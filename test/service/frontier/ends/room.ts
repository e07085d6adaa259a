import { shippedPolicies } from '../../../../src/core/policy/index.ts';
import { capacityOf } from '../../../../src/views/service/frontier/capacity.ts';
import { FrontierStore } from '../../../../src/views/service/frontier/store/frontier-store.ts';
import { UrlFrontier } from '../../../../src/views/service/frontier/url-frontier.ts';

// Fills a frontier, in this process: what it says of the first half of the URLs, and what all of them use, as JSON.
// Arguments: folder, URLs, URLs of each host. `node --expose-gc`.

const [folder, ...numbers] = process.argv.slice(2);
const [urls, urlsPerHost] = numbers.map(Number);

/** Bytes of V8's heap and of arrays. */
function usedBytes(): number {
  globalThis.gc!();
  globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const store = await FrontierStore.open(folder);
const frontier = new UrlFrontier({
  store, now: () => 1000 * urls, reinsert: 2,
  makePolicy: (seedPages) => shippedPolicies.make('opic', {
    processor: 0, processors: 1, seed: 1, seedPages, pendingTarget: () => 1, reinsert: 2, options: {},
  }),
});

async function fill(from: number, to: number): Promise<void> {
  for (let number = from; number < to; number++) {
    const key = `h${Math.floor(number / urlsPerHost)}.example`;
    const url = `http://${key}/a/path/to/page-${number}.html`;
    frontier.put({ crawl: 'DEFAULT', key, url, metadata: {}, date: undefined, links: undefined });
    if (number % 500 === 499) await store.committed();
  }
  await store.committed();
  // Queues have no entries before the first hand-out.
  frontier.crawl(undefined)!.settle();
}

/** What is made once, whatever the number of URLs, is made by then. */
const few = 2000;
await fill(0, few);
const before = { memory: usedBytes(), disk: store.bytes };
await fill(few, urls / 2);
const { memoryBytesPerUrl, diskBytesPerUrl } = capacityOf(frontier);
await fill(urls / 2, urls);
const [memory, disk] = [usedBytes() - before.memory, store.bytes - before.disk].map((bytes) => bytes / (urls - few));
await store.close();
process.stdout.write(JSON.stringify({ said: { memoryBytesPerUrl, diskBytesPerUrl }, used: { memory, disk } }));
