// Tests that start clusters, browsers, benchmarks and long live crawls, or fill disks: npm run test:machines. A smoke
// test of each of these stays in npm test.

const kinds = ['bench', 'browser', 'cluster', 'live-runs'];

const smoke: readonly string[] = [
  'test/bench/queues/javascript-peers.test.ts', 'test/browser/smoke.test.ts',
  'test/cluster/simulation/processes.test.ts', 'test/live-runs/outages.test.ts',
  // These start no process.
  'test/cluster/log/memory-log.test.ts', 'test/cluster/records/records.test.ts', 'test/cluster/slots/held-slot.test.ts',
  'test/cluster/slots/member.test.ts', 'test/cluster/slots/place.test.ts',
  'test/cluster/slots/slots.test.ts',
];

/** Beside them: hostile hosts, full disks, frontiers that are killed or filled, the index of a running crawl. */
const others: readonly string[] = [
  'test/crawl/hostile.test.ts', 'test/live/store/full-disk.test.ts', 'test/search/indexing/running-crawl.test.ts',
  'test/service/frontier/ends/full-disk.test.ts', 'test/service/frontier/ends/killed.test.ts',
  'test/service/frontier/ends/room.test.ts',
];

/** Whether a file of tests, by its path from the top of the checkout, is left to `npm run test:machines`. */
export function isOfMachines(file: string): boolean {
  return others.includes(file) || (kinds.some((kind) => file.startsWith(`test/${kind}/`)) && !smoke.includes(file));
}
