import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeOwg } from '../../../src/graphs/formats/index.ts';
import { summarySchema, type RunJson } from '../../../src/core/measure/index.ts';
import { orbweaver } from '../../cli/command.ts';
import { isFullSweep, replayCommand } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { NodeProcess } from '../simulation/nodes.ts';
import { drawnWeb } from './drawn-web.ts';

// Goal: a simulation on more nodes than there are hosts, or with a budget that leaves a node idle, is the simulation of
// one machine, with figures that are all defined; so is one that fetches nothing.

const { folder } = temporaryFolder();
const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20261205);
const replay = replayCommand(seed, 'test/cluster/few-hosts/simulated.test.ts');
const webs = Array.from({ length: isFullSweep ? 10 : 3 }, (_, number) => ({ ...drawnWeb(seed, number), number }));

describe.skipIf(!redisIsHere)(`simulations of few hosts on nodes${redisIsMissing}`, () => {
  test.each(webs)('$title', async ({ graph, seedPages, nodes, processors, maxPages, number }) => {
    const path = join(folder, `web-${number}.owg`);
    await writeOwg(graph, path);
    const seeds = seedPages.flatMap((page) => ['--seed-page', String(page)]);
    const flags = [
      path, '--processors', String(processors), '--robots', '2', ...seeds,
      ...(maxPages === undefined ? [] : ['--max-pages', String(maxPages)]),
    ];
    // Each node has the links of its own pages only; without the prepared file, of all.
    if (number % 2 === 0)
      expect(await orbweaver(['simulate', path, '--prepare', ...seeds], folder)).toMatchObject({ code: 0 });
    await using server = await RedisServer.start();
    for (const more of [[], ['--down-share', '1', '--retries', '0']]) {
      const alone = await orbweaver(['simulate', ...flags, ...more, '--statistics', 'off', '--json'], folder);
      const { replayHash, summary } = JSON.parse(alone.stdout) as RunJson;
      if (more.length > 0) expect(summary.pagesFetched, replay).toBe(0);
      for (const form of [['--json'], []]) {
        const ended = await Promise.all(Array.from({ length: nodes }, async (_, node) => new NodeProcess([
          ...flags, ...more, '--statistics', 'off', ...form, '--cluster', server.url, '--nodes', String(nodes),
          '--node', String(node),
        ]).ended));
        for (const { code, stdout, stderr } of ended) {
          expect(code, `${stderr}${replay}`).toBe(0);
          if (form.length === 0) expect(stdout, replay).not.toMatch(/NaN|undefined|null|Infinity/);
          else {
            const run = JSON.parse(stdout) as RunJson;
            expect(run, replay).toMatchObject({ replayHash, summary });
            expect(summarySchema.safeParse(run.summary).error, replay).toBeUndefined();
          }
        }
      }
    }
  }, 240_000);
});
