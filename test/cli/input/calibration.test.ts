import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordPartial } from '../../../src/core/measure/index.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../crawl/loopback.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orbweaver } from '../command.ts';
import { writeSmallWeb } from './small-web.ts';

// Goal: a finished crawl is all that a simulation of it takes, from the command line; its record replays.

const { folder, file } = temporaryFolder();
const at = (...names: string[]): string => join(folder, ...names);

writeSmallWeb(at('web'));
let web: Loopback;
let start: string;
beforeAll(async () => {
  const site = graphWeb(syntheticWeb(150, 3), {
    latencyMs: 4, crawlDelayShare: 0.2, crawlDelaySeconds: 0.02, robotsTxtShare: 1, notFoundShare: 0.1,
  });
  web = await loopback(site);
  [start] = urlsOf(site, site.seedPages);
  const { code, stderr } = await orbweaver([
    'crawl', ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--out', at('crawled'),
    '--allow-network', '127.0.0.0/8', '--resolve', `*=127.0.0.1:${web.port}`, '--politeness-ms', '5',
    '--processors', '2', '--robots', '3', '--policy', 'opic',
    '--max-pages', '60', '--reader-threads', '0', '--seed', '9',
  ], folder);
  expect(stderr).toBe('');
  expect(code).toBe(0);
}, 60_000);
afterAll(() => web.close());

interface Document {
  readonly replayHash: string;
  readonly dataset: { readonly name: string };
  readonly experiment: { readonly network: { readonly fit?: { readonly file: string; readonly sha256: string } } };
  readonly fit?: { readonly counts: Record<string, number> };
  readonly summary: {
    readonly pagesFetched: number; readonly virtualSeconds: number; readonly supersteps: number;
    readonly lowerBoundSeconds: number; readonly lowerBoundHost: string;
  };
}

async function simulated(...args: readonly string[]): Promise<Document> {
  const { code, stdout, stderr } = await orbweaver(['simulate', ...args, '--statistics', 'off', '--json'], folder);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Document;
}

test("the crawl's folder gives graph, seeds, settings, limits and network", async () => {
  const { experiment, summary, fit, dataset } = await simulated('crawled');
  expect(experiment)
    .toMatchObject({ policy: 'opic', processors: 2, robots: 3, politenessMs: 5, maxPages: 60, seed: 9 });
  expect(experiment).not.toHaveProperty('live');
  expect(summary.pagesFetched).toBe(60);
  expect(dataset.name).toBe('crawled');
  expect(fit?.counts).toMatchObject({ fetched: 60 });
  expect(experiment.network.fit?.file).toBe('crawled');
  expect(experiment.network.fit?.sha256).toMatch(/^[0-9a-f]{64}$/);
});

test('flags win, one by one', async () => {
  const { experiment } = await simulated('crawled', '--policy', 'breadth-first', '--robots', '1', '--latency-ms', '77');
  expect(experiment).toMatchObject({ policy: 'breadth-first', robots: 1, processors: 2 });
  expect(experiment.network).toMatchObject({ latencyMs: 77, fit: { file: 'crawled' } });
  expect((await simulated('crawled', '--network', 'lan')).experiment.network).not.toHaveProperty('fit');
});

test('another graph takes the network alone, and its record replays', async () => {
  const first = await simulated('web', '--network', 'crawled', '--max-pages', '200', '--out', at('run'));
  expect(first.experiment).toMatchObject({ policy: 'opic', maxPages: 200, processors: 8 });
  const again = await simulated('web', '--config', at('run', 'run.json'));
  expect(again.replayHash).toBe(first.replayHash);
  const ofLog = await simulated('web', '--network', 'crawled/crawl.log', '--max-pages', '200');
  expect(ofLog.replayHash).toBe(first.replayHash);
});

