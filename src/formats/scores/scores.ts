import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { GraphPages } from '../../graph/index.ts';
import { InputError, quoted } from '../../base/index.ts';
import { bytesOf, readError, eachLine } from '../../base/files/index.ts';
import { isNumber } from '../edge-list/number-columns.ts';
import { partsOfTable } from '../parquet/parquet-format.ts';
import { PageScores, scoreFault, type Scores, type ScoresForm } from './page-scores.ts';

const CHUNK_BYTES = 1 << 26;

/**
 * Reads scores of a graph's pages from a file, in one of these forms. A name that ends in `.f64` means the first; a
 * Parquet file, or a folder of them, is a table; the others are texts, plain or gzipped, and the first line that is
 * neither empty nor a comment (`#`) decides.
 *
 *   float64 values           8 bytes per page, little-endian, by page id
 *   a Parquet table          columns of page ids or URLs, and of scores (score-table.ts)
 *   a number a line          by page id
 *   page ids and scores      `page TAB score`, optionally more columns, in any order
 *   URLs and scores          `URL TAB score`, in any order, with or without a scheme
 *   URLs and precedences     `URL blank integer`, in any order: the format of Heritrix's PrecedenceLoader
 *                            (`rank.txt` in its own test). 1 is the best; a precedence p becomes the score 1 / p.
 *
 * A score is a number from 0 to 3.4e38, because a crawl's queue stores it as a float32. Lists of URLs come from other
 * tools and may leave pages out, which then score 0; all other forms need a score for each page.
 *
 * Errors   InputError with file and line, or page: an unknown form, a line of another form, a malformed or out-of-range
 *        number, an unknown page or URL, a page that appears twice, pages without a score, or only scores of 0.
 * Cost     O(bytes + n); memory: 8 bytes per page, and 0.1 more if pages are named by id, or 16 if by URL.
 */
export async function readScores(path: string, graph: GraphPages): Promise<Scores> {
  const read = await readForm(path, graph);
  if (read.scores.every((score) => score === 0))
    throw new InputError(`${path}: all scores are 0, which orders nothing`);
  return read;
}

async function readForm(path: string, graph: GraphPages): Promise<Scores> {
  if (path.endsWith('.f64')) return readFloat64(path, graph);
  const parts = await partsOfTable(path);
  if (parts === undefined) return new ScoreLines(path, graph).read();
  return (await import('./score-table.ts')).readScoreTables(path, parts, graph);
}

/** SHA-256, in hex, of scores as float64, little-endian: that of the `.f64` file which contains them. */
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

/** A text of scores, line by line. */
class ScoreLines {
  readonly #path: string;
  readonly #graph: GraphPages;
  readonly #read: PageScores;
  #line = 0;
  #form: Exclude<ScoresForm, 'float64 values'> | undefined;

  constructor(path: string, graph: GraphPages) {
    this.#path = path;
    this.#graph = graph;
    this.#read = new PageScores(graph);
  }

  async read(): Promise<Scores> {
    await eachLine(bytesOf(this.#path), this.#path, (line, number) => {
      this.#line = number;
      if (line.length > 0 && line[0] !== 35) this.#take(line);
    });
    const form = this.#form;
    if (form === undefined) throw new InputError(`${this.#path}: contains no scores; expected ${forms}`);
    return { scores: this.#read.scores, form, pagesLeftOut: this.#read.pagesLeftOut(this.#path, this.#hint) };
  }

  #take(line: Uint8Array): void {
    if (!isUtf8(line)) throw this.#fault(`is not UTF-8: ${quoted(line)}`);
    const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString();
    this.#form ??= formOf(text);
    const [page, score] = this.#entryOf(text);
    const fault = this.#read.add(page, score);
    if (fault !== undefined) throw this.#fault(`${quoted(text)}: ${fault}`);
  }

  #entryOf(text: string): [page: number, score: number] {
    const { pages, name } = this.#graph;
    const tab = text.indexOf('\t');
    switch (this.#form) {
      case undefined:
        throw this.#fault(`${quoted(text)}: expected ${forms}`);
      case 'a number a line': {
        if (this.#read.count === pages)
          throw this.#fault(`is the first with more numbers than the ${pages} pages of ${name}`);
        return [this.#read.count, this.#scoreIn(text, text)];
      }
      case 'page ids and scores': {
        const [id, score] = text.split('\t', 2);
        if (!/^\d{1,10}$/.test(id) || tab < 0)
          throw this.#fault(`${quoted(text)}: expected a page id, a tab and a score, as in the lines before`);
        if (Number(id) >= pages)
          throw this.#fault(`page id ${id} is not one of the ${pages} pages of ${name}${this.#hint}`);
        return [Number(id), this.#scoreIn(score, text)];
      }
      case 'URLs and scores': {
        if (tab < 1) throw this.#fault(`${quoted(text)}: expected a URL, a tab and a score, as in the lines before`);
        return [this.#pageOf(text.slice(0, tab)), this.#scoreIn(text.slice(tab + 1), text)];
      }
      case 'URLs and precedences': {
        const blank = text.lastIndexOf(' ');
        const url = text.slice(0, Math.max(0, blank)).trimEnd();
        const precedence = text.slice(blank + 1);
        if (url === '' || !/^\d{1,10}$/.test(precedence) || Number(precedence) === 0) {
          throw this.#fault(
            `${quoted(text)}: a URL and a blank must be followed by a precedence, an integer from 1; a score needs a tab before it`,
          );
        }
        return [this.#pageOf(url), 1 / Number(precedence)];
      }
    }
  }

  #pageOf(url: string): number {
    const page = this.#read.pageOf(url, 'a number per line, or page ids and scores');
    if (typeof page === 'string') throw this.#fault(page);
    return page;
  }

  /** Source ids are not accepted in their place: every page needs a score. */
  get #hint(): string {
    return this.#graph.sourceIds ? ', whose ids count from 0 and are not those of the source' : '';
  }

  #scoreIn(digits: string, text: string): number {
    const score = isNumber(digits) ? Number(digits) : NaN;
    const fault = scoreFault(score);
    if (fault !== undefined) throw this.#fault(`${quoted(text)}: the score ${quoted(digits)} is ${fault}`);
    return score;
  }

  #fault(what: string): InputError {
    return new InputError(`${this.#path}: line ${this.#line}: ${what}`);
  }
}

const forms =
  "a number, `page TAB score`, `URL TAB score`, or a URL, a blank and Heritrix's precedence; float64 values need a file name that ends in .f64";

function formOf(text: string): Exclude<ScoresForm, 'float64 values'> | undefined {
  if (text.includes('\t')) return /^\d+\t/.test(text) ? 'page ids and scores' : 'URLs and scores';
  if (isNumber(text)) return 'a number a line';
  return / \S/.test(text) ? 'URLs and precedences' : undefined;
}
