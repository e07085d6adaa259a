import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { orbweaver } from '../../cli/command.ts';
import { writeSmallWeb } from '../../cli/input/small-web.ts';
import { isFullSweep } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { redisIsHere, redisIsMissing, RedisServer } from '../redis-server.ts';
import { entriesOf, Running, startWorker } from './processes.ts';

// Goal: what a study has in files of its own (scores, policies, the crawl that its network is fitted to) gives workers
// the results of one machine, and where a worker lacks a file or has another one, the study ends with its name.

const { folder } = temporaryFolder();
const at = (name: string): string => join(folder, name);
const graphs = at('graphs');

const files = ['scores.tsv', 'mine.js', 'fetches.csv'] as const;
type File = (typeof files)[number];

const policy = `export default {
  name: 'mine', title: 'the pages known last', make: () => ({ key: (local) => local, score: () => 1 }),
};
`;

/** A finished crawl as a table: hosts differ in latency, pages in size. */
function fetches(): string {
  const rows = Array.from({ length: 1200 }, (_, i) => {
    const host = i % 40;
    return `http://h${host}.example/${i},${i / 10},${(20 + host + (i % 7)) / 1000},${1000 + (i * 37) % 9000},200`;
  });
  return `url,start,duration,bytes,status\n${rows.join('\n')}\n`;
}

beforeAll(async () => {
  writeSmallWeb(at('web'));
  writeFileSync(at('mine.js'), policy);
  writeFileSync(at('fetches.csv'), fetches());
  expect((await orbweaver(['rank', 'web', '--out', 'scores.tsv'], folder)).code).toBe(0);
});

/** Writes a study that needs all files, into a folder that has them. @param seed studies of one seed share runs. */
function writeStudy(where: string, seed: number, policies = './mine.js'): void {
  writeFileSync(join(where, 'study.yaml'), [
    `graph: ${at('web')}`, 'scores: scores.tsv', 'network: fetches.csv', 'experiment: {maxPages: 300}',
    `axes: {policy: [${policies}], seed: [${seed}]}`, '',
  ].join('\n'));
}

const words = (url: string): string[] =>
  ['study', 'study.yaml', '--cache', 'cache', '--workers', url, '--graphs', graphs];

describe.skipIf(!redisIsHere)(`files of a study by workers${redisIsMissing}`, () => {
  test('give the results of one machine, to the byte', async () => {
    await using server = await RedisServer.start();
    writeStudy(folder, 1, 'scores, ./mine.js, opic');
    // The worker is in another folder: paths are those of the study.
    await startWorker(server.url, tmpdir(), '--graphs', graphs);
    const far = await orbweaver([...words(server.url), '--out', 'far'], folder);
    expect(far).toMatchObject({ code: 0, stderr: 'policy ./mine.js: the file is run as code\n' });
    const near = await orbweaver(['study', 'study.yaml', '--cache', 'near-cache', '--out', 'near'], folder);
    expect(near.code).toBe(0);
    const [farRuns, nearRuns] = [entriesOf(at('cache')), entriesOf(at('near-cache'))];
    expect([...farRuns.keys()]).toEqual([...nearRuns.keys()]);
    expect(farRuns.size).toBe(3);
    for (const [name, run] of nearRuns) expect(farRuns.get(name) === run, name).toBe(true);
    for (const name of ['results.csv', 'study.json', 'report.html'])
      expect(readFileSync(at(`far/${name}`)).equals(readFileSync(at(`near/${name}`))), name).toBe(true);
  });

  const changes: readonly (readonly [File, ((text: string) => string) | undefined, string])[] = [
    ...files.map((file) => [file, undefined, ''] as const),
    ['fetches.csv', (text) => text.replace(/,0\.02,/, ',0.9,'), 'differs from the file that the study'],
    ['mine.js', (text) => `${text}// changed\n`, 'is not the policy that the settings name'],
    ['scores.tsv', (text) => text.replace(/\t0\.0*[1-9]/, '\t0.5'), 'differs from the file that the study'],
  ];

  // Other machines have other files: here, the files change when the studies have begun, before a worker comes.
  test('that a worker lacks, or has with other contents, are named', async () => {
    await using server = await RedisServer.start();
    const chosen = changes.filter((_, i) => isFullSweep || i % 2 === 0);
    const studies = chosen.map(([file, change, why], i) => {
      const where = at(`study-${i}`);
      mkdirSync(where);
      for (const name of files) copyFileSync(at(name), join(where, name));
      writeStudy(where, 2 + i);
      return { path: join(where, file), change, why, asker: new Running(words(server.url), where) };
    });
    await Promise.all(studies.map(({ asker }) => asker.says('no worker of this version')));
    for (const { path, change } of studies) {
      const text = readFileSync(path, 'utf8');
      if (change === undefined) rmSync(path);
      else writeFileSync(path, change(text));
      expect(change?.(text)).not.toBe(text);
    }
    await startWorker(server.url, folder, '--graphs', graphs);
    for (const { path, why, asker } of studies) {
      expect(await asker.ended, asker.stderr).toBe(3);
      const lines = asker.stderr.split('\n').filter((line) => line.includes(`${path}: ${why}`));
      expect(lines, asker.stderr).toHaveLength(1);
    }
  }, 240_000);
});
