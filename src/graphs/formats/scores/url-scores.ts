import { InputError, LargeMap, quoted } from '../../../base/index.ts';
import { partsOfTable } from '../parquet/parquet-format.ts';
import { eachTextLine, failIn } from '../text-lines.ts';
import { ScoreText } from './score-text.ts';

/**
 * Scores by URL without a graph that defines the pages: lines of `URL TAB score`, or with commas or a header
 * (score-text.ts), plain or gzipped, `#` for comments;
 * or a Parquet table, or a folder of them, with columns of URLs and scores. Keys are URLs in canonical spelling without
 * their scheme.
 *
 * Errors   InputError with file, and line or row: a malformed URL or score, a URL that appears twice; no scores.
 * Memory   the URLs.
 */
export async function readUrlScores(path: string): Promise<ReadonlyMap<string, number>> {
  const scores = new LargeMap<string, number>();
  const add = (text: string, score: number): string | undefined => {
    const url = keyOf(text);
    if (url === undefined) return `${quoted(text, 200)} is not a URL of http or https`;
    if (scores.has(url)) return `${quoted(url, 200)} appears a second time`;
    scores.set(url, score + 0);
    return undefined;
  };
  const parts = await partsOfTable(path);
  if (parts !== undefined) await (await import('./score-table.ts')).eachUrlScore(parts, add);
  else await eachScoreLine(path, add);
  if (scores.size === 0) throw new InputError(`${path}: contains no scores; expected URLs, each with a score`);
  return scores;
}

/** @param take - returns the fault of a line, if any. */
async function eachScoreLine(
  path: string, take: (url: string, score: number) => string | undefined,
): Promise<void> {
  const lines = new ScoreText();
  await eachTextLine(path, {}, (text, _fail, number) => {
    const fail = failIn(`${path}: line ${number}`);
    const entry = lines.take(text);
    if (entry === undefined) return;
    if (lines.form === 'numbers' || lines.form === 'precedences') {
      fail(`${quoted(text)}: expected a URL, a tab and a score`);
    }
    if (typeof entry === 'string') return fail(`${quoted(text)}: ${entry}`);
    const wrongUrl = take(entry.page ?? '', entry.score);
    if (wrongUrl !== undefined) fail(wrongUrl);
  });
}

function keyOf(text: string): string | undefined {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme)) return undefined;
  const url = new URL(withScheme);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.host + url.pathname + url.search : undefined;
}
