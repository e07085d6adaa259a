import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { assert, InputError, remembering } from '../../base/index.ts';
import {
  frequencyOf, indexFields, type AnchorPostings, type IndexedLink, type Postings, type SearchIndex, type WordFrequency,
} from '../corpus.ts';
import { meansOf } from '../document-ranks.ts';
import { englishStopWords } from '../words/index.ts';
import { closed, damaged, indexError, openToRead, type Database, type Statement } from './database.ts';
import { grouped, type Grouped } from './numbers.ts';
import { decodedAnchors, decodedPostings, mergedPostings } from './postings-code.ts';
import { decodeAnchors, decodeText, type DocumentText } from './rows.ts';

const MAX_REMEMBERED_LINKS = 1 << 15;
const NO_POSTINGS: Postings = { documents: new Uint32Array(), starts: new Uint32Array(1), places: new Uint32Array() };
const NO_ANCHORS: AnchorPostings = {
  documents: new Uint32Array(), starts: new Uint32Array(1), sources: new Uint32Array(), counts: new Uint32Array(),
};

export interface ReaderOptions {
  /** Memory for postings that were read lately; 64 MB by default. */
  readonly cacheBytes?: number | undefined;
}

/**
 * Opens a finished index.
 *
 * @throws InputError if it is no index of this version, or was not finished.
 */
export async function openIndex(path: string, options: ReaderOptions = {}): Promise<IndexReader> {
  const database = await openToRead(path);
  try {
    return new IndexReader(path, database, options.cacheBytes ?? 1 << 26);
  } catch (error) {
    closed(database);
    throw indexError(path, error);
  }
}

/**
 * An index as its last finish left it. It stays so while pages are added and finished, until `refresh`; as long, the
 * log beside the index grows.
 *
 * Errors   all methods throw InputError for a damaged index, WorldError if the disk fails.
 * Memory   52 bytes per document and 8 per page, besides the cache.
 */
export class IndexReader implements SearchIndex {
  readonly path: string;
  // Set by #load, which the constructor calls.
  documents = 0;
  pages = 0;
  /** Another number after each finish. */
  state = 0;
  lengths: readonly Uint32Array[] = [];
  meanLengths: Float64Array = new Float64Array();
  pageranks: Float64Array = new Float64Array();
  documentOfPage: Uint32Array = new Uint32Array();
  firstPage: Uint32Array = new Uint32Array();
  /** Names of hosts, and the host of each page. */
  hosts: readonly string[] = [];
  hostOfPage: Uint32Array = new Uint32Array();
  /** Words that are not indexed. */
  stopWords: ReadonlySet<string> = new Set();
  readonly #database: Database;
  readonly #select: Record<
    'postings' | 'anchors' | 'url' | 'page' | 'links' | 'text' | 'beginning' | 'array', Statement
  >;
  readonly #cache: Cache<Postings>;
  readonly #anchorCache: Cache<AnchorPostings>;
  /** The page of a URL that links lead to. */
  #pageOf!: (url: string) => number | undefined;
  #vocabulary: ReadonlyMap<string, number> | undefined;
  /** Pages by document. */
  #pagesOf: Grouped | undefined;

