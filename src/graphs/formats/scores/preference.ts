import { idsInWords, pagesById, type GraphPages } from '../../graph/index.ts';
import { BitSet, InputError, quoted } from '../../../base/index.ts';
import { isNumber } from '../edge-list/number-columns.ts';
import { eachDataLine } from '../text-lines.ts';
import { PagesByUrl } from './page-urls.ts';

/**
 * Reads which pages a PageRank prefers: one page per line, by id (of the source, where the graph has such) or by URL,
 * optionally followed by a tab or blanks and its weight, otherwise 1. Plain or gzipped; empty lines and those that
 * begin with `#` are skipped. Pages that are not named have weight 0.
 *
 * @returns a weight for each page, not all 0.
 * @throws InputError with file and line: an unknown page, a weight that is not a number from 0 to 1e100, a page that
 * appears twice, no page of weight above 0.
 */
export async function readPreference(path: string, graph: GraphPages): Promise<Float64Array> {
  const { name, pages, hosts } = graph;
  const pageOfId = pagesById(graph);
  const weights = new Float64Array(pages);
  const isNamed = new BitSet();
  let pagesByUrl: PagesByUrl | undefined;
  await eachDataLine(path, {}, (line, _fail, number) => {
    const fault = (what: string): InputError => new InputError(`${path}: line ${number}: ${what}`);
    const text = line.trim();
    const columns = text.split(/\s+/);
    const [pageName, digits = '1'] = columns;
    if (pageName === '' || columns.length > 2)
      throw fault(`${quoted(text)}: expected a page id or a URL, and optionally a weight`);
    const isId = /^[+-]?\d+$/.test(pageName);
    if (!isId && hosts.synthetic)
      throw fault(`${quoted(pageName)}: ${name} has no URLs; expected a page id from ${idsInWords(graph)}`);
    const page = isId ? pageOfId(Number(pageName)) : (pagesByUrl ??= new PagesByUrl(graph)).pageOf(pageName);
    if (page === undefined) throw fault(`${quoted(pageName, 200)} is not a page of ${name}, whose ids go from ${idsInWords(graph)}${graph.sourceIds === undefined ? '' : ', as in its source'}`);
    const weight = isNumber(digits) ? Number(digits) : NaN;
    if (!(weight >= 0 && weight <= 1e100)) throw fault(`the weight ${quoted(digits)} is not a number from 0 to 1e100`);
    if (isNamed.has(page)) throw fault(`page ${page} appears a second time`);
    isNamed.add(page);
    weights[page] = weight;
  });
  if (!weights.some((weight) => weight > 0)) throw new InputError(`${path}: contains no page with a weight above 0`);
  return weights;
}