test('hosts that share an address in the crawl share it in its simulation, with the same delay', async () => {
  const { code, stderr } = await orbweaver([
    'crawl', '--config', at('crawled', 'run.json'), start, '--address-delay-ms', '100', '--max-pages', '12', '--out',
    at('shared'), '--policy', 'breadth-first',
  ], folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const of = async (...flags: string[]) => simulated('shared', ...flags);
  const { experiment, summary } = await of();
  expect(experiment.network).toMatchObject({ addressDelayMs: 100 });
  expect(summary.lowerBoundHost).toMatch(/^127\.0\.0\.1 with its \d+ hosts$/);
  expect(summary.lowerBoundSeconds).toBeGreaterThan(0.3);
  expect(summary.lowerBoundSeconds).toBeLessThanOrEqual(summary.virtualSeconds);
  expect((await of('--address-delay-ms', '50')).experiment.network).toMatchObject({ addressDelayMs: 50 });
  expect((await of('--address-delay-ms', '0')).summary.lowerBoundHost).not.toContain('127.0.0.1 with');
  const run = JSON.parse(readFileSync(at('shared', 'run.json'), 'utf8')) as Document;
  expect(run.summary.lowerBoundHost).toMatch(/^127\.0\.0\.1 with its \d+ hosts$/);
  expect(run.summary.lowerBoundSeconds).toBeLessThanOrEqual(run.summary.virtualSeconds);
});

test('tune simulates on the network fitted for it, on one thread and on two', async () => {
  interface Row { readonly r: number | null; readonly virtualSeconds: number; readonly supersteps: number }
  const ofWeb = ['2', 'web', '--network', 'crawled', '--max-pages', '60'];
  for (const [threads, graph, ...flags] of [ofWeb, ['1', 'crawled']]) {
    const { summary } = await simulated(graph, ...flags, '--superstep-limit', '4');
    const args = ['tune', graph, ...flags, '--for', 'time', '--threads', threads, '--json'];
    const { code, stdout, stderr } = await orbweaver(args, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { sweep } = JSON.parse(stdout) as { sweep: readonly Row[] };
    const { virtualSeconds, supersteps } = summary;
    expect(sweep.find(({ r }) => r === 4)).toMatchObject({ virtualSeconds, supersteps });
  }
});

test('the runs of a study are simulations on the network fitted for it, on one thread and on two', async () => {
  const study = (lines: string): string => {
    file('network.yaml', `graph: web\nnetwork: crawled\nexperiment: { maxPages: 200 }\n${lines}\n`);
    return 'network.yaml';
  };
  const { replayHash } = await simulated('web', '--network', 'crawled', '--max-pages', '200', '--robots', '2');
  for (const threads of ['1', '2']) {
    const flags = ['--threads', threads, '--cache', `cache${threads}`, '--json'];
    const { code, stdout, stderr } = await orbweaver(['study', study('axes: { robots: [1, 2] }'), ...flags], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { runs } = JSON.parse(stdout) as { runs: readonly { replayHash: string }[] };
    expect(runs.map((run) => run.replayHash)).toContain(replayHash);
    expect(runs.length).toBe(2);
  }
  const { code, stderr } = await orbweaver(['study', study('axes: { network.preset: [lan, web] }')], folder);
  expect(code).toBe(2);
  expect(stderr).toMatch('network.yaml:4:25: axes.network.preset: the network is fitted to crawled; leave one out');
});

test('text shows counts and the goodness of the fit', async () => {
  const { stdout } = await orbweaver(['simulate', 'crawled'], folder);
  expect(stdout).toMatch(/^Network fitted to crawled: \d+ requests to \d+ hosts, 60 pages fetched/);
  expect(stdout).toMatch(/latency of hosts +[\d.]+ ms +[\d.]+ +\d+ +0\.\d+ +0\.\d+/);
});

describe('refused in one sentence', () => {
  const refused = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await orbweaver(['simulate', ...args], folder);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    return stderr;
  };

  test('a crawl that still runs', async () => {
    mkdirSync(at('crawled', recordPartial));
    try {
      expect(await refused('web', '--network', 'crawled')).toMatch('crawled: its crawl still runs, or was killed');
    } finally {
      rmSync(at('crawled', recordPartial), { recursive: true });
    }
  });

  test('a crawl that fetched nothing, or has one host', async () => {
    const log = readFileSync(at('crawled', 'crawl.log'), 'latin1').trimEnd().split('\n');
    const host = (line: string): string => line.split(/ +/)[5].split('/')[2];
    file('nothing.log', `${log.filter((line) => !line.includes(' fetched ')).join('\n')}\n`);
    const own = host(log.find((line) => line.includes(' fetched ')) ?? '');
    file('one.log', `${log.filter((line) => host(line) === own).join('\n')}\n`);
    expect(await refused('web', '--network', './nothing.log')).toMatch('./nothing.log: fetched nothing');
    expect(await refused('web', '--network', './one.log')).toMatch('./one.log: has one host that answered');
  });

  test('another fit than that of the record', async () => {
    const run = JSON.parse((await orbweaver(['simulate', 'crawled', '--json'], folder)).stdout) as Document;
    const network = { ...run.experiment.network, fit: { file: 'crawled', sha256: '0'.repeat(64) } };
    const changed = { ...run, experiment: { ...run.experiment, network } };
    writeFileSync(at('changed.json'), JSON.stringify(changed));
    expect(await refused('crawled', '--config', 'changed.json')).toMatch('crawled: gives another fit than the');
  });

  test('neither a preset nor a crawl', async () => {
    expect(await refused('web', '--network', 'wbe')).toMatch(/must be one of lan, broadband, web, hostile/);
    expect(await refused('web', '--network', './nowhere')).toMatch('./nowhere: there is no such folder or file');
    expect(existsSync(at('nowhere'))).toBe(false);
  });
});
