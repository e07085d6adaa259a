import { DrawStream } from '../../src/base/index.ts';
import type { IndexedPage } from '../../src/search/index.ts';
import { textFields, type PageText, type TextField } from '../../src/base/web/index.ts';

/** A page's text of these runs. */
export function pageText(...runs: [TextField, string][]): PageText {
  return { runs: runs.map(([field, text]) => ({ field, text })), language: '', anchors: [], isCut: false };
}

/** Pages of these texts, each in the field `other`, at http://h/0, http://h/1, ... */
export function plainPages(...texts: string[]): IndexedPage[] {
  return texts.map((text, i) => ({ url: `http://h/${i}`, text: pageText(['other', text]) }));
}

/**
 * Random pages of few words, so that they share many; some texts occur twice, and some links lead nowhere.
 *
 * @param count - pages.
 * @param vocabulary - words to draw from, the first ones most often.
 */
export function anyPages(
  seed: number, count: number, vocabulary: readonly string[] = 'abcdefgh'.split(''),
): IndexedPage[] {
  const draws = new DrawStream(seed, 'pages');
  let draw = 0;
  const below = (limit: number): number => draws.uint32(draw++) % limit;
  const word = (): string => vocabulary[Math.min(below(vocabulary.length), below(vocabulary.length))];
  const words = (max: number): string => Array.from({ length: below(max) }, word).join(' ');
  const url = (page: number): string => `http://${page % 3}.example/${page}`;
  const texts: PageText[] = [];
  for (let page = 0; page < count; page++) {
    const isCopy = page > 0 && below(8) === 0;
    const runs = isCopy ? texts[below(page)].runs : Array.from({ length: 1 + below(5) }, () => ({
      field: textFields[below(textFields.length)], text: words(12),
    }));
    const anchors = Array.from({ length: below(6) }, () => ({ url: url(below(count + 3)), text: words(4) }));
    texts.push({ runs, language: below(2) === 0 ? 'en' : '', anchors, isCut: false });
  }
  return texts.map((text, page) => ({ url: url(page), text }));
}
