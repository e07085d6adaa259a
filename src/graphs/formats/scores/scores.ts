import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { GraphPages } from '../../graph/index.ts';
import { InputError, quoted } from '../../../base/index.ts';
import { readError } from '../../../base/files/index.ts';
import { partsOfTable } from '../parquet/parquet-format.ts';
import { eachTextLine, failIn } from '../text-lines.ts';
import { PageScores, scoreFault, type Scores, type ScoresForm } from './page-scores.ts';
import { scoreForms, ScoreText } from './score-text.ts';

const CHUNK_BYTES = 1 << 26;

/**
 * Reads scores of a graph's pages from a file, in one of these forms. A name that ends in `.f64` means the first; a
 * Parquet file, or a folder of them, is a table; the others are texts, plain or gzipped, and the first line that is
 * neither empty nor a comment (`#`) decides.
 *
 *   float64 values           8 bytes per page, little-endian, by page id
 *   a Parquet table          columns of page ids or URLs, and of scores (score-table.ts)
 *   a number a line          by page id
 *   page ids and scores      `page TAB score`, optionally more columns, in any order; ids of the source, where the
 *                            graph has such, but page numbers under the header `#page TAB score` of our own tables
 *   URLs and scores          `URL TAB score`, in any order, with or without a scheme
 *   URLs and precedences     `URL blank integer`, in any order: the format of Heritrix's PrecedenceLoader
 *                            (`rank.txt` in its own test). 1 is the best; a precedence p becomes the score 1 / p.
 *
 * Instead of a tab there may be a comma, and a header that names the columns (score-text.ts). A score is a number from
 * 0 to 3.4e38, because a crawl's queue stores it as a float32. Lists of URLs come from other tools and may leave pages
 * out, which then score 0; all other forms need a score for each page. Unknown URLs, and unknown ids of the source, are
 * counted and left out, unless all are.
 *
 * Errors   InputError with file and line, or page: an unknown form, a line of another form, a malformed or out-of-range
 *        number, no known page, a page that appears twice, pages without a score, or only scores of 0.
 * Cost     O(bytes + n); memory: 8 bytes per page, and 0.1 more if pages are named by id, or 16 if by URL.
 */
export async function readScores(path: string, graph: GraphPages): Promise<Scores> {
  const result = await readForm(path, graph);
  if (result.scores.every((score) => score === 0))
    throw new InputError(`${path}: all scores are 0, which orders nothing`);
  return result;
}

async function readForm(path: string, graph: GraphPages): Promise<Scores> {
  if (path.endsWith('.f64')) return readFloat64(path, graph);
  const parts = await partsOfTable(path);
  if (parts === undefined) return readScoreLines(path, graph);
  return (await import('./score-table.ts')).readScoreTables(path, parts, graph);
}

/** SHA-256, in hex, of scores as float64, little-endian, as a `.f64` file has them. */
export function scoresChecksum(scores: Float64Array): string {
  const hash = createHash('sha256');
  for (const chunk of float64Chunks(scores)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Scores as float64, little-endian, whatever this machine's order: chunks of a MiB, each valid until the next is
 * requested.
 */
export function* float64Chunks(scores: Float64Array): Generator<Uint8Array, void, void> {
  const view = new DataView(new ArrayBuffer(1 << 20));
  for (let start = 0; start < scores.length; start += view.byteLength / 8) {
    const count = Math.min(view.byteLength / 8, scores.length - start);
    for (let i = 0; i < count; i++) view.setFloat64(8 * i, scores[start + i], true);
    yield new Uint8Array(view.buffer, 0, 8 * count);
  }
}

async function readFloat64(path: string, { name, pages }: GraphPages): Promise<Scores> {
  const scores = new Float64Array(pages);
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const expected = `${name} has ${pages} pages, 8 bytes each: ${8 * pages}`;
      if (size !== 8 * pages) throw new InputError(`${path}: has ${size} bytes, but ${expected}`);
      const bytes = new Uint8Array(scores.buffer);
      for (let at = 0; at < size; ) {
        const { bytesRead } = await file.read(bytes, at, Math.min(CHUNK_BYTES, size - at), at);
        if (bytesRead === 0)
          throw new InputError(`${path}: ended after ${at} bytes while it was read, but ${expected}`);
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readError(path, error);
  }
  const view = new DataView(scores.buffer);
  for (let page = 0; page < pages; page++) {
    scores[page] = view.getFloat64(8 * page, true);
    const fault = scoreFault(scores[page]);
    if (fault !== undefined)
      throw new InputError(`${path}: page ${page}, at byte ${8 * page}: the score is ${scores[page]}: ${fault}`);
  }
  return { scores, form: 'float64 values', pagesLeftOut: 0 };
}

/** Reads a text of scores, line by line. */
async function readScoreLines(path: string, graph: GraphPages): Promise<Scores> {
  const { name, pages } = graph;
  const [text, result] = [new ScoreText(), new PageScores(graph)];
  let form: ScoresForm | undefined;
  await eachTextLine(path, {}, (line, _fail, number) => {
    const fail = failIn(`${path}: line ${number}`);
    const entry = text.take(line);
    if (entry === undefined) return;
    if (typeof entry === 'string') return fail(`${quoted(line)}: ${entry}`);
    const { page, score } = entry;
    if (page === undefined) {
      if (result.count === pages) fail(`is the first with more numbers than the ${pages} pages of ${name}`);
      result.add(result.count, score);
      form = 'a number a line';
      return;
    }
    const isId = /^[0-9]{1,10}$/.test(page) && text.form !== 'precedences';
    form ??= text.form === 'precedences' ? 'URLs and precedences' : isId ? 'page ids and scores' : 'URLs and scores';
    if (isId !== (form === 'page ids and scores')) {
      fail(`${quoted(line)}: expected ${isId ? 'a URL' : 'a page id'} and a score, as in the lines before`);
    }
    const place = `line ${number}`;
    let fault: string | undefined;
    if (!isId) fault = result.addUrl(page, score, place, 'a number per line, or page ids and scores');
    else if (!text.isOwn) fault = result.addId(Number(page), score, place);
    else if (Number(page) < pages) fault = result.add(Number(page), score);
    else fault = `page ${page} is not one of the ${pages} pages of ${name}`;
    if (fault !== undefined) fail(/^(page id|"|page [0-9]+ is not)/.test(fault) ? fault : `${quoted(line)}: ${fault}`);
  });
  if (form === undefined) throw new InputError(`${path}: contains no scores; expected ${scoreForms}`);
  return { scores: result.scores, form, ...result.finish(path) };
}
