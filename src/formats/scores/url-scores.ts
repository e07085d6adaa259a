import { isUtf8 } from 'node:buffer';
import { InputError, LargeMap, quoted } from '../../base/index.ts';
import { bytesOf, eachLine } from '../../base/files/index.ts';
import { isNumber } from '../edge-list/number-columns.ts';
import { scoreFault } from './scores.ts';

/**
 * Scores by URL without a graph that defines the pages: lines of `URL TAB score`, plain or gzipped, `#` for comments.
 * Keys are URLs in canonical spelling without their scheme.
 *
 * Errors   InputError with file and line: a malformed URL or score, a URL that appears twice; a file without scores.
 * Memory   the URLs.
 */
export async function readUrlScores(path: string): Promise<ReadonlyMap<string, number>> {
  const scores = new LargeMap<string, number>();
  await eachLine(bytesOf(path), path, (line, number) => {
    if (line.length === 0 || line[0] === 35) return;
    const fault = (what: string): InputError => new InputError(`${path}: line ${number}: ${what}`);
    if (!isUtf8(line)) throw fault(`is not UTF-8: ${quoted(line)}`);
    const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString();
    const tab = text.indexOf('\t');
    if (tab < 1) throw fault(`${quoted(text)}: expected a URL, a tab and a score`);
    const url = keyOf(text.slice(0, tab));
    if (url === undefined) throw fault(`${quoted(text.slice(0, tab), 200)} is not a URL of http or https`);
    const digits = text.slice(tab + 1);
    const score = isNumber(digits) ? Number(digits) : NaN;
    const wrong = scoreFault(score);
    if (wrong !== undefined) throw fault(`the score ${quoted(digits)} is ${wrong}`);
    if (scores.has(url)) throw fault(`${quoted(url, 200)} appears a second time`);
    scores.set(url, score + 0);
  });
  if (scores.size === 0) throw new InputError(`${path}: contains no scores; expected lines of URL, tab and score`);
  return scores;
}

function keyOf(text: string): string | undefined {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme)) return undefined;
  const url = new URL(withScheme);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.host + url.pathname + url.search : undefined;
}
