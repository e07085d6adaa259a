import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import { IndexWriter, openIndex, type SearchIndex } from '../../../src/search/index.ts';
import { builtScripts } from '../../built-scripts.ts';
import { isFullSweep, sampled } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { anyPages } from '../any-pages.ts';
import { MemoryCorpus } from '../memory-corpus.ts';

// Goal: a process that is killed while it indexes, and a disk that is full, lose nothing of what was committed; what
// goes on from there comes to the same index.

const { folder } = temporaryFolder();
const script = fileURLToPath(
  (await builtScripts(folder, new URL('indexing-process.ts', import.meta.url)))('indexing-process'),
);
const [seed, count, perCommit] = [11, 120, 5];
const pages = anyPages(seed, count);

function contents(index: SearchIndex): unknown {
  const { documents, lengths, pageranks, documentOfPage } = index;
  const words = Array.from('abcdefgh', (word) => [index.frequency(word), index.postings(word), index.anchors(word)]);
  return [documents, lengths.map((ofField) => [...ofField]), pageranks, documentOfPage, words];
}

async function expectWhole(path: string): Promise<void> {
  const reader = await openIndex(path);
  expect(contents(reader)).toEqual(contents(new MemoryCorpus(pages)));
  reader.close();
}

/** Lets it go on for some lines and microseconds more, and kills it. @returns the lines. */
async function killed(path: string, maxLines: number, spins: number): Promise<string[]> {
  const child = spawn(
    process.execPath, [script, path, ...[seed, count, perCommit].map(String)], { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line) < maxLines) continue;
    for (let spin = 0; spin < spins; spin++) Math.sqrt(spin);
    child.kill('SIGKILL');
  }
  await ended;
  return lines;
}

test('killed at many moments, it goes on from what was committed and comes to the same index', async () => {
  const draws = new DrawStream(20261125, 'kills');
  let path = join(folder, 'killed 0.index');
  let [committed, ends] = [0, 0];
  for (let kill = 0; kill < (isFullSweep ? 50 : 2); kill++) {
    const lines = await killed(path, 1 + draws.uint32(kill, 0) % 30, draws.uint32(kill, 1) % 2_000_000);
    // It opens with what was reported before, and at most the commit whose report was cut off.
    const opened = Number(/^opened (\d+)$/.exec(lines[0])![1]);
    expect(opened).toBeGreaterThanOrEqual(committed);
    expect(opened).toBeLessThanOrEqual(committed + perCommit);
    committed = Number(lines.filter((line) => line.startsWith('committed')).at(-1)?.slice(10) ?? opened);
    if (lines.at(-1) !== 'done') continue;
    await expectWhole(path);
    path = join(folder, `killed ${++ends}.index`);
    committed = 0;
  }
  const writer = await IndexWriter.open(path, { segments: 2 });
  for (const page of pages) writer.add(page);
  writer.finish();
  writer.close();
  await expectWhole(path);
});

const built = new URL('../../../dist/search/index.js', import.meta.url).href;

test.each(sampled([40, 80, 150, 300], 2))('a file may have %i KiB: the index stays as it was', async (kib) => {
  const path = join(folder, `full ${kib}.index`);
  // Grows by what does not repeat.
  const text = `
    import { IndexWriter } from '${built}';
    const writer = await IndexWriter.open(process.argv[1]);
    let stored = 0;
    try {
      for (let page = 0; ; page++) {
        const words = Array.from({ length: 200 }, (_, i) => (page * 7919 + i * 104729).toString(36)).join(' ');
        const text = { runs: [{ field: 'other', text: words }], language: '', anchors: [], isCut: false };
        writer.add({ url: 'http://h/' + page, text });
        writer.commit(0);
        stored = writer.pages;
      }
    } catch (error) {
      console.log(stored + ' ' + error.name + ': ' + error.message);
    }
    try {
      writer.commit();
    } catch (error) {
      console.log(error.name);
    }`;
  const { status, stdout, stderr } = spawnSync('bash', [
    '-c', `ulimit -S -f ${kib}; exec "$@"`, 'bash', process.execPath, '--input-type=module', '-e', text, path,
  ], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const [first, second] = stdout.split('\n');
  expect(first).toContain(`WorldError: ${path}: could not be written`);
  expect(second).toBe('AssertionError');
  const writer = await IndexWriter.open(path);
  expect(writer.pages).toBe(Number(first.split(' ')[0]));
  writer.finish();
  writer.close();
  const reader = await openIndex(path);
  expect(reader.documents).toBe(writer.pages);
  expect(reader.lengths[6].every((length) => length === 200)).toBe(true);
  reader.close();
});
