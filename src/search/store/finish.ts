import { crc32 } from 'node:zlib';
import { LargeMap, remembering } from '../../base/index.ts';
import { textFields } from '../../base/web/index.ts';
import { ANCHOR_FIELD, indexFields } from '../corpus.ts';
import { documentRanks } from '../document-ranks.ts';
import { MAX_WORD_CHARS, wordsOf } from '../words/index.ts';
import { damaged, type Database } from './database.ts';
import { LinkWords, shareOf } from './link-words.ts';
import { mergePostings } from './merge-postings.ts';
import { Numbers } from './numbers.ts';
import type { PendingPostings } from './pending-postings.ts';
import { encodedAnchors } from './postings-code.ts';
import { decodeAnchors } from './rows.ts';

export interface FinishProgress {
  readonly step: 'words' | 'links' | 'ranks';
  /** Rows done of the step, and in all; words are counted by their number in the last finish. */
  readonly done: number;
  readonly total: number;
}

type Report = (progress: FinishProgress) => void;

/** Rows that are read at once. */
const BATCH = 256;
/** Texts of links whose words are remembered: sites repeat them on every page. */
const MAX_KNOWN_TEXTS = 1 << 18;
/** Shares of the vocabulary at most; each is a pass over the links. */
const MAX_SHARES = 64;

/**
 * Merges postings to one row per word and segment, and computes links, lengths and PageRank, all within the transaction
 * that is open. The result depends on the pages and their order alone, not on commits or earlier calls.
 *
 * @returns the number of distinct words in the texts of documents.
 */
export function finishIndex(
  path: string, database: Database, pending: PendingPostings, stopWords: ReadonlySet<string>, onProgress: Report,
  maxLinks: number,
): number {
  const count = (table: string): number =>
    (database.prepare(`SELECT count(*) FROM ${table}`).raw().get() as [number])[0];
  const [pages, documents] = [count('pages'), count('documents')];
  const vocabulary = mergePostings(path, database, pending, (rows, total) => {
    onProgress({ step: 'words', done: rows, total });
  });
  const links = new Links(path, database, pages, documents, stopWords);
  links.store(onProgress, maxLinks);
  onProgress({ step: 'ranks', done: 0, total: 1 });
  const pageranks = documentRanks(documents, links.sources.array(), links.targets.array());
  onProgress({ step: 'ranks', done: 1, total: 1 });
  const insert = database.prepare('REPLACE INTO arrays VALUES (?, ?, ?)');
  for (const [name, array] of Object.entries({ ...links.arrays(), pageranks, vocabulary: vocabulary.bytes() })) {
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    insert.run(name, crc32(bytes), bytes);
  }
  const fact = database.prepare('REPLACE INTO facts VALUES (?, ?)');
  const [state] = (database.prepare("SELECT value FROM facts WHERE name = 'state'").raw().get() ?? [0]) as [number];
  for (const [name, value] of Object.entries({ pages, documents, state: state + 1 })) fact.run(name, value);
  return vocabulary.distinctWords;
}

/** The links of an index, in one pass over its pages, or in several if they have too many words. */
class Links {
  /** Documents that links go from and lead to, each pair once a page. */
  sources = new Numbers();
  targets = new Numbers();
  readonly #path: string;
  readonly #database: Database;
  readonly #stopWords: ReadonlySet<string>;
  readonly #pages: number;
  readonly #documents: number;
  readonly #pageOf = new LargeMap<string, number>();
  readonly #documentOfPage: Uint32Array;
  readonly #hostOfPage: Uint32Array;
  readonly #hosts = new Map<string, number>();
  #lengths = new Uint32Array();

