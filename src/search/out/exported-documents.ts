import { setImmediate } from 'node:timers/promises';
import { toUSVString } from 'node:util';
import { copiedText } from '../../base/index.ts';
import type { TextField } from '../../base/web/index.ts';
import type { IndexReader } from '../index.ts';

/** A document as other programs take it. Texts have no lone surrogates, which UTF-8 cannot hold. */
export interface ExportedDocument {
  /** The URL of its first page. */
  readonly url: string;
  /** The URLs of all its pages, the first included. */
  readonly urls: readonly string[];
  /** The host in `url`, without a port. */
  readonly host: string;
  readonly title: string;
  /** h1 to h5, in the order of the document. */
  readonly headings: readonly string[];
  /** The rest of its text, a line per block. */
  readonly body: string;
  readonly description: string;
  /** As declared; '' if it is not. */
  readonly language: string;
  /** Texts of links from other documents, each once, in the order of the pages; at most MAX_ANCHORS. */
  readonly anchors: readonly string[];
  /** Above 0; its mean is 1. */
  readonly pagerank: number;
}

/** Maximum texts of links per document: further ones hardly say anything new. */
const MAX_ANCHORS = 1000;
/** Texts of links in memory at once: some 100 MB. */
const MAX_TEXTS = 1 << 20;
/** Pages whose links are read without a pause. */
const PAGES_PER_TURN = 256;

interface ExportedOptions {
  /** Texts of links in memory at once; their number changes no result. */
  readonly maxTexts?: number | undefined;
  /** Ends the generator with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * All documents of an index, in their order. Links lead from any page to any document, so they are read once for as
 * many documents as have room in memory, then again for the next ones.
 *
 * Errors   as `IndexReader`.
 */
export async function* exportedDocuments(
  index: IndexReader, { maxTexts = MAX_TEXTS, signal }: ExportedOptions = {},
): AsyncGenerator<ExportedDocument, void, void> {
  for (let from = 0; from < index.documents;) {
    const texts = new LinkTexts(from, index.documents, maxTexts);
    for (let page = 0; page < index.pages; page++) {
      if (page % PAGES_PER_TURN === 0) await setImmediate();
      signal?.throwIfAborted();
      for (const { document, text } of index.links(page)) texts.add(document, toUSVString(text));
    }
    for (let document = from; document < texts.end; document++) {
      signal?.throwIfAborted();
      yield exported(index, document, texts.of(document));
    }
    from = texts.end;
  }
}

/** The texts of links to documents from `from` up to `end`, which comes down as far as there is room. */
class LinkTexts {
  end: number;
  readonly #from: number;
  readonly #maxTexts: number;
  readonly #of = new Map<number, Set<string>>();
  #count = 0;

  constructor(from: number, end: number, maxTexts: number) {
    this.#from = from;
    this.end = end;
    this.#maxTexts = maxTexts;
  }

  add(document: number, text: string): void {
    if (document < this.#from || document >= this.end || text === '') return;
    const texts = this.#of.get(document) ?? new Set();
    if (texts.size === MAX_ANCHORS || texts.has(text)) return;
    this.#of.set(document, texts.add(copiedText(text)));
    this.#count++;
    while (this.#count > this.#maxTexts && this.end > this.#from + 1) this.#halve();
  }

  of(document: number): string[] {
    return [...this.#of.get(document) ?? []];
  }

  #halve(): void {
    this.end = this.#from + Math.ceil((this.end - this.#from) / 2);
    for (const [document, { size }] of this.#of) {
      if (document < this.end) continue;
      this.#of.delete(document);
      this.#count -= size;
    }
  }
}

function exported(index: IndexReader, document: number, anchors: readonly string[]): ExportedDocument {
  const { language, runs } = index.text(document);
  const of = (isOf: (field: TextField) => boolean): string[] =>
    runs.filter(({ field }) => isOf(field)).map(({ text }) => toUSVString(text));
  const first = index.firstPage[document];
  return {
    url: index.url(first),
    urls: Array.from(index.pagesOf(document), (page) => index.url(page)),
    host: index.hosts[index.hostOfPage[first]],
    title: of((field) => field === 'title').join(' '),
    headings: of((field) => /^h[1-5]$/.test(field)),
    body: of((field) => field === 'other').join('\n'),
    description: of((field) => field === 'description').join(' '),
    language: toUSVString(language),
    anchors,
    pagerank: index.pageranks[document],
  };
}