  /** @internal */
  constructor(path: string, database: Database, cacheBytes: number) {
    this.path = path;
    this.#database = database;
    const raw = (sql: string): Statement => database.prepare(sql).raw();
    this.#select = {
      postings: raw('SELECT documents, places, last, code FROM postings WHERE word = ? AND chunk = 0'),
      anchors: raw('SELECT documents, links, code FROM anchors WHERE word = ?'),
      url: raw('SELECT url FROM pages WHERE id = ?'),
      page: raw('SELECT id FROM pages WHERE url = ?'),
      links: raw('SELECT anchors FROM pages WHERE id = ?'),
      text: raw('SELECT text, rest FROM documents WHERE id = ?'),
      beginning: raw('SELECT text FROM documents WHERE id = ?'),
      array: raw('SELECT crc, bytes FROM arrays WHERE name = ?'),
    };
    this.#cache = new Cache(cacheBytes / 2);
    this.#anchorCache = new Cache(cacheBytes / 2);
    this.#load();
  }

  /** Shows the last finish. @returns whether it is new. */
  refresh(): boolean {
    return this.#guarded(() => {
      const earlier = this.state;
      this.#database.exec('COMMIT');
      this.#database.exec('BEGIN');
      const [state] = this.#database.prepare("SELECT value FROM facts WHERE name = 'state'").raw().get() as [number];
      if (state !== earlier) this.#load();
      return state !== earlier;
    });
  }

  close(): void {
    closed(this.#database);
  }

  frequency(word: string): WordFrequency {
    return frequencyOf(this.postings(word), this.anchors(word));
  }

  postings(word: string): Postings {
    return this.#cache.get(word, () => this.#guarded(() => {
      const rows = this.#select.postings.all(word) as [number, number, number, Buffer][];
      if (rows.length === 0) return NO_POSTINGS;
      return mergedPostings(rows.map(([documents, places, last, code]) =>
        decodedPostings({ documents, places, last, code }) ?? this.#damaged(),
      ));
    }));
  }

  anchors(word: string): AnchorPostings {
    return this.#anchorCache.get(word, () => this.#guarded(() => {
      const row = this.#select.anchors.get(word) as [number, number, Buffer] | undefined;
      if (row === undefined) return NO_ANCHORS;
      const [documents, links, code] = row;
      return decodedAnchors({ documents, links, code }) ?? this.#damaged();
    }));
  }

  url(page: number): string {
    return this.#guarded(() => (this.#select.url.get(page) as [string] | undefined ?? this.#damaged())[0]);
  }

  page(url: string): number | undefined {
    const row = this.#guarded(() => this.#select.page.get(url) as [number] | undefined);
    // Pages that were added since the last finish are not there yet.
    return row === undefined || row[0] >= this.pages ? undefined : row[0];
  }

  title(document: number): string {
    const titleIn = ({ runs }: DocumentText): string | undefined => runs.find(({ field }) => field === 'title')?.text;
    return titleIn(this.beginning(document)) ?? titleIn(this.text(document)) ?? '';
  }

  /** The text of a document, and its language as declared. O(length of the text). */
  text(document: number): DocumentText {
    return this.#guarded(() => {
      const row = this.#select.text.get(document) as [Buffer, Buffer | null] | undefined ?? this.#damaged();
      return decodeText(...row.filter((part) => part !== null)) ?? this.#damaged();
    });
  }

  /** The beginning of a text, BEGINNING_CHARS at most, so that no document takes long. */
  beginning(document: number): DocumentText {
    return this.#guarded(() => {
      const row = this.#select.beginning.get(document) as [Buffer] | undefined ?? this.#damaged();
      return decodeText(...row) ?? this.#damaged();
    });
  }

  links(page: number): readonly IndexedLink[] {
    const row = this.#guarded(() => this.#select.links.get(page) as [Buffer] | undefined);
    const anchors = row && decodeAnchors(row[0]) || this.#damaged();
    return anchors.flatMap(({ url, text }) => {
      const target = this.#pageOf(url);
      const document = target === undefined ? undefined : this.documentOfPage[target];
      return document === undefined || document === this.documentOfPage[page] ? [] : [{ document, text }];
    });
  }

  /** All pages of a document, ascending. */
  pagesOf(document: number): Uint32Array {
    const { starts, places } = this.#pagesOf ??= grouped(this.documentOfPage, this.documents);
    return places.subarray(starts[document], starts[document + 1]);
  }

  /** The most frequent words, with their number of documents. */
  vocabulary(): ReadonlyMap<string, number> {
    this.#vocabulary ??= new Map(this.#lines('vocabulary').map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(space + 1), Number(line.slice(0, space))];
    }));
    return this.#vocabulary;
  }

  #load(): void {
    const rows = this.#database.prepare('SELECT name, value FROM facts').raw().all() as [string, number | string][];
    const facts = new Map(rows);
    if (!facts.has('state'))
      throw new InputError(`${this.path}: is not finished; to finish it, run the same command again: orbweaver index`);
    const [pages, documents, state] = ['pages', 'documents', 'state'].map((name) => Number(facts.get(name)));
    [this.pages, this.documents, this.state] = [pages, documents, state];
    this.stopWords = facts.get('stopWords') === 'english' ? englishStopWords : new Set();
    this.lengths = indexFields.map((field) => this.#uint32(field, documents));
    this.meanLengths = meansOf(this.lengths);
    this.pageranks = new Float64Array(this.#numbers('pageranks', 8 * documents));
    this.documentOfPage = this.#uint32('documentOfPage', pages);
    this.hostOfPage = this.#uint32('hostOfPage', pages);
    this.firstPage = this.#uint32('firstPage', documents);
    this.hosts = this.#lines('hosts');
    this.#pageOf = remembering(MAX_REMEMBERED_LINKS, (url) => this.page(url));
    this.#cache.clear();
    this.#anchorCache.clear();
    [this.#vocabulary, this.#pagesOf] = [undefined, undefined];
  }

  #uint32(name: string, length: number): Uint32Array {
    return new Uint32Array(this.#numbers(name, 4 * length));
  }

  #numbers(name: string, length: number): ArrayBuffer {
    assert(endianness() === 'LE', 'indexes are little-endian; this machine is not');
    const bytes = this.#bytes(name);
    if (bytes.length !== length) throw damaged(this.path);
    // A copy, which begins where a number can.
    return Uint8Array.from(bytes).buffer;
  }

  #bytes(name: string): Buffer {
    return this.#guarded(() => {
      const [crc, bytes] = this.#select.array.get(name) as [number, Buffer] | undefined ?? this.#damaged();
      return Buffer.isBuffer(bytes) && crc32(bytes) === crc ? bytes : this.#damaged();
    });
  }

  #lines(name: string): string[] {
    const bytes = this.#bytes(name);
    return bytes.length === 0 ? [] : bytes.toString().split('\n');
  }

  #guarded<T>(work: () => T): T {
    assert(this.#database.open, 'the index was closed');
    try {
      return work();
    } catch (error) {
      throw indexError(this.path, error);
    }
  }

  #damaged(): never {
    throw damaged(this.path);
  }
}

/** The values used last, by word, within a number of bytes. */
class Cache<T extends Postings | AnchorPostings> {
  readonly #maxBytes: number;
  readonly #values = new Map<string, T>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(word: string, load: () => T): T {
    let value = this.#values.get(word);
    if (value === undefined) this.#bytes += bytesOf(value = load());
    // To the end, which is dropped last.
    else this.#values.delete(word);
    this.#values.set(word, value);
    for (const [oldest, dropped] of this.#values) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#values.delete(oldest);
      this.#bytes -= bytesOf(dropped);
    }
    return value;
  }

  clear(): void {
    this.#values.clear();
    this.#bytes = 0;
  }
}

/** An entry of a map, and its arrays. */
function bytesOf(value: Postings | AnchorPostings): number {
  const arrays = Object.values(value) as Uint32Array[];
  return 300 + arrays.reduce((sum, array) => sum + array.byteLength, 0);
}