  constructor(
    path: string, database: Database, pages: number, documents: number, stopWords: ReadonlySet<string>,
  ) {
    this.#path = path;
    this.#database = database;
    this.#stopWords = stopWords;
    this.#pages = pages;
    this.#documents = documents;
    this.#documentOfPage = new Uint32Array(pages);
    this.#hostOfPage = new Uint32Array(pages);
    for (const [id, url, document] of batches<[number, string, number]>(database, 'pages', 'id, url, document')) {
      const host = new URL(url).hostname;
      if (!this.#hosts.has(host)) this.#hosts.set(host, this.#hosts.size);
      this.#pageOf.set(url, id);
      this.#documentOfPage[id] = document;
      this.#hostOfPage[id] = this.#hosts.get(host)!;
    }
  }

  /** Stores the words of links to documents. */
  store(onProgress: Report, maxLinks: number): void {
    this.#database.exec('DELETE FROM anchors');
    for (let shares = 1, share = 0; share < shares; share++) {
      // A share so small that is still too large is of a few words with many links: it cannot be made smaller.
      const empty = new LinkWords(shares < MAX_SHARES ? maxLinks : Infinity);
      const words = this.#collected(share, shares, empty, onProgress);
      if (words !== undefined) this.#storeWords(words);
      // Shares before this one are stored already, so they stay as they are.
      else [shares, share] = [2 * shares, 2 * share - 1];
    }
  }

  /** The arrays that readers load as a whole. */
  arrays(): Record<string, Uint32Array | Uint8Array> {
    const firstPage = new Uint32Array(this.#documents);
    const lengths = textFields.map(() => new Uint32Array(this.#documents));
    const rows = batches<[number, number, Buffer]>(this.#database, 'documents', 'id, page, lengths');
    for (const [id, page, row] of rows) {
      if (!Buffer.isBuffer(row) || row.length !== 4 * lengths.length) throw damaged(this.#path);
      firstPage[id] = page;
      for (const [field, ofField] of lengths.entries()) ofField[id] = row.readUInt32LE(4 * field);
    }
    lengths[ANCHOR_FIELD] = this.#lengths;
    return {
      firstPage, documentOfPage: this.#documentOfPage, hostOfPage: this.#hostOfPage,
      hosts: Buffer.from([...this.#hosts.keys()].join('\n')),
      ...Object.fromEntries(lengths.map((ofField, field) => [indexFields[field], ofField])),
    };
  }

  /** Adds the words of a share to `result`; undefined if they are too many. */
  #collected(share: number, shares: number, result: LinkWords, onProgress: Report): LinkWords | undefined {
    // Numbers are looked up once per text, not once per link.
    const wordsIn = remembering(MAX_KNOWN_TEXTS, (text) => {
      const words = wordsOf(text);
      const isIndexed = (word: string): boolean =>
        word.length <= MAX_WORD_CHARS && !this.#stopWords.has(word) && shareOf(word, shares) === share;
      return { count: words.length, numbers: words.filter(isIndexed).map((word) => result.numberOf(word)) };
    });
    [this.sources, this.targets] = [new Numbers(), new Numbers()];
    this.#lengths = new Uint32Array(this.#documents);
    for (const [page, row] of batches<[number, Buffer]>(this.#database, 'pages', 'id, anchors')) {
      if (page % BATCH === 0)
        onProgress({ step: 'links', done: share * this.#pages + page, total: shares * this.#pages });
      const source = this.#documentOfPage[page];
      const linked = new Set<number>();
      for (const { url, text } of decodeAnchors(row) ?? this.#damaged()) {
        const target = this.#pageOf.get(url);
        const document = target === undefined ? source : this.#documentOfPage[target];
        if (document === source) continue;
        linked.add(document);
        const { count, numbers } = wordsIn(text);
        this.#lengths[document] += count;
        for (const word of numbers) if (!result.add(word, document, page)) return undefined;
      }
      for (const document of linked) {
        this.sources.push(source);
        this.targets.push(document);
      }
    }
    return result;
  }

  #storeWords(words: LinkWords): void {
    const insert = this.#database.prepare('INSERT INTO anchors VALUES (?, ?, ?, ?)');
    for (const [word, postings] of words.postings(this.#pages)) {
      const { documents, links, code } = encodedAnchors(postings);
      insert.run(word, documents, links, code);
    }
  }

  #damaged(): never {
    throw damaged(this.#path);
  }
}

/** All rows of a table in the order of ids, some at a time: a statement that stays open would see its own changes. */
function* batches<Row extends [number, ...unknown[]]>(
  database: Database, table: string, columns: string,
): Generator<Row> {
  const select = database.prepare(`SELECT ${columns} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${BATCH}`).raw();
  for (let last = -1; ;) {
    const rows = select.all(last) as Row[];
    yield* rows;
    if (rows.length < BATCH) return;
    last = rows[rows.length - 1][0];
  }
}
