import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import type { RunJson } from '../../../src/core/measure/index.ts';
import { graphWeb, loopback } from '../../crawl/loopback.ts';
import { newFolder, orbweaver, printedBy } from '../command.ts';

// Goal: live crawls and tuning read the settings files that simulations read, and print them.

const folder = newFolder();
afterAll(() => { rmSync(folder, { recursive: true }); });

const run = (...args: string[]): Promise<string> => printedBy(args, folder);

test('a crawl from a printed file, or from the record of a crawl, has the settings of the flags', async () => {
  const web = await loopback(graphWeb(await openGraph('star')));
  try {
    const own = [
      '--resolve', `*=127.0.0.1:${web.port}`, '--allow-network', '127.0.0.0/8', '--politeness-ms', '0', '--no-warc',
      '--contact', 'test@localhost', '--policy', 'breadth-first', '--processors', '2', '--reader-threads', '0',
    ];
    const seeds = ['http://h000000.synthetic.invalid/page-0'];
    writeFileSync(join(folder, 'crawl.yaml'), await run('crawl', ...seeds, ...own, '--print-config'));
    expect(await run('crawl', '--config', 'crawl.yaml', '--print-config'))
      .toBe(readFileSync(join(folder, 'crawl.yaml'), 'utf8'));
    const crawled = async (out: string, ...args: string[]): Promise<RunJson> =>
      JSON.parse(await run('crawl', ...args, '--out', out, '--json')) as RunJson;
    const byFlags = await crawled('flags', ...seeds, ...own);
    const byFile = await crawled('file', '--config', 'crawl.yaml');
    const byRecord = await crawled('record', ...seeds, '--config', join('file', 'run.json'), '--max-pages', '1');
    expect(byFlags.summary.pagesFetched).toBeGreaterThan(1);
    expect(byFile.experiment).toEqual(byFlags.experiment);
    expect(byFile.summary.pagesFetched).toBe(byFlags.summary.pagesFetched);
    expect(byRecord.experiment).toEqual(Object.assign({}, byFlags.experiment, { maxPages: 1 }));
    expect(byRecord.summary.pagesFetched).toBe(1);
  } finally {
    await web.close();
  }
});

test.each([
  [
    'a setting of simulations', 'network: {}\n',
    /^c\.yaml:1:1: "network" is not a field; it is a setting of simulations/,
  ],
  [
    'a live setting above live', 'maxPages: 1\ncontact: x@y\n',
    /^c\.yaml:2:1: "contact" is not a field; did you mean live\.contact\?/,
  ],
  ['a flag as a key', 'max-depth: 3\n', /^c\.yaml:1:1: "max-depth" is not a field; did you mean live\.maxDepth\?/],
  [
    'an earlier flag', 'superstep-limit: 3\n',
    /^c\.yaml:1:1: "superstep-limit" is not a field; did you mean superstepLimit\?/,
  ],
  [
    'a wrong name below live', 'live: { alowDomains: [] }\n',
    /^c\.yaml:1:9: live: "alowDomains" is not a field; did you mean allowDomains\?/,
  ],
  ['a wrong type', 'live:\n  types: html\n', /^c\.yaml:2:10: live\.types: /],
  ['auto', 'superstepLimit: auto\n', /^c\.yaml:1:17: superstepLimit: /],
  [
    'a network that is none',
    'live: { contact: x@y, allowNetworks: [10.0.0.1/8] }\nseeds: [http://a.example/]\n',
    /^live\.allowNetworks: 10\.0\.0\.1\/8 is an address within a network: write 10\.0\.0\.0\/8\n$/,
  ],
  ['no contact', 'seeds: [http://a.example/]\n', /^--contact is missing: /],
  ['no seeds', 'live: { contact: x@y }\n', /^name a URL to start from/],
])('crawl --config with %s: exit code 2, with the place and what is allowed', async (_, text, says) => {
  writeFileSync(join(folder, 'c.yaml'), text);
  const { code, stdout, stderr } = await orbweaver(['crawl', '--config', 'c.yaml', '--out', 'none'], folder);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(says);
});

test('tuning reads and prints settings', async () => {
  writeFileSync(join(folder, 'tune.yaml'), 'processors: 2\nseed: 3\nsuperstepLimit: 7\n');
  const tuned = await run('tune', 'star', '--config', 'tune.yaml', '--threads', '1', '--json');
  expect(tuned).toBe(await run('tune', 'star', '--processors', '2', '--seed', '3', '--threads', '1', '--json'));
  expect(await run('tune', 'star', '--config', 'tune.yaml', '--seed', '4', '--print-config')).toMatch(/^seed: 4$/m);
});

test('the JSON Schema of a settings file accepts what is printed, and has each description', async () => {
  for (const [args, more] of [
    [['simulate', 'star'], []], [['crawl', 'http://a.example/'], ['--contact', 'me@localhost']], [['tune', 'star'], []],
  ] as const) {
    const text = await run(...args, '--print-schema');
    const schema = z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]);
    writeFileSync(join(folder, 'all.yaml'), await run(...args, ...more, '--print-config'));
    const settings = parse(readFileSync(join(folder, 'all.yaml'), 'utf8')) as Record<string, unknown>;
    expect(schema.safeParse(settings)).toMatchObject({ success: true });
    expect(schema.safeParse({ ...settings, robots: 0 }).success).toBe(false);
    expect(schema.safeParse({ ...settings, robot: 1 }).success).toBe(false);
    expect(text).toContain('"robots per processor, r"');
  }
});
