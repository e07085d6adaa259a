import { assert, InputError } from '../../base/index.ts';
import { runLines } from '../../base/web/index.ts';
import type { IndexedPage } from '../corpus.ts';
import { digestOf, englishStopWords } from '../words/index.ts';
import { BatchWords } from './batch-words.ts';
import { closed, damaged, indexError, openToWrite, type Database, type Statement } from './database.ts';
import { finishIndex, type FinishProgress } from './finish.ts';
import { PendingPostings, type TextDocument } from './pending-postings.ts';
import { preparedPages, type PreparedPage, type PreparedPages, type ReadPage } from './prepared-pages.ts';
import { decodeText } from './rows.ts';

/** Options of a whole index, chosen when it is made. */
export interface IndexOptions {
  /** Parts of the documents, by digest; their number changes no result. 1 by default. */
  readonly segments?: number | undefined;
  /** Words that are not indexed; `none` by default. */
  readonly stopWords?: StopWords | undefined;
}

export type StopWords = 'none' | 'english';

const MAX_SEGMENTS = 1024;
const stopLists: Record<StopWords, ReadonlySet<string>> = { none: new Set(), english: englishStopWords };

/**
 * Adds pages to an index, or to a new one. `commit` stores them, and readers find them after `finish`. A process that
 * is killed loses the pages since the last commit; they can be added again. Postings are stored when there are many,
 * since few merge slowly; when an index is opened, the postings that were not stored are made again from the texts.
 *
 * Errors   all methods throw InputError for a damaged index, and WorldError if the disk is full or fails: the index is
 *          then as it was at the last commit, and the writer is of no further use.
 */
export class IndexWriter {
  readonly segments: number;
  readonly stopWords: ReadonlySet<string>;
  readonly #path: string;
  readonly #database: Database;
  readonly #statements: Record<'page' | 'document' | 'hasPage' | 'digest' | 'postings' | 'posted', Statement>;
  #pending = new PendingPostings();
  #pages: number;
  #documents: number;
  #chunk: number;

  /**
   * @throws InputError for a path that is no index of this version, an index that another process writes, and options
   * other than those it was made with; WorldError if the disk is full or fails.
   */
  static async open(path: string, options: IndexOptions = {}): Promise<IndexWriter> {
    checkOptions(options);
    const database = await openToWrite(path);
    try {
      return new IndexWriter(path, database, options);
    } catch (error) {
      closed(database);
      throw indexError(path, error);
    }
  }

