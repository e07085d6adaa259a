import { InputError, quoted } from '../../../base/index.ts';
import type { WebGraph } from '../../graph/index.ts';
import { isNumber } from '../edge-list/number-columns.ts';
import type { FileStart } from '../file-start.ts';
import type { Format } from '../format.ts';
import type { ReadOptions } from '../read-options.ts';
import { eachDataLine } from '../text-lines.ts';
import { graphOfTexts } from './ids-or-names.ts';

export const networkx = {
  name: 'networkx',
  title: 'list of edges with data',
  holds: "two page ids, URLs or names and blanks between, optionally data such as {'weight': 3}",
  several: true,
  begins: beginsNodeLines,
  read: readNodeLines,
} as const satisfies Format;

/** Two nodes, and what follows them. */
const form = /^[ \t]*([^ \t]+)[ \t]+([^ \t]+)(?:[ \t]+(.*?))?[ \t]*$/;
const isDict = (data: string): boolean => /^\{.*\}$/.test(data);

/** The fault of a line that has another form than two nodes and data, if any. */
function formFault(source: string, target: string, data: string): string | undefined {
  if (target.startsWith('{')) return 'has data in braces where its second page should be';
  if (!/[\p{L}\p{N}\p{S}]/u.test(target) || /^[-=]+>$|^=+$/.test(target)) {
    return `has ${quoted(target, 30)} where its second page should be`;
  }
  if (/[^/]:$/.test(source)) return `begins with a key, ${quoted(source, 30)}; expected two pages, and data after them`;
  if (isDict(data)) return undefined;
  if (data.startsWith('{')) return 'the data in braces do not end';
  return data.includes('://')
    ? 'has a third URL, as an adjacency list has; expected two pages a line, and data after them'
    : undefined;
}

/**
 * Whether a text begins with data in braces or with two URLs; or, if all its lines are like that, with two names and at
 * most numbers.
 */
function beginsNodeLines({ firstLine = '', lines, isPlainText, isMarkup }: FileStart): boolean {
  const match = form.exec(firstLine);
  if (match === null || !isPlainText || isMarkup) return false;
  const [, source, target, data = ''] = match;
  if (isDict(data)) return !/[,;]$/.test(source);
  if (firstLine.includes('\t')) return false; // Named pairs.
  if (/^[a-z][a-z0-9+.-]*:\/\/./i.test(source) && /^[a-z][a-z0-9+.-]*:\/\/./i.test(target)) return true;
  const whole = lines.slice(0, -1).filter((line) => !/^[ \t]*(#|$)/.test(line));
  return whole.length > 1 &&
    whole.every((line) => /^[^ \t]+ [^ \t]+( [-+0-9.e]+)*$/i.test(line) && /[^-+0-9.e,;: \t]/i.test(line));
}

/**
 * Reads lists of edges as `networkx.write_edgelist` and `write_weighted_edgelist` write them (networkx 3,
 * readwrite/edgelist.py), plain or gzipped; several files make one graph. A line has two nodes, separated by blanks,
 * and data, which are not stored: a dictionary, numbers, texts, or nothing. Nodes are page ids if all are, otherwise
 * URLs or names (ids-or-names.ts), without blanks. Lines that begin with `#` are comments. Each line is one link, from
 * its first node to its second, unless comments say that the graph is undirected.
 * Errors   InputError with file and line, also if each line has a name and a number: those are keys with values.
 * Cost     O(bytes + n + m), about a microsecond per line.
 */
export async function readNodeLines(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  let withData = 0;
  const graph = await graphOfTexts(paths, options, () => 'expected two nodes per line', async (take) => {
    withData = 0;
    let [lines, keysWithValues] = [0, 0];
    let firstLine = '';
    for (const path of paths) {
      await eachDataLine(path, options, (line, fail, number) => {
        if (line.trim() === '') return;
        const [, source, target, data = ''] = form.exec(line) ?? fail('expected two nodes, separated by blanks');
        const fault = formFault(source, target, data) ?? take(source, target);
        if (fault !== undefined) fail(fault);
        if (data !== '' && data !== '{}') withData++;
        if (lines++ === 0) firstLine = `${path}: line ${number}: has a name and a number, as every line`;
        if (isNumber(target) && !isNumber(source)) keysWithValues++;
      });
    }
    if (lines > 0 && keysWithValues === lines) {
      throw new InputError(`${firstLine}: these are keys with values; links are between two names, or two page ids`);
    }
  });
  if (withData > 0) {
    const lines = withData === 1 ? '1 line has' : `${withData} lines have`;
    options.onNote?.(`${graph.name}: ${lines} data, such as weights, which are not stored`);
  }
  return graph;
}
