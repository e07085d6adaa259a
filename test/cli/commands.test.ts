import { createHash } from 'node:crypto';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunJson } from '../../src/core/measure/index.ts';
import { isFullSweep, oneOfEach, partOf } from '../sweep.ts';
import { finished, mainFile, namesBelow, newFolder, orbweaver, printedBy } from './command.ts';
import { writeSmallWeb } from './input/small-web.ts';

// Goal: the built command does what its help and its contract say.

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
writeSmallWeb(join(folder, 'web'));

const commands = [
  'simulate', 'tune', 'rank', 'import', 'generate', 'info', 'datasets', 'tour', 'bench queues', 'study', 'plan',
  'compare', 'bench graphs', 'serve web', 'policy new',
];
/** Their examples go to hosts of others: test/crawl/ and test/cluster/ run them on loopback. */
const toOthers = ['crawl', 'cluster worker'];

/** The lines below "Examples:" of a command's help, and the command. */
async function examplesOf(command: string): Promise<(readonly [line: string, of: string])[]> {
  const { stdout } = await orbweaver([...command.split(' '), '--help'], folder);
  const [, examples = ''] = stdout.split('Examples:\n');
  return examples.split('\n').filter((line) => line.startsWith('  ')).map((line) => [line.trim(), command]);
}

/** Its nodes meet at a server of the user's: test/cluster/ runs them at one of its own. */
const isOnRedis = (line: string): boolean => line.includes('redis://');
const examplesAndCommands = (await Promise.all(commands.map(examplesOf))).flat().filter(([line]) => !isOnRedis(line));
const examples = examplesAndCommands.map(([line]) => line);
test('every command has examples', () => {
  for (const command of commands)
    expect(examples.filter((line) => line.includes(`orbweaver ${command} `)).length).toBeGreaterThan(0);
});

/** What is tried of an example: that it works is the point, not how large its graph is, nor how many threads help. */
const asTried = (line: string): string =>
  isFullSweep ? line : line.replaceAll('docs-web', 'star').replace(/^orbweaver (tune|plan)\b/, '$& --threads 1');
// These serve until they are interrupted.
const isServer = (line: string): boolean => line.includes('orbweaver serve');
/** A pipe needs a shell. */
const isPiped = (line: string): boolean => line.includes(' | ');
/** Crawls all of docs-web or a study, measures time, takes all distances of a graph, or waits for OPIC to settle. */
const isLong = (line: string): boolean =>
  !line.includes('--max-pages') &&
  /orbweaver (simulate|tune|tour|info) docs-web|study tiny|--parts hold|info web\.owg|--algorithm opic/.test(line) &&
  !line.includes('--distances');
/** The first of each command that can: the full sweep types all of them, below. */
const runHere = commands.flatMap((name) => examplesAndCommands.find(([line, command]) =>
  command === name && !isServer(line) && !isPiped(line) && !isLong(line))?.[0] ?? []);

describe('examples of --help, one of each command', () => {
  const work = newFolder();
  beforeAll(() => { vi.stubEnv('ORBWEAVER_STUDIES', join(work, 'studies')); });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(work, { recursive: true });
  });

  test.each(runHere)('%s', async (line) => {
    for (const command of asTried(line).split(' && ')) {
      const [name, ...words] = (command.match(/'[^']*'|[^ ]+/g) ?? []).map((word) => word.replaceAll('\'', ''));
      if (name !== 'orbweaver') {
        execFileSync('sh', ['-c', command], { cwd: work });
        continue;
      }
      const { code, stdout, stderr } = await orbweaver(words, work);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.length).toBeGreaterThan(0);
      if (words.includes('--json')) JSON.parse(stdout);
    }
  });
});

