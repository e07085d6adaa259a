import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { ArcList } from '../arc-list.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { listedPages } from './listed-pages.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { eachDataLine } from '../text-lines.ts';

export const taggedUrls = {
  name: 'tagged-urls',
  title: 'list of tagged URLs',
  holds: 'n id URL, e source target',
  several: false,
  begins: ({ firstLine = '' }) => /^n [0-9]+ \S/.test(firstLine),
  read: ([path], options) => readTaggedUrls(path, options),
} as const satisfies Format;

/**
 * Reads tagged lines, plain or gzipped: `n id URL`, ids 0, 1, 2, ... in order, and `e source target`; `#` begins
 * comments. The form of Kleinberg's query neighbourhoods (`gr0.California`, `gr0.Epa`). For malformed URLs see
 * listed-pages.ts.
 *
 * Errors   InputError with file and line.
 * Cost     O(bytes + n + m); memory: the graph and about 200 bytes per page.
 */
export async function readTaggedUrls(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  const urls: string[] = [];
  const arcs = new ArcList();
  let largest = { id: -1, line: 0 };
  await eachDataLine(path, options, (line, fail, number) => {
    const text = line.trimEnd();
    const link = /^e ([0-9]{1,10}) ([0-9]{1,10})$/.exec(text);
    if (link) {
      const id = Math.max(Number(link[1]), Number(link[2]));
      if (id >= 2 ** 32 - 1) fail('a page id is larger than 4294967294');
      if (id > largest.id) largest = { id, line: number };
      arcs.add(Number(link[1]), Number(link[2]));
      return;
    }
    const entry = /^n ([0-9]{1,10}) (\S+)$/.exec(text) ?? fail('expected n, an id and a URL, or e and two ids');
    if (Number(entry[1]) !== urls.length) fail(`page ${urls.length} is expected`);
    urls.push(entry[2]);
  });
  if (urls.length === 0) throw new InputError(`${path}: contains no pages; expected n, an id and a URL`);
  if (largest.id >= urls.length) {
    throw new InputError(
      `${path}: line ${largest.line}: page ${largest.id} is not one of the ${urls.length} listed pages`,
    );
  }
  const name = options.name ?? graphName(path);
  const { sources, targets } = arcs;
  return buildNoting(
    { name, pages: urls.length, sources, targets, ...listedPages(name, urls, options.onNote) }, options.onNote,
  );
}
