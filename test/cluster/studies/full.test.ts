import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRedis } from '../../../src/machines/cluster/index.ts';
import { orbweaver } from '../../cli/command.ts';
import { writeSmallWeb } from '../../cli/input/small-web.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { entriesOf, Running, startWorker } from './processes.ts';

// Goal: a Redis server without room is named by whoever meets it, a worker or a study, with exit code 3; with room
// again, the study goes on.

const { folder } = temporaryFolder();
const at = (name: string): string => join(folder, name);
const graphs = ['--graphs', at('graphs')];
writeSmallWeb(at('web'));

const seeds = (count: number): string => Array.from({ length: count }, (_, i) => i + 1).join(', ');
writeFileSync(at('many.yaml'), `graph: web\nexperiment: {maxPages: 300}\naxes: {seed: [${seeds(900)}]}\n`);
writeFileSync(at('few.yaml'), `graph: web\nexperiment: {maxPages: 300}\naxes: {seed: [${seeds(12)}]}\n`);

const full = (port: number): string =>
  `Redis at 127.0.0.1:${port} is full: it has reached its maxmemory; raise it, or use another server\n`;

describe.skipIf(!redisIsHere)(`a full Redis${redisIsMissing}`, () => {
  test('that is full from the start, for a worker and for a study', async () => {
    await using server = await RedisServer.start({ args: ['--maxmemory', '1', '--maxmemory-policy', 'noeviction'] });
    const study = ['study', at('few.yaml'), '--cache', at('none'), '--workers', server.url, ...graphs];
    const worker = ['worker', server.url, '--threads', '1', ...graphs];
    for (const words of [study, worker]) {
      const { code, stderr } = await orbweaver(words, folder);
      expect({ code, end: stderr.slice(-full(server.port).length) }).toEqual({ code: 3, end: full(server.port) });
      expect(stderr).not.toContain('Internal error');
    }
  }, 60_000);

  test('that a study fills', async () => {
    await using server = await RedisServer.start({ args: ['--maxmemory', '3mb', '--maxmemory-policy', 'noeviction'] });
    const redis = await openRedis(server.url);
    // Another program has had most of it.
    for (let i = 0; i < 8; i++) await redis.set(`other:${i}`, 'x'.repeat(120_000));
    redis.disconnect();
    const { code, stderr } = await orbweaver(
      ['study', at('many.yaml'), '--cache', at('filled'), '--workers', server.url, ...graphs], folder,
    );
    expect(stderr).toContain(full(server.port));
    expect(stderr).not.toContain('Internal error');
    expect(code).toBe(3);
  }, 120_000);

  test('that fills up in the middle: study and worker end, and go on with room', async () => {
    await using server = await RedisServer.start();
    const study = ['study', at('few.yaml'), '--cache', at('middle'), '--workers', server.url, ...graphs];
    const redis = await openRedis(server.url);
    const asker = new Running(study, folder);
    await expect.poll(async () => (await redis.keys('orbweaver:*:wait')).length, { timeout: 20_000 }).toBe(1);
    const worker = await startWorker(server.url, folder, ...graphs);
    await expect.poll(() => existsSync(at('middle')) && entriesOf(at('middle')).size > 0, { timeout: 20_000 })
      .toBe(true);
    await redis.config('SET', 'maxmemory', '1');
    expect(await worker.ended, worker.stderr).toBe(3);
    expect(worker.stderr).toContain(full(server.port));
    await asker.end('SIGKILL');
    expect(asker.stderr).not.toContain('Internal error');
    await redis.config('SET', 'maxmemory', '0');
    redis.disconnect();
    await startWorker(server.url, folder, ...graphs);
    expect(await orbweaver(study, folder)).toMatchObject({ code: 0 });
    expect(entriesOf(at('middle')).size).toBe(12);
  }, 120_000);

  test('whose disk refuses writes', async () => {
    await using server = await RedisServer.start({ args: ['--save', '1 1'] });
    const redis = await openRedis(server.url);
    // Without its folder it cannot store what it has.
    rmSync(server.folder, { recursive: true, force: true });
    const refusal = async (): Promise<string> => {
      try {
        await redis.set('a', 'b');
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    await expect.poll(refusal, { timeout: 20_000 })
      .toContain(`Redis at 127.0.0.1:${server.port} is full, or its disk fails: it takes no writes (MISCONF`);
    redis.disconnect();
    const { code, stderr } = await orbweaver(
      ['study', at('few.yaml'), '--cache', at('disk'), '--workers', server.url, ...graphs], folder,
    );
    expect(stderr).toContain(`Redis at 127.0.0.1:${server.port} is full, or its disk fails`);
    expect(code).toBe(3);
  }, 60_000);
});
