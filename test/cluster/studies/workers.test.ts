import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { writeOwg } from '../../../src/graphs/formats/index.ts';
import { openRedis } from '../../../src/machines/cluster/index.ts';
import { runWorker } from '../../../src/machines/cluster/studies/index.ts';
import { orbweaver } from '../../cli/command.ts';
import { writeSmallWeb } from '../../cli/input/small-web.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { entriesOf, Running, startWorker } from './processes.ts';

// Goal: workers on other machines give what one machine gives, to the byte, whatever ends them, the study or the
// server.

const { folder } = temporaryFolder();
const at = (name: string): string => join(folder, name);
const graphs = at('graphs');
writeSmallWeb(at('web'));

let studies = 0;
/** A study file, and a folder for its cache that is not there yet. */
function newStudy(seeds: number, axes = 'policy: [opic, breadth-first]'): { file: string; cache: string } {
  const name = `study-${++studies}`;
  const list = Array.from({ length: seeds }, (_, i) => i + 1).join(', ');
  writeFileSync(
    at(`${name}.yaml`), `graph: web\nexperiment: {maxPages: 300}\naxes:\n  ${axes}\n  seed: [${list}]\n`,
  );
  return { file: at(`${name}.yaml`), cache: at(`${name}-cache`) };
}

const studyWords = ({ file, cache }: { file: string; cache: string }, url: string, ...more: string[]): string[] =>
  ['study', file, '--cache', cache, '--workers', url, '--graphs', graphs, ...more];

/** What one machine puts into the cache. */
async function alone(file: string): Promise<Map<string, string>> {
  const cache = at(`alone-${basename(file)}`);
  const { code } = await orbweaver(['study', file, '--cache', cache, '--threads', '1'], folder);
  expect(code).toBe(0);
  return entriesOf(cache);
}

/** Keys of runs that the server still holds. */
async function jobsLeft(url: string): Promise<string[]> {
  const redis = await openRedis(url);
  const keys = await redis.keys('orbweaver:runs-*');
  redis.disconnect();
  return keys.filter((key) => /:[0-9a-f]{64}$/.test(key));
}

