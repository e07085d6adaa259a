import { damaged, type Database } from './database.ts';
import type { PendingPostings } from './pending-postings.ts';
import { PostingsCode } from './postings-code.ts';

/** Words that are read at once, and after which progress is reported. */
const BATCH = 256;
/** Words that a spelling may be corrected to: the most frequent ones. */
const VOCABULARY = 1 << 16;

/** A row of `postings`. */
type PostingsRow = [
  word: string, segment: number, chunk: number, documents: number, places: number, last: number, code: Buffer,
];

/**
 * Merges postings in the database with those that are pending, to one row per word and segment.
 *
 * @param onProgress - called now and then, with rows done and in all.
 * @returns all words of texts.
 */
export function mergePostings(
  path: string, database: Database, pending: PendingPostings, onProgress: (rows: number, total: number) => void,
): Vocabulary {
  const [rows] = database.prepare('SELECT count(*) FROM postings').raw().get() as [number];
  const [drop, insert] = [
    database.prepare('DELETE FROM postings WHERE word = ?'),
    database.prepare('INSERT INTO postings VALUES (?, ?, 0, ?, ?, ?, ?)'),
  ];
  const vocabulary = new Vocabulary();
  const total = rows + pending.words;
  let progress = 0;
  const store = (word: string, ofSegments: readonly PostingsCode[]): void => {
    ofSegments.forEach(({ documents, places, last, code }, segment) => {
      insert.run(word, segment, documents, places, last, code.sealed());
    });
    vocabulary.add(word, ofSegments.reduce((sum, { documents }) => sum + documents, 0));
  };
  for (const stored of rowsOfWords(database)) {
    const [word] = stored[0];
    const added = pending.taken(word);
    if (added.length === 0 && stored.every(([, , chunk]) => chunk === 0)) {
      vocabulary.add(word, stored.reduce((sum, [, , , documents]) => sum + documents, 0));
    } else {
      drop.run(word);
      store(word, merged(path, stored, added));
    }
    if ((progress += stored.length) % BATCH < stored.length) onProgress(progress, total);
  }
  // These words are new.
  for (const [word, ofSegments] of pending.inOrder()) {
    store(word, ofSegments);
    if (++progress % BATCH === 0) onProgress(progress, total);
  }
  onProgress(total, total);
  return vocabulary;
}

/** The rows of each word, by segment and chunk. */
function* rowsOfWords(database: Database): Generator<readonly PostingsRow[]> {
  const select = database.prepare(`
    SELECT word, segment, chunk, documents, places, last, code FROM postings
    WHERE (word, segment, chunk) > (?, ?, ?) ORDER BY word, segment, chunk LIMIT ${BATCH}
  `).raw();
  let ofWord: PostingsRow[] = [];
  for (let [word, segment, chunk] = ['', -1, -1]; ;) {
    // Some at a time: a statement that stays open would see its own changes.
    const rows = select.all(word, segment, chunk) as PostingsRow[];
    for (const row of rows) {
      if (ofWord.length > 0 && ofWord[0][0] !== row[0]) {
        yield ofWord;
        ofWord = [];
      }
      ofWord.push(row);
    }
    if (rows.length < BATCH) break;
    [word, segment, chunk] = rows[rows.length - 1];
  }
  if (ofWord.length > 0) yield ofWord;
}

/** The postings of a word by segment. @param added after those that are stored. */
function merged(path: string, stored: readonly PostingsRow[], added: readonly PostingsCode[]): PostingsCode[] {
  const all: PostingsCode[] = [];
  for (const [, segment, , documents, places, last, code] of stored) {
    if (!Number.isSafeInteger(segment)) throw damaged(path);
    if (!(all[segment] ??= new PostingsCode()).append({ documents, places, last, code })) throw damaged(path);
  }
  added.forEach((code, segment) => { (all[segment] ??= new PostingsCode()).appendAll(code); });
  return all;
}

/** Words of texts: the most frequent of them, as spellings are corrected to them. */
class Vocabulary {
  /** All words so far. */
  distinctWords = 0;
  #words: [word: string, documents: number][] = [];

  /** @param documents that have the word, which was not added before. */
  add(word: string, documents: number): void {
    this.distinctWords++;
    // A word in a single document is misspelt as often as not.
    if (documents > 1) this.#words.push([word, documents]);
    if (this.#words.length === 4 * VOCABULARY) this.#prune();
  }

  /** A line per word: its number of documents, and the word. */
  bytes(): Buffer {
    this.#prune();
    return Buffer.from(this.#words.map(([word, documents]) => `${documents} ${word}`).join('\n'));
  }

  #prune(): void {
    this.#words.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    this.#words.length = Math.min(this.#words.length, VOCABULARY);
  }
}
