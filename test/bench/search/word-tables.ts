import Database from 'libsql';
import {
  indexFields, type AnchorPostings, type Corpus, type Postings, type WordFrequency,
} from '../../../src/search/index.ts';
import { documentWords } from '../../search/document-words.ts';
import type { PageText } from '../../../src/base/web/index.ts';

const noAnchors: AnchorPostings = {
  documents: new Uint32Array(), starts: new Uint32Array(1), sources: new Uint32Array(), counts: new Uint32Array(),
};

/**
 * An inverted index as Compass's report describes it (section 4.2): a row for each word of each document, with its
 * positions, found by its word; in one table, or in 3,000: (|hash(word)| mod 30) * 100 + content hash mod 100. SQLite
 * stands in for MongoDB, so that only the division into tables differs.
 */
export class WordTables implements Corpus {
  readonly documents: number;
  readonly lengths: readonly Uint32Array[];
  readonly meanLengths: Float64Array;
  /** Set to those of another index of the documents, so that scores are equal to the bit. */
  pageranks: Float64Array;
  readonly #database: Database.Database;
  readonly #selects = new Map<string, Database.Statement>();
  readonly #frequencies: ReadonlyMap<string, number>;
  readonly #isDivided: boolean;

  /** @param path - of a file that does not exist yet. */
  static build(path: string, texts: Iterable<PageText>, isDivided: boolean): WordTables {
    const database = new Database(path);
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
    const tables = isDivided ? Array.from({ length: 3000 }, (_, shard) => tableOf(shard)) : [tableOf(undefined)];
    database.exec('BEGIN');
    for (const table of tables) database.exec(`CREATE TABLE ${table} (word TEXT, document INTEGER, places BLOB)`);
    const inserts = new Map(
      tables.map((table) => [table, database.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`)]),
    );
    const lengths: Uint32Array[] = [];
    const frequencies = new Map<string, number>();
    for (const text of texts) {
      const { words, starts, places, digest, lengths: ofDocument } = documentWords(text);
      for (const [i, word] of words.entries()) {
        const own = places.slice(starts[i], starts[i + 1]);
        const table = tableOf(isDivided ? shardOf(word, digest) : undefined);
        frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
        inserts.get(table)!.run(word, lengths.length, Buffer.from(own.buffer));
      }
      lengths.push(ofDocument);
    }
    for (const table of tables) database.exec(`CREATE INDEX ${table}_words ON ${table} (word)`);
    database.exec('COMMIT');
    return new WordTables(database, lengths, frequencies, isDivided);
  }

  private constructor(
    database: Database.Database, lengths: readonly Uint32Array[], frequencies: ReadonlyMap<string, number>,
    isDivided: boolean,
  ) {
    this.#database = database;
    this.#frequencies = frequencies;
    this.#isDivided = isDivided;
    this.documents = lengths.length;
    this.lengths = indexFields.map((_, field) => Uint32Array.from(lengths, (ofDocument) => ofDocument[field] ?? 0));
    const sums = this.lengths.map((ofField) => ofField.reduce((a, b) => a + b, 0));
    this.meanLengths = Float64Array.from(sums, (sum) => sum / lengths.length);
    this.pageranks = new Float64Array(lengths.length).fill(1);
  }

  frequency(word: string): WordFrequency {
    const count = this.#frequencies.get(word) ?? 0;
    return { text: count, textOrAnchor: count };
  }

  postings(word: string): Postings {
    // `all` returns blobs as array buffers.
    const rows: { document: number; places: ArrayBuffer }[] = [];
    const first = hashOf(word) * 100;
    const tables = this.#isDivided ? Array.from({ length: 100 }, (_, i) => tableOf(first + i)) : [tableOf(undefined)];
    // One by one: they may be too many for the arguments of a call.
    for (const table of tables) for (const row of this.#select(table).all(word) as typeof rows) rows.push(row);
    rows.sort((a, b) => a.document - b.document);
    const starts = new Uint32Array(rows.length + 1);
    for (const [i, { places }] of rows.entries()) starts[i + 1] = starts[i] + places.byteLength / 4;
    const places = new Uint32Array(starts[rows.length]);
    for (const [i, row] of rows.entries()) places.set(new Uint32Array(row.places), starts[i]);
    return { documents: Uint32Array.from(rows, ({ document }) => document), starts, places };
  }

  anchors(): AnchorPostings {
    return noAnchors;
  }

  close(): void {
    this.#database.close();
  }

  #select(table: string): Database.Statement {
    let select = this.#selects.get(table);
    if (select === undefined) {
      select = this.#database.prepare(`SELECT document, places FROM ${table} WHERE word = ?`);
      this.#selects.set(table, select);
    }
    return select;
  }
}

function tableOf(shard: number | undefined): string {
  return shard === undefined ? 'words' : `words_${shard}`;
}

function shardOf(word: string, digest: Uint8Array): number {
  return hashOf(word) * 100 + (((digest[0] << 8) | digest[1]) % 100);
}

/** |Java's hashCode| mod 30. */
function hashOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
  return Math.abs(hash) % 30;
}
