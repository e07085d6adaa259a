import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import { printedBy } from '../../cli/command.ts';
import { writeSmallWeb } from '../../cli/input/small-web.ts';
import { isFullSweep } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { entriesOf, Running, startWorker } from './processes.ts';

// Goal: a study by workers is that of one machine, to the byte, however many of the workers are killed.

const { folder } = temporaryFolder();
const [runs, kills] = isFullSweep ? [500, 40] : [30, 3];
const title = `${runs} runs, three workers, ${kills} kill -9 of them: each run is in the cache, as on one machine`;

test.skipIf(!redisIsHere)(`${title}${redisIsMissing}`, async () => {
  writeSmallWeb(join(folder, 'web'));
  const seeds = Array.from({ length: runs / 2 }, (_, i) => i + 1).join(', ');
  writeFileSync(join(folder, 'study.yaml'), `graph: web
experiment: { maxPages: 300 }
axes: { policy: [opic, breadth-first], seed: [${seeds}] }
`);
  const cache = join(folder, 'cache');
  await using server = await RedisServer.start();
  const worker = (): Promise<Running> => startWorker(server.url, folder, '--graphs', 'graphs');
  const workers = [await worker(), await worker(), await worker()];
  const asker = new Running(
    ['study', 'study.yaml', '--cache', 'cache', '--workers', server.url, '--graphs', 'graphs'], folder,
  );
  const isOver = asker.ended.then(() => 'over' as const);
  const victims = new DrawStream(Number(process.env['ORBWEAVER_SEED'] ?? 1), 'kills');
  for (let kill = 0; kill < kills; kill++) {
    // The next after some more of the runs: kills meet all parts of the study.
    const until = Math.ceil((runs * kill) / (kills + 1));
    while (existsSync(cache) ? entriesOf(cache).size < until : until > 0) {
      if (await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, 20))]) === 'over') break;
    }
    const victim = victims.uint32(kill) % workers.length;
    await workers[victim].end('SIGKILL');
    workers[victim] = await worker();
  }
  expect(await asker.ended, asker.stderr).toBe(0);
  expect(asker.stdout).toContain(`0 runs of ${runs} from the cache.`);
  await printedBy(['study', 'study.yaml', '--cache', 'alone', '--threads', '1'], folder);
  expect(entriesOf(cache)).toEqual(entriesOf(join(folder, 'alone')));
});