const typed = oneOfEach(
  isFullSweep ? examples : examples.filter((line) => isServer(line) || isPiped(line) || runHere.includes(line)),
  (line) => `${isServer(line)} ${isPiped(line)}`,
);
describe(`examples of --help typed into a shell, ${partOf(typed, examples)}`, () => {
  const work = newFolder();
  writeFileSync(join(work, 'orbweaver'), `#!/bin/sh\nexec "${process.execPath}" "${mainFile}" "$@"\n`, { mode: 0o755 });
  const env = {
    ...process.env,
    PATH: `${work}${delimiter}${process.env['PATH'] ?? ''}`,
    ORBWEAVER_STUDIES: join(work, 'studies'),
  };
  afterAll(() => rmSync(work, { recursive: true }));

  test.each(typed.filter(isServer))('%s', async (line) => {
    // A group of its own, as a terminal gives it, for the signal is the group's.
    const child = spawn('sh', ['-c', asTried(line)], {
      cwd: work, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = finished(child);
    await once(child.stdout, 'data');
    process.kill(-child.pid!, 'SIGINT');
    const { stdout, stderr } = await end;
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^serving .* at http:\/\/127\.0\.0\.1:\d+$/m.test(stdout) ? /orbweaver crawl http/ : /^\{"graph":.*\}\n$/,
    );
    if (line.includes('--json')) JSON.parse(stdout);
  });

  test.each(typed.filter((line) => !isServer(line)))('%s', async (line) => {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', asTried(line)], { cwd: work, env });
    const file = / --policy (\.\/\S+)/.exec(line)?.[1];
    expect(stderr).toBe(file === undefined ? '' : `policy ${file}: the file is run as code\n`);
    expect(stdout.length).toBeGreaterThan(0);
    if (line.includes('--json')) JSON.parse(stdout);
  });
});

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await orbweaver([...args, '--json'], folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // JSON.parse refuses anything before or after the one document.
  return JSON.parse(stdout) as T;
}

describe('--json is one document with the keys that others rely on', () => {
  test('simulate', async () => {
    const run = await json<RunJson>('simulate', 'clique');
    expect(run).toMatchObject({
      version: expect.any(String) as string,
      experiment: { processors: 8, policy: 'opic', seedPages: [0] },
      dataset: {
        name: 'clique', pages: 6, arcs: 30, hosts: 6, hostsAreSynthetic: true,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
      replayHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const number = expect.any(Number) as number;
    // Every order of a clique's pages is worth the same.
    expect(run.summary).toMatchObject({
      pagesFetched: 6, supersteps: number, superstepLimit: 96, virtualSeconds: number, bytes: number,
      meanExtracted: number, staleRatio: number, pagesPerProcessor: expect.any(Array) as number[],
      quality: { pagerankArea: number, bound: number, random: number, normalisedGain: null },
      balance: { pages: number, pagesWholeRun: number, extract: number, insert: number },
      communication: { crossLinksPerPage: number, pairsPerPage: number },
      bsp: { comparisons: number, pairs: number, supersteps: number },
      robots: { busy: number, stalled: number, noJob: number, barrier: number }, lowerBoundSeconds: number,
    });
    expect(run.memory).toMatchObject({
      graphBytesPerArc: (4 * 7 + 4 * 30) / 30, pagesKnown: 6, stateBytesPerPage: number, peakResidentBytes: number,
    });
    expect(run.memory?.peakResidentBytes).toBeGreaterThan(1e7);
  });

  test('simulate --repeat', async () => {
    const { runs, intervals } = await json<{
      runs: RunJson<{ seed: number }>[];
      intervals: Record<string, { mean: number; low: number; high: number }>;
    }>('simulate', 'clique', '--repeat', '3', '--seed', '5');
    expect(runs.map((run) => run.experiment.seed)).toEqual([5, 6, 7]);
    const seconds = runs.map((run) => run.summary.virtualSeconds);
    const mean = (seconds[0] + seconds[1] + seconds[2]) / 3;
    // By the definition of the interval, with Student's t of 2 degrees of freedom.
    const deviation = Math.sqrt(seconds.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 2);
    expect(intervals['virtualSeconds'].mean).toBeCloseTo(mean, 12);
    expect(intervals['virtualSeconds'].high - mean).toBeCloseTo((4.3027 * deviation) / Math.sqrt(3), 10);
    expect(mean - intervals['virtualSeconds'].low).toBeCloseTo((4.3027 * deviation) / Math.sqrt(3), 10);
    expect(Object.keys(intervals).sort()).toEqual([
      'balancePages', 'normalisedGain', 'pagerankArea', 'pairsPerPage', 'rankGathered', 'virtualSeconds',
    ]);
  });

  test('rank', async () => {
    const document = await json<{ top: { page: number; score: number }[] }>('rank', 'star', '--top', '2');
    expect(document).toMatchObject({
      graph: 'star', pages: 9, arcs: 16, algorithm: 'pagerank', iterations: expect.any(Number) as number,
      memory: { graphBytesPerArc: (4 * 10 + 4 * 16) / 16 },
    });
    // The closed form of a centre with k = 8 leaves linked both ways: c = (1 - d) / n + d * k * l, l = (1 - d) / n + d
    // * c / k.
    const centre = (0.15 / 9) * ((1 + 8 * 0.85) / (1 - 0.85 ** 2));
    expect(document.top[0].page).toBe(0);
    expect(document.top[0].score).toBeCloseTo(centre, 8);
    expect(document.top.length).toBe(2);
  });

  test('rank by preference, from ranks before, on two threads', async () => {
    writeFileSync(join(folder, 'preferred.txt'), '# page, weight\n3\n4 2.5\n');
    const asked = ['rank', 'web', '--preference', 'preferred.txt', '--tolerance', '1e-8', '--verify'];
    expect((await orbweaver([...asked, '--out', 'before.f64'], folder)).code).toBe(0);
    const document = await json('rank', 'web', ...asked.slice(2), '--start', 'before.f64', '--threads', '2');
    expect(document).toMatchObject({ threads: 2, preference: 'preferred.txt', start: 'before.f64' });
    expect(document).toMatchObject({ verified: expect.stringMatching(/^verified: within /) as string });
    expect((document as { iterations: number }).iterations).toBeLessThanOrEqual(3);
    const { stdout } = await orbweaver([...asked, '--threads', '2'], folder);
    expect(stdout).toMatch(/damping 0.85, to 2 pages of preferred.txt: \d+ sweeps on 2 threads, within/);
  });

  test('rank --algorithm partitioned, with its agreement with PageRank', async () => {
    const document = await json<{ pagesOfShard: number[]; agreement: object }>(
      'rank', 'web', '--algorithm', 'partitioned', '--shard-by', 'page', '--shards', '4', '--iterations', '2',
      '--verify',
    );
    const number = expect.any(Number) as number;
    expect(document).toMatchObject({
      algorithm: 'partitioned',
      iterations: 2,
      l1ErrorBound: null,
      shards: 4,
      shardBy: 'page',
      hostsAreSynthetic: false,
      pagesOfShard: [500, 500, 500, 500],
      droppedArcs: number,
      sinks: number,
      isolatedPages: number,
      verified: expect.stringMatching(/^verified: within /) as string,
      agreement: {
        with: 'pagerank', tauB: number, l1: number,
        top: [10, 20, 100, 200, 1000].map((pages) => ({ pages, shared: number })),
      },
    });
  });

  test('rank --algorithm in-degree and scores, the one written and read back by the other', async () => {
    for (const name of ['degrees.f64', 'degrees.tsv', 'degrees.txt']) {
      const { code, stdout } = await orbweaver(
        ['rank', 'web', '--algorithm', 'in-degree', '--verify', '--out', name], folder,
      );
      expect({ code, stdout }).toEqual({
        code: 0, stdout: expect.stringMatching(/verified: the links to each .*\n\n2,000 ranks in degrees/) as string,
      });
      const back = await json<{
        scores: { form: string; sha256: string };
        agreement: { with: string; tauB: number; l1: number };
      }>('rank', 'web', '--algorithm', 'scores', '--scores', name, '--against', 'degrees.f64');
      expect(back.agreement.with).toBe('degrees.f64');
      if (name === 'degrees.txt') {
        // Precedences keep the order but not what differs within a hundredth.
        expect(back.scores.form).toBe('URLs and precedences');
        expect(back.agreement.tauB).toBeGreaterThan(0.95);
        continue;
      }
      expect(back.agreement.tauB).toBeCloseTo(1, 12);
      expect(back.agreement.l1).toBe(0);
      expect(back.scores.sha256).toBe(
        createHash('sha256')
          .update(readFileSync(join(folder, 'degrees.f64')))
          .digest('hex'),
      );
    }
  });

  test('simulate --policy scores, with the checksum of the scores in its record', async () => {
    writeFileSync(join(folder, 'six.txt'), '1\n6\n5\n4\n3\n2\n');
    const run = await json<RunJson>('simulate', 'clique', '--policy', 'scores', '--scores', 'six.txt');
    const values = Float64Array.of(1, 6, 5, 4, 3, 2);
    expect(run.experiment).toMatchObject({
      policy: 'scores', scores: { file: 'six.txt', sha256: createHash('sha256').update(values).digest('hex') },
    });
  });

  test('rank of pages with URLs', async () => {
    const { top } = await json<{ top: { url: string }[] }>('rank', 'web', '--top', '1');
    expect(top[0].url).toMatch(/^h\d+\.example\/\d+$/);
  });

  test('info', async () => {
    expect(await json('info', 'docs-web', '--partition', 'lpt')).toMatchObject({
      graph: 'docs-web',
      pages: 31_331,
      arcs: 1_172_885,
      hosts: 521,
      selfLoops: expect.any(Number) as number,
      danglingPages: expect.any(Number) as number,
      seeds: 6,
      reachablePages: 20_746,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      partition: { processors: 8, partition: 'lpt', links: 1_172_885 },
      memory: { graphBytesPerArc: (4 * 31_332 + 4 * 1_172_885) / 1_172_885 },
      degrees: { mean: 1_172_885 / 31_331, largestOut: { links: 4902 }, in: { powerLaw: { xMin: 14, tail: 10_834 } } },
      components: {
        strong: { count: 10_356, largest: 10_136 }, weak: { count: 9283 },
        bowTie: { core: 10_136, in: 1, disconnected: 21_194 },
      },
      hostGraph: { hosts: 521, links: 1_172_885 },
      hostSizes: { powerLaw: { samples: 100 } },
      communities: {
        method: 'Louvain', seed: 1, count: 14, modularity: expect.closeTo(0.7837, 4) as number,
        largest: [{ hosts: 197, pages: 13_427 }, ...new Array<object>(4).fill({})],
      },
      centrality: { method: 'betweenness', top: [{ host: 206 }, ...new Array<object>(4).fill({})] },
      distances: { method: 'HyperBall', hyperBall: { registersLog2: 7, runs: 6 } },
      leftOut: [expect.stringMatching(/^the p-value of links in and of links out.*--bootstrap 100/) as string],
    });
  });

  test('info: exact distances where they are quick, none where they are not wanted', async () => {
    const exact = { value: 16 / 9, standardError: 0 };
    const distances = { method: 'exact', neighbourhoods: [9, 25, 81], average: exact };
    expect(await json('info', 'star')).toMatchObject({ distances, leftOut: [] });
    const off = await json('info', 'star', '--distances', 'off');
    expect(off).toMatchObject({ distances: null, leftOut: ['distances, because of --distances off'] });
    const approximate = await json('info', 'star', '--distances', 'approximate', '--registers-log2', '12');
    expect(approximate).toMatchObject({ distances: { method: 'HyperBall', longest: 2 } });
  });

  test('info of a page or two without links', async () => {
    for (const [pages, lines] of [[1, '1\n\n'], [2, '2\n\n\n']] as const) {
      writeFileSync(join(folder, 'bare.txt'), lines);
      expect((await orbweaver(['import', 'bare.txt', '--format', 'adjacency', '--out', 'bare.owg'], folder)).code).toBe(
        0,
      );
      const { code, stdout, stderr } = await orbweaver(['info', 'bare.owg', '--out', 'bare-looks'], folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`bare: ${pages} page`);
      expect(stdout).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  test('tune', async () => {
    const document = await json<{ sweep: object[]; table: { processors: number }[] }>(
      'tune', 'star', '--table', '--threads', '1',
    );
    expect(document).toMatchObject({ graph: 'star', epsilon: 0.05, processors: 8 });
    expect(document).toHaveProperty('superstepLimit');
    expect(document).toHaveProperty('reason');
    expect(Object.keys(document.sweep[0])).toEqual(
      expect.arrayContaining(['r', 'stale', 'prefix', 'state', 'area', 'supersteps', 'pairs', 'balance']),
    );
    expect(document.table.map(({ processors }) => processors)).toEqual([1, 2, 4, 8, 16]);
  });

  test('tour', async () => {
    const { runs, findings } = await json<{ runs: { label: string }[]; findings: { about: string }[] }>(
      'tour', 'clique',
    );
    expect(runs.map(({ label }) => label)).toEqual([
      'breadth-first', 'random', 'opic', 'pagerank', 'opic, 1 processor', 'opic, 1 robot each', 'opic, lpt',
      'opic, superstep-ms 0',
    ]);
    expect(findings.map(({ about }) => about)).toEqual([
      'policies', 'random', 'robots', 'lower bound', 'partition', 'robots', 'processors', 'superstep time',
    ]);
  });
});

describe('what is written', () => {
  const recordNames = [
    'curves.csv', 'failures.csv', 'order.u32', 'report.html', 'run.json', 'statistics.csv', 'supersteps.csv',
    'times.f64',
  ];

  test('rank --out is one float64 a page, little-endian', async () => {
    expect((await orbweaver(['rank', 'web', '--out', 'ranks.f64'], folder)).code).toBe(0);
    const bytes = readFileSync(join(folder, 'ranks.f64'));
    expect(bytes.length).toBe(8 * 2000);
    let sum = 0;
    for (let at = 0; at < bytes.length; at += 8) sum += bytes.readDoubleLE(at);
    expect(sum).toBeCloseTo(1, 12);
  });

  test('simulate --what-if runs once more with each change', async () => {
    const { whatIf } = await json<{ whatIf: { kind: string; pagesPerSecond: number }[] }>(
      'simulate', 'star', '--processors', '2', '--what-if');
    expect(whatIf.map(({ kind }) => kind)).toEqual([
      'processors', 'robots', 'politeness', 'noSuperstepLimit', 'allPendingJobs', 'processorBandwidth', 'hostBandwidth',
      'barriers', 'shorterSupersteps', 'retries',
    ]);
    for (const { pagesPerSecond } of whatIf) expect(pagesPerSecond).toBeGreaterThan(0);
    const { stdout } = await orbweaver(['simulate', 'star', '--politeness-ms', '0', '--what-if'], folder);
    expect(stdout).toMatch(/What if .*\n.*pages per second/);
    expect(stdout).not.toContain('half the delay');
    expect((await orbweaver(['simulate', 'star', '--repeat', '2', '--what-if'], folder)).code).toBe(2);
  });

  test('simulate --pages-csv adds a table of the pages to each record', async () => {
    await printedBy(['simulate', 'clique', '--out', 'listed', '--pages-csv'], folder);
    expect(readdirSync(join(folder, 'listed')).sort()).toEqual([...recordNames, 'pages.csv'].sort());
    const [header, ...rows] = readFileSync(join(folder, 'listed', 'pages.csv'), 'utf8').trimEnd().split('\n');
    expect(header).toBe('url,host,processor,start,end,outcome,rank');
    const order = readFileSync(join(folder, 'listed', 'order.u32'));
    expect(rows.map((row) => Number(row.split(',')[0])))
      .toEqual(Array.from({ length: order.length / 4 }, (_, i) => order.readUInt32LE(4 * i)));
    await printedBy(['simulate', 'clique', '--repeat', '2', '--out', 'listed', '--pages-csv'], folder);
    expect(readdirSync(join(folder, 'listed', 'seed-2'))).toContain('pages.csv');
    expect(await orbweaver(['simulate', 'clique', '--pages-csv'], folder)).toEqual({
      code: 2, stdout: '', stderr: '--pages-csv: needs --out <DIR>, the folder of the run record\n',
    });
  });

  test('a graph imported gives the run of its tables', async () => {
    const tables = 'web';
    expect((await orbweaver(['import', tables, '--out', 'stored.owg'], folder)).code).toBe(0);
    const ofTables = await json<RunJson>('simulate', tables);
    const ofFile = await json<RunJson>('simulate', 'stored.owg');
    expect(ofFile.replayHash).toBe(ofTables.replayHash);
    expect(ofFile.dataset.sha256).toBe(ofTables.dataset.sha256);
  });

  test('several archives are imported as one graph, with what is wrong in them reported', async () => {
    const archive = (path: string, link: string): string => {
      const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href="${link}">x</a>`;
      return `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.org${path}\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`;
    };
    writeFileSync(join(folder, '1.warc'), archive('/', '/two'));
    writeFileSync(join(folder, '2.warc.gz'), gzipSync(`${archive('/two', 'http://b.org/')}rubbish\n`));
    const imported = await json<{ pages: number; notes: string[] }>(
      'import', '1.warc', '2.warc.gz', '--out', 'crawl.owg',
    );
    expect(imported).toMatchObject({ graph: '1 and 1 more', pages: 3, arcs: 2, hosts: 2, hostsAreSynthetic: false });
    expect(imported.notes[0]).toMatch(
      /^2\.warc\.gz: byte \d+ of the gzip member at byte 0: no record begins here, but "rubbish/,
    );
    const info = await orbweaver(['info', '2.warc.gz', '--json'], folder);
    expect(JSON.parse(info.stdout)).toMatchObject({ pages: 2 });
    expect(info.stderr).toMatch(/^warning: 2\.warc\.gz: byte \d+ of .*: no record begins here, but "rubbish.*"\n$/);
    expect(await json('import', '1.warc', '2.warc.gz', '--fetched-only', '--out', 'crawl.owg')).toMatchObject({
      pages: 2, arcs: 1,
    });
  });

  test('a run record holds what was printed, and replaces an earlier our own', async () => {
    const out = join(folder, 'deep', 'er', 'run');
    const first = await json<RunJson>('simulate', 'clique', '--out', out);
    expect(namesBelow(out)).toEqual(recordNames);
    expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))).toEqual(first);
    const second = await json<RunJson>('simulate', 'clique', '--seed', '2', '--out', out);
    expect(JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))).toEqual(second);
    expect(second.replayHash).not.toBe(first.replayHash);
    // One of several runs takes its place too, and is not mixed with it.
    await json('simulate', 'clique', '--repeat', '2', '--out', out);
    expect(namesBelow(out)).toEqual([
      'curves.csv', 'report.html', 'runs.json',
      // Repeated runs are without statistics by default.
      ...['seed-1', 'seed-2'].flatMap((run) => [
        run, ...recordNames.filter((name) => name !== 'statistics.csv').map((name) => join(run, name)),
      ]),
    ]);
    expect(await orbweaver(['simulate', 'clique', '--out', out], folder)).toMatchObject({
      code: 2, stdout: '',
      stderr: expect.stringMatching(/: has runs of --repeat \(runs\.json\), which would be lost; name another folder\n$/) as string,
    });
    expect(namesBelow(join(folder, 'deep', 'er')).filter((name) => !name.startsWith('run'))).toEqual([]);
  });

  test('without --out nothing is', async () => {
    const empty = newFolder();
    for (const command of ['simulate', 'tune --threads 1', 'rank', 'info', 'tour'])
      expect((await orbweaver([...command.split(' '), 'clique'], empty)).code).toBe(0);
    expect(namesBelow(empty)).toEqual([]);
    rmSync(empty, { recursive: true });
  });

  test('info --out is its document and a report', async () => {
    const document = await json('info', 'web', '--distances', 'off', '--out', 'looks');
    expect(namesBelow(join(folder, 'looks'))).toEqual(['info.json', 'report.html']);
    expect(JSON.parse(readFileSync(join(folder, 'looks', 'info.json'), 'utf8'))).toEqual(document);
    expect(readFileSync(join(folder, 'looks', 'report.html'), 'utf8')).toContain('What leads where');
  });

  test('import --order preserves the web, and reports that its pages are renumbered', async () => {
    const { stdout } = await orbweaver(['import', 'web', '--order', 'bfs', '--out', 'bfs.owg'], folder);
    expect(stdout).toContain('Pages are renumbered, breadth first.');
    const [before, after] = await Promise.all(['web', 'bfs.owg'].map(async (graph) => {
      const { components, reachablePages, hostGraph, degrees } =
        await json<Record<string, Record<string, unknown>>>('info', graph, '--distances', 'off', '--bootstrap', '0');
      return { components, reachablePages, hostGraph, in: degrees['in'], out: degrees['out'] };
    }));
    expect(after).toEqual(before);
  });

  test('tune writes its sweep and a drawing', async () => {
    const document = await json('tune', 'star', '--threads', '1', '--out', 'tuned');
    expect(namesBelow(join(folder, 'tuned'))).toEqual(['report.html', 'tune.json', 'tune.svg']);
    expect(JSON.parse(readFileSync(join(folder, 'tuned', 'tune.json'), 'utf8'))).toEqual(document);
    expect(statSync(join(folder, 'tuned', 'tune.svg')).size).toBeGreaterThan(500);
  });
});

describe('what a person reads', () => {
  test('synthetic hosts are reported first', async () => {
    for (const command of ['simulate', 'tune --threads 1', 'info', 'tour']) {
      expect((await orbweaver([...command.split(' '), 'clique'], folder)).stdout).toMatch(/^Hosts are synthetic: /);
    }
  });

  test('seed pages by URL, by host and path, and by id are the same', async () => {
    const hashes = new Set<string>();
    for (const seed of ['51', 'http://h11.example/51', 'H11.example/51#top']) {
      const run = await json<RunJson<{ seedPages: number[] }>>(
        'simulate', 'web', '--max-pages', '50', '--seed-page', seed,
      );
      expect(run.experiment.seedPages).toEqual([51]);
      hashes.add(run.replayHash);
    }
    expect(hashes.size).toBe(1);
  });

  test('seeds and what they reach', async () => {
    const { stdout } = await orbweaver(['simulate', 'docs-web', '--max-pages', '100', '--verify'], folder);
    expect(stdout).toContain('6 stored seed pages reach 20,746 of 31,331 pages on 466 hosts');
    expect(stdout).toMatch(/^verified: /m);
  });

  test('nothing of a file reaches the terminal as a control character', async () => {
    // What the readers let through: controls beyond ASCII, and marks that turn the direction of writing.
    const hostile = join(folder, 'hosti\u001b[31mle');
    mkdirSync(hostile, { recursive: true });
    writeFileSync(join(hostile, 'pages.tsv'), 'a.example\t/\u009b31mred\t10\nb\u202e.example\t/\u0090owned\t20\n');
    writeFileSync(join(hostile, 'arcs.tsv'), '0\t1\n1\t0\n');
    for (const args of [
      ['rank'], ['info', '--partition', 'lpt'], ['simulate'], ['tour'], ['tune', '--threads', '1'], ['rank', '--json'],
      ['info', '--json'],
    ]) {
      const [command, ...flags] = args;
      const { code, stdout, stderr } = await orbweaver([command, hostile, ...flags], folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  });

  test('a reader that stops early is no failure', () => {
    // So many lines do not fit into a pipe.
    const line = `"${process.execPath}" "${mainFile}" rank web --algorithm in-degree --top 2000 | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^web: .*\n0\n$/);
  });

  test('the version and the help of the whole', async () => {
    expect((await orbweaver(['--version'], folder)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const help = await orbweaver(['--help'], folder);
    expect(help.code).toBe(0);
    for (const command of [...commands, ...toOthers]) expect(help.stdout).toContain(`\n  ${command.split(' ')[0]} `);
    const bare = await orbweaver([], folder);
    expect({ code: bare.code, stdout: bare.stdout }).toEqual({ code: 2, stdout: '' });
  });
});
