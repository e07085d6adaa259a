import { DrawStream, remembering } from '../../../base/index.ts';

/** A page as its text is made. */
export interface WordedPage {
  /** Its number: draws for the page depend on the number and the seed alone. */
  readonly page: number;
  readonly host: string;
  readonly path: string;
  /** Paths of the pages that it leads to. */
  readonly pathsTo: readonly string[];
}

/** What paths are read as, at most. */
const MAX_REMEMBERED = 1 << 14;
const MAX_PHRASE_WORDS = 6;
/** The extension of a file says nothing of its subject. */
const EXTENSION = /\.(html?|php|aspx?|jsp|txt|md)$/i;

/** Sentences: `A` is the subject of the page, `B` and `C` are subjects of pages that it links to. */
const FORMS = [
  'This page is about A.', 'A is explained here.', 'Read B before A.', 'A depends on B and C.',
  'Those who know A will look for B.', 'More about B follows A.', 'A and B are often used together.',
  'There is an example of A with C.', 'Where A is not enough, B helps.', 'Notes on A, B and C.',
] as const;

/**
 * The words of served pages, made of their paths and of those that they lead to, so that a crawl of them can be indexed
 * and searched: a page is found by the words of its path, and so are those that link to it. The same seed gives the
 * same words.
 *
 * Cost     some microseconds per page, and one per path that was not read lately.
 * Memory   a fixed number of phrases.
 */
export class PageWords {
  readonly #draws: DrawStream;
  /** Phrases of a path: one for each segment with words, the last segment first. */
  readonly #phrases = remembering(MAX_REMEMBERED, phrasesOf);

  constructor(seed: number) {
    this.#draws = new DrawStream(seed, 'words of served pages');
  }

  /** `Asyncio task - library - docs.example`: what the page is about, and where it is. */
  title({ host, path }: Pick<WordedPage, 'host' | 'path'>): string {
    const phrases = this.#phrases(path);
    return [...phrases.map((phrase, i) => (i === 0 ? capitalised(phrase) : phrase)), host].join(' - ');
  }

  /** What a link to a page is called; '' if its path has no words. */
  anchor(path: string): string {
    return this.#phrases(path).at(0) ?? '';
  }

  /** Sentences for a page, as many as there are forms of them, in a drawn order. */
  *sentences({ page, host, path, pathsTo }: WordedPage): Iterable<string> {
    const phrases = this.#phrases(path);
    const begin = this.#draws.uint32(page) % FORMS.length;
    for (let i = 0; i < FORMS.length; i++) {
      const draw = (place: number, count: number): number => this.#draws.uint32(page, 3 * i + place) % count;
      const subject = phrases.length === 0 ? host : phrases[draw(1, phrases.length)];
      const other = (place: number): string => (
        pathsTo.length === 0 ? host : this.anchor(pathsTo[draw(place, pathsTo.length)]) || host
      );
      const words = { A: subject, B: other(2), C: other(3) };
      const form = FORMS[(begin + i) % FORMS.length];
      yield capitalised(form.replace(/\b[ABC]\b/g, (name) => words[name as keyof typeof words]));
    }
  }
}

/** None of the words has a character that means something in HTML. */
function phrasesOf(path: string): readonly string[] {
  return decoded(path.replace(EXTENSION, '')).split(/[/?&=]/)
    .map((segment) => (segment.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_PHRASE_WORDS).join(' '))
    .filter((phrase) => phrase !== '' && phrase !== 'index')
    .reverse();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
