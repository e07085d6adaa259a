import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orbweaver } from '../cli/command.ts';
import { writeSmallWeb } from '../cli/input/small-web.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../crawl/loopback.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { partOf, sampled } from '../sweep.ts';

// Goal: the line that a plan prints does what the plan did, wherever the plan had its settings from.

const { folder } = temporaryFolder();
const at = (...names: string[]): string => join(folder, ...names);

writeSmallWeb(at('web'));
const userPolicy = new URL('../policy/user-policies/few-links-first.js', import.meta.url);
cpSync(fileURLToPath(userPolicy), at('mine.js'));
const file = (name: string, ...lines: readonly string[]): void => { writeFileSync(at(name), lines.join('\n')); };
file(
  'config.yaml', 'seedPages: [777, 5]', 'politenessMs: 200', 'maxSeconds: 4000', 'seed: 6',
  'network: { preset: lan, latencyMs: 20 }',
);
file('plan.yaml', 'graph: ./web', 'goal: 50% of rank', 'experiment: { seedPages: [1999], barrierUs: 70000 }');
file(
  'all.yaml', 'graph: ./web', 'goal: 50% of rank', 'machines: 2', 'robots: 8', 'delay: 300ms', 'bandwidth: 1Mbit',
  'vary: { policy: [opic], robots: [4, 8] }', 'experiment: { seedPages: [3, 42], network: { notFoundShare: 0.02 } }',
);

// A list whose ids have gaps: --seed-page has them, and settings have page numbers.
file('ids.tsv', ...Array.from({ length: 900 }, (_, page) => [1, 7 * page].map((step) =>
  `${3 * page + 11}\t${3 * ((page + step) % 900) + 11}`)).flat());

let web: Loopback;
beforeAll(async () => {
  const site = graphWeb(syntheticWeb(150, 3), { latencyMs: 4 });
  web = await loopback(site);
  const { code, stderr } = await orbweaver([
    'crawl', ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--out', at('crawled'),
    '--allow-network', '127.0.0.0/8', '--resolve', `*=127.0.0.1:${web.port}`, '--politeness-ms', '5',
    '--max-pages', '60', '--reader-threads', '0',
  ], folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}, 60_000);
afterAll(() => web.close());

interface PlanDocument {
  readonly best: { readonly simulate: string; readonly runs: readonly number[]; readonly settings: object };
  readonly runs: readonly {
    readonly id: number; readonly seed: number; readonly seconds: number; readonly rank: number;
  }[];
}
interface RunDocument {
  readonly summary: {
    readonly secondsToRank: Readonly<Record<string, number | null>>;
    readonly rankGathered: { readonly ofReachable: number };
  };
}

async function document<T>(...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await orbweaver([...args, '--json'], folder);
  const others = stderr.replace(/^policy .*: the file is run as code\n/gm, '');
  expect({ code, others }).toEqual({ code: 0, others: '' });
  return JSON.parse(stdout) as T;
}

const goal = ['--goal', '50% of rank'];
const small = ['--machines', '2', '--robots', '8', '--vary', 'robots'];

const cases: readonly (readonly [name: string, words: readonly string[]])[] = [
  ['flags alone', ['web', ...goal, ...small]],
  ['seed pages by number', ['web', ...goal, ...small, '--seed-page', '700', '--seed-page', '9']],
  ['seed pages by URL', ['web', ...goal, ...small, '--seed-page', 'http://h3.example/43']],
  ['a file of settings', ['web', ...goal, ...small, '--config', 'config.yaml']],
  ['a file of settings, and a graph with ids of its source', ['ids.tsv', ...goal, ...small, '--config', 'config.yaml']],
  ['a file of settings, and flags that win', [
    'web', ...goal, ...small, '--config', 'config.yaml', '--seed-page', '12', '--latency-ms', '50', '--seed', '3',
  ]],
  ['the most rank in a time', ['web', '--within', '17.5s', ...small, '--config', 'config.yaml']],
  ['supersteps without a length', ['web', ...goal, ...small, '--superstep-ms', '0', '--seed-page', '70']],
  ['a plan file', ['plan.yaml', ...small]],
  ['a plan file with everything', ['all.yaml']],
  ['a plan file, and flags that win', ['all.yaml', '--seed-page', '1000', '--delay', '100ms']],
  ['a plan file and a file of settings', ['plan.yaml', ...small, '--config', 'config.yaml']],
  ['the folder of a crawl, whose limit is no limit of the plan', ['crawled', '--goal', '50% of rank', ...small]],
  ['the folder of a crawl, with another network', ['crawled', ...goal, ...small, '--network', 'lan']],
  ['a fitted network, changed by flags', [
    'web', ...goal, ...small, '--network', 'crawled', '--latency-ms', '77', '--bandwidth', '2Mbit',
  ]],
  ['a policy of the user', ['web', ...goal, ...small, '--policy', './mine.js']],
  ['a weighted policy', [
    'web', ...goal, ...small, '--policy', 'weighted', '--weights', 'breadth-first=1,./mine.js=0.5', '--queue', 'cbt',
  ]],
];
const tried = sampled(cases, 3);

test.each(tried)(`%s, ${partOf(tried, cases)}`, async (_, words) => {
  const { best, runs } = await document<PlanDocument>(
    'plan', ...words, '--cache', at('cache'), '--threads', '1',
  );
  const line = best.simulate.split(' ');
  expect(line.slice(0, 2)).toEqual(['orbweaver', 'simulate']);
  const finals = runs.filter(({ id }) => best.runs.includes(id));
  for (const { seed, seconds, rank } of finals.slice(0, 2)) {
    // The line has the seed of the search; figures are of other seeds.
    const { summary } = await document<RunDocument>(...line.slice(1), '--seed', String(seed), '--statistics', 'off');
    if (words.includes('--within')) expect(summary.rankGathered.ofReachable).toBeCloseTo(rank, 12);
    else expect(summary.secondsToRank['50']).toBeCloseTo(seconds, 6);
  }
});
