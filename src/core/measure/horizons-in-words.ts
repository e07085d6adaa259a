import { decimalText } from '../../base/index.ts';

/**
 * That areas are over different numbers of pages, in one sentence; undefined if they are not. A long crawl gathers most
 * of its rank early, so its area is larger by its length alone.
 */
export function horizonsInWords(horizons: readonly number[]): string | undefined {
  const sorted = [...new Set(horizons)].sort((a, b) => a - b);
  if (sorted.length < 2) return undefined;
  const texts = sorted.map((pages) => decimalText(pages, 0));
  const which = texts.length > 4 ? `${texts[0]} to ${texts[texts.length - 1]}` : texts.join(', ');
  return `The areas are means over different numbers of pages B (${which}): only those of the same B can be compared.`;
}