describe.skipIf(!redisIsHere)(`a study by workers${redisIsMissing}`, () => {
  test('gives the files of one machine, and leaves no run on the server', async () => {
    await using server = await RedisServer.start({ password: 'se/cret' });
    const study = newStudy(3);
    const workers = [await startWorker(server.url, folder, '--graphs', graphs)];
    workers.push(await startWorker(server.url, folder, '--graphs', graphs));
    const far = await orbweaver([...studyWords(study, server.url), '--out', at('far')], folder);
    expect(far).toMatchObject({ code: 0, stderr: '' });
    const near = await orbweaver(['study', study.file, '--cache', at('near-cache'), '--out', at('near')], folder);
    expect(near.code).toBe(0);
    for (const name of ['results.csv', 'study.json', 'report.html']) {
      expect(readFileSync(join(at('far'), name), 'utf8'), name).toBe(readFileSync(join(at('near'), name), 'utf8'));
    }
    expect(entriesOf(study.cache)).toEqual(entriesOf(at('near-cache')));
    expect(await jobsLeft(server.url)).toEqual([]);
    expect(await Promise.all(workers.map((worker) => worker.end('SIGTERM')))).toEqual([0, 0]);
    const ended = workers.map(({ stderr }) => Number(/ended after ([0-9]+) runs?\n$/.exec(stderr)?.[1]));
    expect(ended[0] + ended[1]).toBe(6);
    expect(workers.map(({ stderr }) => stderr).join('')).not.toContain('cret');
  });

  test('a plan by workers is that of one machine, and its report has no password', async () => {
    await using server = await RedisServer.start({ password: 'se/cret' });
    const plan = (...words: string[]): ReturnType<typeof orbweaver> => orbweaver([
      'plan', 'web', '--within', '1m', '--machines', '1', '--robots', '8', '--vary', 'policy', ...words,
    ], folder);
    await startWorker(server.url, folder, '--graphs', graphs);
    const workers = ['--workers', server.url, '--graphs', graphs];
    const far = await plan('--cache', at('plan-far'), ...workers, '--out', at('far-plan'));
    expect(far).toMatchObject({ code: 0, stderr: '' });
    await plan('--cache', at('plan-near'), '--threads', '1', '--out', at('near-plan'));
    const planIn = (out: string): string => readFileSync(join(at(out), 'plan.json'), 'utf8');
    expect(planIn('far-plan')).toBe(planIn('near-plan'));
    expect(entriesOf(at('plan-far'))).toEqual(entriesOf(at('plan-near')));
    const report = readFileSync(join(at('far-plan'), 'report.html'), 'utf8');
    expect(report).toContain(`--workers redis://127.0.0.1:${server.port}`);
    expect(report).not.toMatch(/se(\/|%2F)cret/);
  });

  test('Redis is killed, restarted and emptied in the middle', async () => {
    await using server = await RedisServer.start({ appendonly: true });
    const study = newStudy(15);
    const worker = await startWorker(server.url, folder, '--graphs', graphs);
    const asker = new Running(studyWords(study, server.url), folder);
    const some = async (count: number): Promise<void> => {
      await expect.poll(() => existsSync(study.cache) && entriesOf(study.cache).size >= count).toBe(true);
    };
    await some(3);
    await server.kill();
    await asker.says('the connection to Redis is lost');
    await worker.says('the connection is lost');
    await server.restart();
    await some(8);
    const redis = await openRedis(server.url);
    await redis.flushall();
    redis.disconnect();
    expect(await asker.ended, asker.stderr).toBe(0);
    expect(entriesOf(study.cache)).toEqual(await alone(study.file));
  });

  test('a study that was killed finds what was finished meanwhile', async () => {
    await using server = await RedisServer.start();
    const study = newStudy(10);
    const worker = await startWorker(server.url, folder, '--graphs', graphs);
    const killed = new Running(studyWords(study, server.url), folder);
    await expect.poll(() => existsSync(study.cache) && entriesOf(study.cache).size >= 1).toBe(true);
    await killed.end('SIGKILL');
    const before = entriesOf(study.cache).size;
    const redis = await openRedis(server.url);
    const finished = async (): Promise<number> => {
      const keys = await redis.keys('orbweaver:runs-*:completed');
      return keys.length === 0 ? 0 : redis.zcard(keys[0]);
    };
    await expect.poll(finished).toBeGreaterThanOrEqual(20 - before - 1);
    redis.disconnect();
    const { code, stdout } = await orbweaver(studyWords(study, server.url), folder);
    expect(code).toBe(0);
    expect(stdout).toContain(`${before} run${before === 1 ? '' : 's'} of 20 from the cache.`);
    expect(entriesOf(study.cache)).toEqual(await alone(study.file));
    await worker.end('SIGINT');
    // None was run twice, but the one whose result came between two steps of the killed study.
    expect(Number(/ended after ([0-9]+) runs/.exec(worker.stderr)?.[1])).toBeLessThanOrEqual(21);
    // A kill between the cache and the server leaves that run there, until its age removes it.
    expect((await jobsLeft(server.url)).length).toBeLessThanOrEqual(1);
  });

  test('an interrupted study takes back what no worker has begun', async () => {
    await using server = await RedisServer.start();
    const study = newStudy(10);
    const asker = new Running(studyWords(study, server.url), folder);
    await asker.says('no worker of this version');
    expect((await jobsLeft(server.url)).length).toBe(20);
    expect(await asker.end('SIGINT')).toBe(130);
    expect(await jobsLeft(server.url)).toEqual([]);
  });
});

test.skipIf(!redisIsHere)(`an interrupt ends study and worker while Redis is away${redisIsMissing}`, async () => {
  await using server = await RedisServer.start();
  const study = newStudy(100);
  const worker = await startWorker(server.url, folder, '--graphs', graphs);
  const asker = new Running(studyWords(study, server.url), folder);
  await expect.poll(() => existsSync(study.cache) && entriesOf(study.cache).size >= 1).toBe(true);
  await server.kill();
  await asker.says('the connection to Redis is lost');
  await worker.says('the connection is lost');
  expect(await Promise.all([asker.end('SIGINT'), worker.end('SIGTERM')])).toEqual([130, 0]);
});

