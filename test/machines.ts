// Tests that start clusters, browsers, benchmarks and long live crawls: npm run test:machines. A smoke test of each of
// these stays in npm test.

const kinds = ['bench', 'browser', 'cluster', 'live-runs'];

const smoke: readonly string[] = [
  'test/bench/queues/javascript-peers.test.ts', 'test/browser/report.test.ts',
  'test/cluster/simulation/processes.test.ts', 'test/live-runs/outages.test.ts',
  // These start no process.
  'test/cluster/log/memory-log.test.ts', 'test/cluster/records/records.test.ts', 'test/cluster/slots/held-slot.test.ts',
  'test/cluster/slots/member.test.ts', 'test/cluster/slots/place.test.ts',
  'test/cluster/slots/slots.test.ts',
];

/** Whether a file of tests, by its path from the top of the checkout, is left to `npm run test:machines`. */
export function isOfMachines(file: string): boolean {
  return kinds.some((kind) => file.startsWith(`test/${kind}/`)) && !smoke.includes(file);
}
