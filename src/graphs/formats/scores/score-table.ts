import type { SchemaElement } from 'hyparquet';
import type { GraphPages, WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../../base/index.ts';
import { noColumn, scoreColumns } from '../columns/column-names.ts';
import { idsOf, urlsOf } from '../page-names.ts';
import { kindOf, readTable } from '../parquet/parquet-table.ts';
import { writeTable, type WrittenColumn } from '../parquet/parquet-table-writer.ts';
import { PageScores, scoreFault, type Scores } from './page-scores.ts';

/**
 * Reads scores from tables in Apache Parquet, the parts of one list. Two columns are read, by name: page (also id, url,
 * node, vertex, ...) and score (also rank, pagerank, value), in any case; all others are ignored. Integers are the ids
 * that links in Parquet have: the ids of the source, where the graph has such. Texts are URLs. Unknown pages are
 * counted.
 *
 * Errors   as readScores, with row group and row.
 * Cost     O(rows); memory: both columns of one row group, and 4 bytes per page if pages have ids of the source.
 */
export async function readScoreTables(path: string, parts: readonly string[], graph: GraphPages): Promise<Scores> {
  const pageScores = new PageScores(graph);
  let form: Scores['form'] = 'page ids and scores';
  let rows = 0;
  await eachScore(parts, columnsOf, (pageName, score, row) => {
    rows++;
    if (typeof pageName === 'number') return pageScores.addId(pageName, score, `row ${row}`);
    form = 'URLs and scores';
    return pageScores.addUrl(pageName, score, `row ${row}`, 'a column of page ids');
  });
  if (rows === 0) throw new InputError(`${path}: contains no scores`);
  return { scores: pageScores.scores, form, ...pageScores.finish(path) };
}

/** Reads scores by URL from tables; `take` returns the fault of a row, if any. */
export async function eachUrlScore(
  parts: readonly string[], take: (url: string, score: number) => string | undefined,
): Promise<void> {
  const choose = (columns: readonly SchemaElement[], path: string): readonly SchemaElement[] => {
    // A table with both is taken by its URLs.
    const others = columns.filter((column) => kindOf(column) !== 'integers');
    if (!others.some((column) => kindOf(column) === 'texts'))
      throw new InputError(`${path}: has no column of texts, and a crawl needs scores by URL`);
    return columnsOf(others, path);
  };
  await eachScore(parts, choose, (pageName, score) => take(String(pageName), score));
}

async function eachScore(
  parts: readonly string[], choose: Parameters<typeof readTable>[1],
  take: (page: number | string, score: number, row: number) => string | undefined,
): Promise<void> {
  for (const part of parts) {
    await readTable(part, choose, ([pages, scores]) => {
      for (let row = 0; row < pages.length; row++) {
        const score = Number(scores[row]);
        const wrong = scoreFault(score);
        const fault = wrong === undefined ? take(pages[row], score, row) : `the score ${score} is ${wrong}`;
        if (fault !== undefined) return `row ${row}: ${fault}`;
      }
      return undefined;
    });
  }
}

/** The columns of pages and of scores. */
function columnsOf(columns: readonly SchemaElement[], path: string): [SchemaElement, SchemaElement] {
  const names = columns.map(({ name }) => name);
  const places = scoreColumns(names);
  if (places[0] < 0) throw new InputError(`${path}: ${noColumn('page', names)}`);
  if (places[1] < 0) throw new InputError(`${path}: ${noColumn('score', names)}`);
  const [page, score] = places.map((place) => columns[place]);
  const [ofPage, ofScore] = [kindOf(page), kindOf(score)];
  if (ofPage !== 'integers' && ofPage !== 'texts')
    throw new InputError(`${path}: column ${quoted(page.name)} contains ${ofPage}; expected page ids or URLs`);
  if (ofScore !== 'DOUBLE' && ofScore !== 'FLOAT')
    throw new InputError(`${path}: column ${quoted(score.name)} contains ${ofScore}; expected DOUBLE or FLOAT`);
  return [page, score];
}

/** Writes scores as a table: page ids as in a table of links, scores, and URLs if there are any. */
export async function writeScoreTable(path: string, graph: WebGraph, scores: Float64Array): Promise<void> {
  const columns: WrittenColumn[] = [
    { name: 'page', kind: 'ids', at: idsOf(graph) },
    { name: 'score', kind: 'numbers', at: (page) => scores[page] },
  ];
  if (!graph.hosts.synthetic) columns.push({ name: 'url', kind: 'texts', at: urlsOf(graph) });
  await writeTable(path, { name: 'scores', rows: graph.pages, columns });
}