describe.skipIf(!redisIsHere)(`what is wrong with workers${redisIsMissing}`, () => {
  test('workers of another version decline, and the study says so', async () => {
    await using server = await RedisServer.start({ password: 'secret' });
    const ending = new AbortController();
    let isReady = (): void => undefined;
    const started = new Promise<void>((resolve) => (isReady = resolve));
    const other = runWorker(server.url, {
      threads: 2, graphs: { folder: graphs }, signal: ending.signal, lostAfterMs: 30_000, version: '0.0.9+other',
      onRemark: () => undefined, onReady: () => isReady(),
    });
    await started;
    const study = newStudy(1);
    const asker = new Running(studyWords(study, server.url), folder);
    await asker.says('no worker of this version');
    expect(asker.stderr).toContain(
      `is connected to redis://127.0.0.1:${server.port}, but 1 of version 0.0.9+other; runs wait until one is`,
    );
    await startWorker(server.url, folder, '--graphs', graphs);
    expect(await asker.ended).toBe(0);
    ending.abort();
    expect(await other).toBe(0);
  });

  test('errors of a run arrive as on one machine, at once', async () => {
    await using server = await RedisServer.start();
    const study = newStudy(1, 'seedPages: [[0], [99999]]');
    const worker = await startWorker(server.url, folder, '--graphs', graphs);
    const far = await orbweaver(studyWords(study, server.url), folder);
    const near = await orbweaver(['study', study.file, '--cache', at('bad-cache'), '--threads', '1'], folder);
    expect(far).toEqual(near);
    expect(far.code).toBe(2);
    expect(far.stderr).toContain('seed page 99999 does not exist');
    await worker.end('SIGTERM');
    expect(worker.stderr).toContain('ended after 1 run\n');
  });

  test('a worker without the graph says which, and where it looked', async () => {
    await using server = await RedisServer.start();
    mkdirSync(at('empty'), { recursive: true });
    await startWorker(server.url, folder, '--graphs', at('empty'));
    const { code, stderr } = await orbweaver(studyWords(newStudy(1), server.url), folder);
    expect(code).toBe(3);
    expect(stderr).toMatch(/worker \S+: graph web: there is no \S+\/empty\/[0-9a-f]{64}\.owg; name the folder/);
  });

  test('a graph by a web address is checked, and a file under the name of another is refused', async () => {
    await using server = await RedisServer.start();
    const study = newStudy(2);
    const files = createServer((request, response) => {
      createReadStream(join(graphs, basename(request.url!))).on('error', () => response.writeHead(404).end())
        .pipe(response);
    }).listen(0, '127.0.0.1');
    await once(files, 'listening');
    const { port } = files.address() as AddressInfo;
    process.env['ORBWEAVER_GRAPHS'] = at('fetched');
    try {
      const worker = await startWorker(server.url, folder, '--graphs', `http://127.0.0.1:${port}/`);
      expect(await orbweaver(studyWords(study, server.url), folder)).toMatchObject({ code: 0, stderr: '' });
      expect(entriesOf(study.cache)).toEqual(await alone(study.file));
      await worker.end('SIGTERM');
      // The star under the checksum of the small web.
      const [stored] = readdirSync(at('fetched')).map((one) => join(at('fetched'), one));
      await writeOwg(await openGraph('star'), stored);
      await startWorker(server.url, folder, '--graphs', at('fetched'));
      const { code, stderr } = await orbweaver(studyWords(newStudy(1), server.url), folder);
      expect(code).toBe(3);
      expect(stderr).toContain('is another graph');
    } finally {
      delete process.env['ORBWEAVER_GRAPHS'];
      files.close();
      files.closeAllConnections();
    }
  });

  test('flags that cannot be', async () => {
    const { file } = newStudy(1);
    const refused = async (...words: string[]): Promise<string> => {
      const { code, stderr } = await orbweaver(['study', file, '--cache', at('never'), ...words], folder);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('--workers', '4')).toContain('--threads 4 sets the number of threads');
    expect(await refused('--graphs', 'x')).toContain('it needs --workers');
    expect(await refused('--workers', 'redis://:secret@localhost/x')).not.toContain('secret');
    expect(await refused('--workers', 'redis://localhost', '--graphs', 'http://localhost')).toContain('in a folder');
    expect(await refused('--workers', 'redis://localhost', '--shard', '1/2')).toContain('share the runs by themselves');
    expect((await orbweaver(['worker', 'localhost'], folder)).stderr).toContain('the URL of Redis must be');
    expect((await orbweaver(['worker', 'redis://localhost', '--graphs', 'ftp://x'], folder)).code).toBe(2);
  });
});
