import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternate, machine, type BenchCase, type BenchReport, type Side } from '../../../src/questions/bench/index.ts';
import { compass, type Corpus } from '../../../src/search/index.ts';
import { IndexWriter, openIndex } from '../../../src/search/store/index.ts';
import type { PageText } from '../../../src/base/web/index.ts';
import { generatedText, generatedWord } from './generated-documents.ts';
import { WordTables } from './word-tables.ts';

/** Queries of one word and of two, by the rank of their words: in a third of the documents, and in fewer. */
const queries: readonly (readonly number[])[] = [[5], [60], [5, 6], [5, 60], [60, 700]];
/** Results of a query. */
const HITS = 10;
/** How often a query is repeated in one measurement of ours, which is short. */
const REPEATS = 3;

/**
 * Compass's section 6.4 again: one table of words, 3,000 tables, and our index, on generated documents, in files of one
 * engine and scored by the same code, so that what differs is how postings are stored. All are read from the system's
 * cache. Ours twice: with postings read from the file for each query, and with the reader's cache.
 */
export async function benchTables(
  documents: number, rounds: number, onProgress: (text: string) => void,
): Promise<BenchReport & { readonly built: readonly BenchCase[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-tables-'));
  const path = (name: string): string => join(folder, name);
  const texts = function* (): Iterable<PageText> {
    for (let document = 0; document < documents; document++) yield generatedText(document);
  };
  const built: BenchCase[] = [];
  const build = async <T>(name: string, file: string, make: () => T | Promise<T>): Promise<T> => {
    onProgress(`${name}: ${documents} documents`);
    const begin = performance.now();
    const made = await make();
    const seconds = (performance.now() - begin) / 1000;
    built.push(once(`${name}, built`, seconds, 's'), once('  its file', statSync(path(file)).size / 1e6, 'MB'));
    return made;
  };
  try {
    const one = await build('one table', 'one', () => WordTables.build(path('one'), texts(), false));
    const many = await build('3,000 tables', 'many', () => WordTables.build(path('many'), texts(), true));
    await build('our index', 'ours', () => buildIndex(path('ours'), texts()));
    const fresh = await openIndex(path('ours'), { cacheBytes: 0 });
    const cached = await openIndex(path('ours'));
    one.pageranks = many.pageranks = cached.pageranks;
    const contenders: [string, Corpus, number][] = [
      ['one table', one, 1], ['3,000 tables', many, 1], ['our index', fresh, REPEATS],
      ['our index, cached', cached, REPEATS],
    ];
    onProgress('queries');
    const sides = queries.flatMap((ranks): Side[] => {
      const words = ranks.map(generatedWord);
      const found = cached.postings(words[0]).documents.length;
      const second = words.length === 1 ? '' : ` and ${cached.postings(words[1]).documents.length}`;
      return contenders.map(([name, corpus, repeats]) => ({
        name: `${words.length === 1 ? 'a word' : 'words'} in ${found}${second} documents: ${name}`,
        measuresIn: 'ms',
        run: () => {
          const begin = performance.now();
          for (let i = 0; i < repeats; i++) best(corpus, words);
          return (performance.now() - begin) / repeats;
        },
      }));
    });
    const expected = queries.map((ranks) => best(one, ranks.map(generatedWord)).join());
    for (const [, corpus] of contenders) {
      for (const [i, ranks] of queries.entries()) {
        if (best(corpus, ranks.map(generatedWord)).join() !== expected[i])
          throw new Error('the sides differ in results');
      }
    }
    const { cases } = await alternate(sides, rounds);
    for (const corpus of [one, many, fresh, cached]) corpus.close();
    const plain = cases.map(({ name, median, min, max, unit }) => ({ name, median, min, max, unit }));
    return { machine: machine(), cases: [...built, ...plain], built };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function once(name: string, value: number, unit: string): BenchCase {
  return { name, median: value, min: value, max: value, unit };
}

async function buildIndex(path: string, texts: Iterable<PageText>): Promise<void> {
  const writer = await IndexWriter.open(path);
  let page = 0;
  for (const text of texts) {
    writer.add({ url: `http://documents.example/${page++}`, text });
    if (page % 1024 === 0) writer.commit();
  }
  writer.finish();
  writer.close();
}

/** The best documents, as Compass ranks them; by their numbers where they tie. */
function best(corpus: Corpus, words: readonly string[]): number[] {
  const { documents, scores } = compass.rank(corpus, words);
  const top: number[] = [];
  for (let i = 0; i < documents.length; i++) {
    if (top.length === HITS && scores[i] <= scores[top[HITS - 1]]) continue;
    let at = top.length;
    while (at > 0 && scores[top[at - 1]] < scores[i]) at--;
    top.splice(at, 0, i);
    if (top.length > HITS) top.pop();
  }
  return top.map((i) => documents[i]);
}
