import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { pageUrlWithoutScheme } from './page-urls.ts';
import { writeAll, writeFiles } from '../../../base/files/index.ts';
import { float64Chunks } from './scores.ts';

const BATCH_CHARACTERS = 1 << 20;

/**
 * Refuses a name, or a graph, that `writeScores` cannot write, before scores are computed. Without a graph only the
 * name is checked.
 * @throws InputError
 */
export function checkScoresFile(path: string, graph?: WebGraph): void {
  if (!/\.(f64|tsv|parquet|txt)$/.test(path)) {
    throw new InputError(
      `${path}: has an unknown extension; expected .f64 (float64 by page id), .tsv or .parquet (page id, score, URL) or .txt (URL and Heritrix's precedence)`,
    );
  }
  if (path.endsWith('.txt') && graph?.hosts.synthetic === true) {
    throw new InputError(
      `${path}: ${graph.name} has no URLs, and a .txt file names pages by URL; name a .tsv or .f64 file`,
    );
  }
}

/**
 * Writes the scores of a graph's pages, in the form of the file's extension; `readScores` reads all of them.
 *
 * .f64      float64, little-endian, by page id. Read back equal.
 * .tsv      `page TAB score TAB URL` by page id, the URL without its scheme; without URLs the id in the source, if
 * there is one. Scores in the fewest digits that read back equal.
 * .parquet  columns page, score and url, if there are URLs; page ids are those that links in Parquet have. Read back
 * equal.
 * .txt      `URL blank precedence`, best first, as read by Heritrix's PrecedenceLoader
 * (org.archive.crawler.frontier.precedence). Precedences are integers, 1 is the best, and only those up to 127 are
 * guaranteed to be distinguished ("Precedence Feature Notes" of Heritrix's wiki): a page with a share s of the pages
 * scored above it gets 1 + floor(100 s). The order reads back, the scores do not. Every URL begins with http://,
 * because graphs do not store the scheme; Heritrix distinguishes https://.
 *
 * Errors   as `checkScoresFile`; InputError if the file may not be written; WorldError if the disk is full or fails.
 * Cost     O(n), `.txt` O(n log n); nothing half-written remains.
 */
export async function writeScores(path: string, graph: WebGraph, scores: Float64Array): Promise<void> {
  checkScoresFile(path, graph);
  if (path.endsWith('.parquet')) return (await import('./score-table.ts')).writeScoreTable(path, graph, scores);
  await writeFiles([path], async ([file]) => {
    if (path.endsWith('.f64')) {
      for (const chunk of float64Chunks(scores)) await writeAll(file, chunk);
      return;
    }
    for (const batch of batches(path.endsWith('.tsv') ? tableLines(graph, scores) : precedenceLines(graph, scores))) {
      await writeAll(file, Buffer.from(batch));
    }
  });
}

function* tableLines(graph: WebGraph, scores: Float64Array): Generator<string, void, void> {
  const { hosts: { synthetic }, sourceIds } = graph;
  yield `#page\tscore${synthetic ? (sourceIds ? '\tid in the source' : '') : '\tURL'}\n`;
  for (let page = 0; page < scores.length; page++) {
    const name = synthetic ? sourceIds?.[page] : pageUrlWithoutScheme(graph, page);
    yield `${page}\t${scores[page]}${name === undefined ? '' : `\t${name}`}\n`;
  }
}

function* precedenceLines(graph: WebGraph, scores: Float64Array): Generator<string, void, void> {
  const order = Uint32Array.from(scores, (_, page) => page).sort((a, b) => scores[b] - scores[a] || a - b);
  let above = 0; // Pages with a greater score.
  for (const [place, page] of order.entries()) {
    if (place > 0 && scores[page] < scores[order[place - 1]]) above = place;
    yield `http://${pageUrlWithoutScheme(graph, page)} ${1 + Math.floor((100 * above) / order.length)}\n`;
  }
}

/** Lines are joined, so that not every line is a system call. */
function* batches(lines: Iterable<string>): Generator<string, void, void> {
  let batch = '';
  for (const line of lines) {
    batch += line;
    if (batch.length < BATCH_CHARACTERS) continue;
    yield batch;
    batch = '';
  }
  yield batch;
}
