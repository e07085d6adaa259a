import { isNumber } from '../edge-list/number-columns.ts';
import { noColumn, scoreColumns } from '../columns/column-names.ts';
import { fieldsOf, separators, type Separator } from '../columns/csv-fields.ts';
import { quoted } from '../../../base/index.ts';
import { scoreFault } from './page-scores.ts';

/** A line of a text of scores: what names its page (nothing in a list by position), and its score. */
interface ScoreEntry {
  /** An id, a URL or a host. */
  readonly page: string | undefined;
  readonly score: number;
}

/** The places of the fields of a line. */
type Layout =
  | { readonly form: 'numbers' }
  | { readonly form: 'precedences' }
  | { readonly form: 'pairs'; readonly separator: Separator; readonly page: 'a page id' | 'a URL' }
  | {
    readonly form: 'table'; readonly separator: Separator; readonly fields: number;
    readonly page: number; readonly score: number; readonly isHostReversed: boolean;
  };

export const scoreForms = 'a number, `page TAB score`, `URL TAB score`, the same with commas, a header that names ' +
  "columns page and score, or a URL, a blank and Heritrix's precedence; float64 values need a file name that ends in .f64";

/**
 * The lines of a text of scores in one of these forms, which its first line decides:
 *
 *   a number a line
 *   a page and its score       with a tab, a comma or a semicolon between; ids also with blanks; after a tab and a
 *                              score there may be more columns
 *   a table with a header      columns of known names (column-names.ts), by tabs, commas, semicolons or blanks
 *   URLs and precedences       `URL blank integer`: a precedence p becomes the score 1 / p
 *
 * Comments begin with `#`; the one above Common Crawl's ranks of hosts and domains is their header.
 */
export class ScoreText {
  #layout: Layout | undefined;
  /** Whether the header of our own tables stands above: then pages are numbers from 0, not ids of the source. */
  isOwn = false;

  get form(): Layout['form'] | undefined {
    return this.#layout?.form;
  }

  /** @returns undefined for a line without an entry; the fault of a line. */
  take(text: string): ScoreEntry | string | undefined {
    if (text === '') return undefined;
    if (text.startsWith('#')) {
      this.#takeComment(text);
      return undefined;
    }
    if (this.#layout === undefined) {
      const layout = layoutOf(text);
      if (typeof layout === 'string') return layout;
      this.#layout = layout;
      if (layout.form === 'table') return undefined;
      if (layout.form === 'numbers' && !isNumber(text)) return undefined; // Its header.
    }
    return entryOf(text, this.#layout);
  }

  #takeComment(text: string): void {
    if (this.#layout !== undefined) return;
    if (text.startsWith('#page\tscore')) this.isOwn = true;
    const names = text.split('\t').map((name) => name.replace('#', '').trim());
    const [page, score] = [names.findIndex((name) => /_rev$/.test(name)), names.indexOf('pr_val')];
    if (/^harmonicc?_/.test(names[0]) && page >= 0 && score >= 0) {
      this.#layout = { form: 'table', separator: '\t', fields: names.length, page, score, isHostReversed: true };
    }
  }
}

function layoutOf(text: string): Layout | string {
  if (isNumber(text) || scoreColumns([text])[1] === 0) return { form: 'numbers' };
  const pairs = pairsOf(text);
  if (pairs !== undefined && typeof entryOf(text, pairs) !== 'string') return pairs;
  const headers = separators.flatMap((separator) => {
    const names = fieldsOf(text, separator);
    return Array.isArray(names) && names.length > 1 && !names.some(isNumber) ? [{ separator, names }] : [];
  });
  for (const { separator, names } of headers) {
    const [page, score] = scoreColumns(names);
    if (page >= 0 && score >= 0 && page !== score)
      return { form: 'table', separator, fields: names.length, page, score, isHostReversed: false };
  }
  if (headers.length > 0 && !text.includes('://')) {
    const { names } = headers[0];
    return noColumn(scoreColumns(names)[0] < 0 ? 'page' : 'score', names);
  }
  return pairs ?? (/ \S/.test(text) ? { form: 'precedences' } : `expected ${scoreForms}`);
}

/** The layout of a list of pages and scores whose first line this is. */
function pairsOf(text: string): Layout | undefined {
  const page = /^\d+[\t ,;]/.test(text) ? 'a page id' : 'a URL';
  if (text.includes('\t')) return { form: 'pairs', separator: '\t', page };
  const separator = /^.+([,;])[ \t]*[-+0-9.e]+[ \t]*$/i.exec(text)?.[1];
  if (separator !== undefined) return { form: 'pairs', separator: separator as Separator, page };
  return /^\d+[ ]+[^ ]+$/.test(text) ? { form: 'pairs', separator: ' ', page } : undefined;
}

function entryOf(text: string, layout: Layout): ScoreEntry | string {
  switch (layout.form) {
    case 'numbers':
      return scored(undefined, text);
    case 'precedences':
      return precedenceIn(text);
    case 'pairs': {
      const { separator } = layout;
      const at = separator === '\t' || separator === ' ' ? text.indexOf(separator) : text.lastIndexOf(separator);
      const between = { '\t': 'a tab', ',': 'a comma', ';': 'a semicolon', ' ': 'a blank' }[separator];
      if (at < 1) return `expected ${layout.page}, ${between} and a score, as in the lines before`;
      const rest = text.slice(at + 1);
      return scored(text.slice(0, at), separator === '\t' ? rest.split('\t', 1)[0] : rest.trim());
    }
    case 'table': {
      const fields = fieldsOf(text, layout.separator) ?? 'a quoted field does not end';
      if (typeof fields === 'string') return fields;
      if (fields.length !== layout.fields) return `has ${fields.length} fields where the header has ${layout.fields}`;
      const page = fields[layout.page];
      return scored(layout.isHostReversed ? page.split('.').reverse().join('.') : page, fields[layout.score]);
    }
  }
}

function scored(page: string | undefined, digits: string): ScoreEntry | string {
  const score = isNumber(digits) ? Number(digits) : NaN;
  const fault = scoreFault(score);
  return fault === undefined ? { page, score } : `the score ${quoted(digits)} is ${fault}`;
}

function precedenceIn(text: string): ScoreEntry | string {
  const blank = text.lastIndexOf(' ');
  const url = text.slice(0, Math.max(0, blank)).trimEnd();
  const precedence = text.slice(blank + 1);
  if (url === '' || !/^\d{1,10}$/.test(precedence) || Number(precedence) === 0) {
    return 'a URL and a blank must be followed by a precedence, an integer from 1; a score needs a tab before it';
  }
  return { page: url, score: 1 / Number(precedence) };
}
