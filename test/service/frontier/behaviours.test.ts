import { afterAll, beforeAll, describe, onTestFailed, test } from 'vitest';
import { replayCommand } from '../../sweep.ts';
import { OneCrawl, ours, theirs, type At } from './at.ts';
import { controls } from './behaviours/controls.ts';
import { gets } from './behaviours/gets.ts';
import { lists } from './behaviours/lists.ts';
import { puts } from './behaviours/puts.ts';
import { ranks } from './behaviours/ranks.ts';

// Goal: what URLFrontier's protocol asks of a server, behaviour by behaviour, over gRPC: of ours, with a clock of the
// test's, and of any other: ORBWEAVER_FRONTIER=HOST:PORT npx vitest run test/service/frontier/behaviours.test.ts
// That server must not be in use. Each behaviour has a crawl of its own, and draws from the seed and its name.

const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20080729);
const address = process.env['ORBWEAVER_FRONTIER'];
/** Several runs may meet on one server. */
const run = address === undefined ? '' : `${Date.now().toString(36)} `;

const topics = { puts, gets, controls, lists, ranks };
let at: At;
beforeAll(async () => {
  at = address === undefined ? await ours() : await theirs(address);
});
afterAll(() => at.close());

for (const [topic, behaviours] of Object.entries(topics)) {
  describe(topic, () => {
    for (const { name, of, check } of behaviours) {
      test.skipIf(of === 'ours' && address !== undefined)(name, async () => {
        onTestFailed(() => {
          process.stderr.write(`${name}: ${replayCommand(seed, 'test/service/frontier/behaviours.test.ts')}\n`);
        });
        const crawl = new OneCrawl(at, `${run}${name}`, seed);
        try {
          await check(crawl);
        } finally {
          await at.calls.deleteCrawl({ value: crawl.id });
        }
      });
    }
  });
}