  private constructor(path: string, database: Database, options: IndexOptions) {
    this.#path = path;
    this.#database = database;
    const count = (sql: string): number => (database.prepare(sql).raw().get() as [number])[0];
    this.#pages = count('SELECT count(*) FROM pages');
    this.#documents = count('SELECT count(*) FROM documents');
    this.#chunk = 1 + count('SELECT ifnull(max(chunk), 0) FROM postings');
    const facts = settledOptions(path, database, options);
    this.segments = facts.segments;
    this.stopWords = stopLists[facts.stopWords];
    this.#statements = {
      page: database.prepare('INSERT INTO pages VALUES (?, ?, ?, ?)'),
      document: database.prepare('INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)'),
      hasPage: database.prepare('SELECT 1 FROM pages WHERE url = ?'),
      digest: database.prepare('SELECT id FROM documents WHERE digest = ?').raw(),
      postings: database.prepare('INSERT INTO postings VALUES (?, ?, ?, ?, ?, ?, ?)'),
      posted: database.prepare("REPLACE INTO facts VALUES ('posted', ?)"),
    };
    this.#postAgain();
  }

  /** Pages added so far, in all. */
  get pages(): number {
    return this.#pages;
  }

  /** Documents of these pages. */
  get documents(): number {
    return this.#documents;
  }

  /** Whether it takes pages: neither closed nor failed. */
  get isOpen(): boolean {
    return this.#database.open;
  }

  /** Whether a page with this URL was added. */
  hasPage(url: string): boolean {
    return this.#guarded(() => this.#statements.hasPage.get(url) !== undefined);
  }

  /**
   * Adds a page, unless its URL was added before.
   *
   * @param page - canonical URL and text.
   * @returns whether it was added.
   */
  add(page: IndexedPage): boolean {
    return this.addPrepared(preparedPages([asRead(page)], this.stopWords)) === 1;
  }

  /**
   * Adds pages that were prepared with the stop words of the index.
   *
   * @returns how many were added.
   */
  addPrepared({ pages, postings }: PreparedPages): number {
    const earlierPages = this.#pages;
    this.#guarded(() => {
      const documents = pages.map((page) => {
        return page === undefined || this.hasPage(page.url) ? undefined : this.#addPage(page);
      });
      if (documents.some((document) => document !== undefined)) this.#pending.add(postings, documents);
    });
    return this.#pages - earlierPages;
  }

  /**
   * Stores what was added. Cost   milliseconds; where postings are stored too, 20 microseconds per distinct word.
   *
   * @param postingsBytes - memory of postings from which on they are stored too.
   */
  commit(postingsBytes = POSTINGS_BYTES): void {
    this.#guarded(() => {
      if (this.#pending.bytes >= postingsBytes) this.#storePostings();
      this.#database.exec('COMMIT');
      this.#database.exec('BEGIN IMMEDIATE');
    });
  }

  /**
   * Commits, then computes what needs all pages, and shows the result to readers: links to documents, PageRank, one row
   * per word. All in one transaction: readers see the index before or after it. Memory: the URLs of all pages,
   * 8 bytes per pair of linked documents, and at most 700 MB of words of links.
   *
   * @param onProgress - called now and then.
   * @param maxLinks - words of links that are in memory at once; with more of them, links are read several times.
   * @returns the number of distinct words in the texts of all documents.
   */
  finish(onProgress: (progress: FinishProgress) => void = () => undefined, maxLinks = 1 << 25): number {
    this.commit();
    return this.#guarded(() => {
      const words = finishIndex(this.#path, this.#database, this.#pending, this.stopWords, onProgress, maxLinks);
      this.#endPending();
      this.#database.exec('COMMIT');
      // Else the log beside the index stays as large as all that was merged.
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
      this.#database.exec('BEGIN IMMEDIATE');
      this.#chunk = 1;
      return words;
    });
  }

  /** Ends; what was not committed is lost. */
  close(): void {
    closed(this.#database);
  }

  /** @returns its document, if it is a new one. */
  #addPage({ url, anchors, digest, lengths, text }: PreparedPage): TextDocument | undefined {
    const id = this.#pages++;
    // Passed in an array: the driver takes an object for named parameters.
    const twin = this.#statements.digest.get([bytesOf(digest)]) as [number] | undefined;
    const document = twin === undefined ? this.#documents++ : twin[0];
    this.#statements.page.run(id, url, document, bytesOf(anchors));
    if (twin !== undefined) return undefined;
    const [beginning, rest] = text.map((part) => part && bytesOf(part));
    this.#statements.document.run(document, bytesOf(digest), id, bytesOf(lengths), beginning, rest);
    return this.#textDocument(document, digest);
  }

  #textDocument(document: number, digest: Uint8Array): TextDocument {
    return { document, segment: bytesOf(digest).readUInt32LE() % this.segments };
  }

  #storePostings(): void {
    for (const [word, ofSegments] of this.#pending.inOrder()) {
      ofSegments.forEach(({ documents, places, last, code }, segment) => {
        this.#statements.postings.run(word, segment, this.#chunk, documents, places, last, code.sealed());
      });
    }
    this.#chunk++;
    this.#endPending();
  }

  #endPending(): void {
    this.#statements.posted.run(this.#documents);
    this.#pending = new PendingPostings();
  }

  /** Makes the postings that no commit stored. */
  #postAgain(): void {
    const posted = this.#database.prepare("SELECT value FROM facts WHERE name = 'posted'").raw().get() ?? [0];
    const select = this.#database.prepare('SELECT digest, text, rest FROM documents WHERE id = ?').raw();
    for (let [document] = posted as [number]; document < this.#documents; document++) {
      const [digest, ...rows] = select.get(document) as [Buffer, Buffer, Buffer | null] | undefined ?? this.#damaged();
      const { runs } = decodeText(...rows.filter((row) => row !== null)) ?? this.#damaged();
      if (!Buffer.isBuffer(digest) || !digest.equals(digestOf(runLines(runs)))) this.#damaged();
      const words = new BatchWords(this.stopWords);
      words.add(0, runs);
      this.#pending.add(words.postings(), [this.#textDocument(document, digest)]);
    }
  }

  #damaged(): never {
    throw damaged(this.#path);
  }

  #guarded<T>(work: () => T): T {
    assert(this.#database.open, 'the writer was closed');
    try {
      return work();
    } catch (error) {
      this.close();
      throw indexError(this.#path, error);
    }
  }
}

/** Line feeds separate texts where they are stored. */
function asRead({ url, text: { runs, anchors, ...text } }: IndexedPage): ReadPage {
  const onOneLine = <T extends { readonly text: string }>(piece: T): T => (
    { ...piece, text: piece.text.replaceAll('\n', ' ') }
  );
  return { url, text: { ...text, lines: runLines(runs.map(onOneLine)), anchors: anchors.map(onOneLine) } };
}

/** Bytes of postings that are stored together: more merge faster, and take longer to make again after a kill. */
const POSTINGS_BYTES = 1 << 27;

function checkOptions({ segments }: IndexOptions): void {
  if (segments !== undefined && !(Number.isInteger(segments) && segments >= 1 && segments <= MAX_SEGMENTS))
    throw new InputError(`segments: ${segments}; expected an integer from 1 to ${MAX_SEGMENTS}`, { field: 'segments' });
}

/** The options of the index, from when it was made; `options` must agree with them. */
function settledOptions(
  path: string, database: Database, options: IndexOptions,
): { segments: number; stopWords: StopWords } {
  const settled = { segments: options.segments ?? 1, stopWords: options.stopWords ?? 'none' };
  const stored = database.prepare("SELECT name, value FROM facts WHERE name IN ('segments', 'stopWords')").raw().all();
  const facts = Object.fromEntries(stored as [string, string | number][]) as Partial<Record<string, string | number>>;
  for (const name of ['segments', 'stopWords'] as const) {
    const [earlier, now] = [facts[name], options[name]];
    if (earlier === undefined) {
      database.prepare('INSERT INTO facts VALUES (?, ?)').run(name, settled[name]);
    } else {
      if (now !== undefined && now !== earlier)
        throw new InputError(`${path}: was made with ${name} ${earlier}, not ${now}`, { field: name });
      Object.assign(settled, { [name]: earlier });
    }
  }
  return settled;
}

/** As the driver takes them. */
function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
