import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Sqlite from 'libsql';
import { expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import { IndexWriter, openIndex } from '../../../src/search/index.ts';
import { gzipped, response } from '../../formats/warc/warc-archive.ts';
import { mainFile, newFolder, orbweaver, start } from '../../cli/command.ts';
import { isFullSweep, sampled } from '../../sweep.ts';

// Goal: an index has the pages of its sources in their order, whether it was made in one go or not; a command that
// fails leaves none.

const folder = newFolder();
const at = (name: string): string => join(folder, name);
const pages = Array.from({ length: 300 }, (_, i) => (
  response(
    `http://a.test/${i}`,
    `<title>Page ${i}</title><a href="/${(i * 7) % 300}">to ${i % 50}</a> ${'word '.repeat(i)}`,
  )
));
writeFileSync(at('all.warc.gz'), gzipped(pages));
writeFileSync(at('some.warc.gz'), gzipped(pages.slice(0, 100)));

/** URLs, documents and PageRank of an index. */
async function contentOf(name: string): Promise<unknown> {
  const index = await openIndex(at(name));
  try {
    return {
      urls: Array.from({ length: index.pages }, (_, page) => index.url(page)),
      documents: [...index.documentOfPage], ranks: [...index.pageranks], word: index.frequency('word'),
      places: [...index.postings('50').places],
    };
  } finally {
    index.close();
  }
}

test('an index of archives has their pages; made in two goes, or interrupted, it is the same', async () => {
  const whole = await orbweaver(['index', 'all.warc.gz', '--out', 'whole.index', '--json'], folder);
  expect(whole.code).toBe(0);
  expect(JSON.parse(whole.stdout)).toMatchObject({
    pages: 300, addedPages: 300, documents: 300, words: 303, leftOut: { noindex: 0, damaged: 0 },
  });
  await orbweaver(['index', 'some.warc.gz', '--out', 'parts.index'], folder);
  const rest = await orbweaver(['index', 'some.warc.gz', 'all.warc.gz', '--out', 'parts.index', '--json'], folder);
  expect(JSON.parse(rest.stdout)).toMatchObject({ pages: 300, addedPages: 200 });
  expect(await contentOf('parts.index')).toEqual(await contentOf('whole.index'));
  const again = await orbweaver(['index', 'all.warc.gz', '--out', 'whole.index', '--json'], folder);
  expect(JSON.parse(again.stdout)).toMatchObject({ pages: 300, addedPages: 0, words: 303 });
});

test.each(sampled(['SIGINT', 'SIGKILL'] as const, 2))('after %s the same command goes on', async (signal) => {
  const child = start(['index', 'all.warc.gz', '--out', `${signal}.index`], folder);
  const ended = once(child, 'exit');
  // From the moment when its file is there.
  while (!existsSync(at(`${signal}.index`)) && child.exitCode === null) await new Promise(setImmediate);
  child.kill(signal);
  await ended;
  const finished = await orbweaver(['index', 'all.warc.gz', '--out', `${signal}.index`], folder);
  expect(finished.code).toBe(0);
  expect(await contentOf(`${signal}.index`)).toEqual(await contentOf('whole.index'));
});

/** Pages of an index that are committed, while it is written. */
function committedPages(path: string): number {
  if (!existsSync(path)) return 0;
  const database = new Sqlite(path, { readonly: true });
  try {
    return (database.prepare('SELECT count(*) FROM pages').raw().get() as [number])[0];
  } catch {
    // It has no tables yet.
    return 0;
  } finally {
    database.close();
  }
}

test.runIf(isFullSweep)('killed at any moment, it goes on from its last commit, which is not far behind', async () => {
  // Some commits and the end. Not gzipped: to read that would take half of each run.
  const count = 800;
  writeFileSync(at('many.warc'), Buffer.concat(Array.from({ length: count }, (_, i) => (
    response(`http://a.test/${i}`, `<title>Page ${i}</title><a href="/${(i * 7) % count}">to</a> words ${i % 97}`)
  ))));
  expect((await orbweaver(['index', 'many.warc', '--out', 'whole-many.index'], folder)).code).toBe(0);
  const whole = await contentOf('whole-many.index');
  const draws = new DrawStream(20261126, 'kills');
  let [index, committed, between] = ['killed-0.index', 0, 0];
  for (let kill = 0; kill < (isFullSweep ? 50 : 2); kill++) {
    const child = start(['index', 'many.warc', '--out', index, '--threads', '1'], folder);
    const ended = once(child, 'exit');
    const wanted = committed + 1 + draws.uint32(kill, 0) % 300;
    let seen = committed;
    while (seen < wanted && child.exitCode === null) {
      seen = Math.max(seen, committedPages(at(index)));
      await setTimeout(5);
    }
    for (let spin = draws.uint32(kill, 1) % 2_000_000; spin > 0; spin--) Math.sqrt(spin);
    child.kill('SIGKILL');
    const [code] = await ended as [number | null];
    if (code === 0) {
      expect(await contentOf(index)).toEqual(whole);
      [index, committed] = [`killed-${kill + 1}.index`, 0];
      continue;
    }
    const writer = await IndexWriter.open(at(index));
    expect(writer.pages).toBeGreaterThanOrEqual(seen);
    committed = writer.pages;
    writer.close();
    if (committed < count) between++;
  }
  expect(between).toBeGreaterThan(0);
  const { stdout } = await orbweaver(['index', 'many.warc', '--out', index, '--json'], folder);
  expect(JSON.parse(stdout)).toMatchObject({ pages: count, addedPages: count - committed });
  expect(await contentOf(index)).toEqual(whole);
});

const asNobody = ['--reuid', '65534', '--clear-groups', '--'];
const canBeNobody = spawnSync('setpriv', [...asNobody, 'true']).status === 0;

test.skipIf(!canBeNobody)('a folder that may not be written is reported (skipped where this is no superuser)', () => {
  // Nobody must reach it.
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-unwritable-'));
  chmodSync(path, 0o755);
  try {
    mkdirSync(join(path, 'notes'));
    writeFileSync(join(path, 'notes', 'a.html'), '<p>orb');
    const nobody = (...args: string[]): { status: number | null; stderr: string } => {
      return spawnSync('setpriv', [...asNobody, process.execPath, mainFile, ...args], { cwd: path, encoding: 'utf8' });
    };
    const indexed = spawnSync(process.execPath, [mainFile, 'index', 'notes', '--out', 'notes.index'], { cwd: path });
    expect(indexed.status).toBe(0);
    for (const args of [
      ['index', 'notes', '--out', 'other.index'], ['index', 'notes', '--out', 'notes.index'],
      ['search', 'notes.index', 'orb'], ['export', 'notes.index', '--out', 'notes.ndjson'],
    ]) {
      const { status, stderr } = nobody(...args);
      expect([args, status, stderr]).toEqual([args, 2, expect.stringMatching(/^.*\bpermission denied\b.*\n$/)]);
    }
    expect(readdirSync(path).sort()).toEqual(['notes', 'notes.index']);
  } finally {
    rmSync(path, { recursive: true });
  }
});

test('a source without pages leaves no index', async () => {
  writeFileSync(at('none.warc'), response('http://a.test/', '<meta name=robots content=noindex>'));
  const { code, stderr } = await orbweaver(['index', 'none.warc', '--out', 'none.index'], folder);
  expect([code, stderr]).toEqual([
    2, 'none.warc: a WARC archive: no page that can be indexed; left out: 1 page with noindex\n',
  ]);
  expect(['', '-wal', '-shm'].filter((ending) => existsSync(at(`none.index${ending}`)))).toEqual([]);
});
