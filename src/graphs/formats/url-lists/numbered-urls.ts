import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { ArcList, idsFromOne } from '../arc-list.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { listedPages } from './listed-pages.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { eachTextLine } from '../text-lines.ts';

export const numberedUrls = {
  name: 'numbered-urls',
  title: 'list of numbered URLs',
  holds: 'counts, then id and URL per line, then source and target',
  several: false,
  begins: ({ lines: [sizes, entry = ''] }) =>
    /^[0-9]+ [0-9]+ 1[ \t]*$/.test(sizes) && /^1[ \t]+\S*:\/\//.test(entry),
  read: ([path], options) => readNumberedUrls(path, options),
} as const satisfies Format;

/**
 * Reads a list of numbered URLs and the links between them, plain or gzipped: line 1 is `n m 1`; then n lines `id URL`,
 * ids 1 to n in order; then m lines `source target`. The form of `hollins.dat` (Kenneth Massey, 2004), which is used in
 * courses on PageRank. Ids are stored as `sourceIds`; for malformed URLs see listed-pages.ts.
 *
 * Errors   InputError with file and line, also if the counts of line 1 are wrong. Counts are believed only line by
 *          line.
 * Cost     O(bytes + n + m); memory: the graph and about 200 bytes per page.
 */
export async function readNumberedUrls(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  let pages = -1;
  let links = 0;
  const urls: string[] = [];
  const arcs = new ArcList();
  await eachTextLine(path, options, (line, fail) => {
    const text = line.trim();
    if (pages < 0) {
      const sizes =
        /^([0-9]{1,15}) ([0-9]{1,15}) 1$/.exec(text) ?? fail('expected the numbers of pages and links, and 1');
      [pages, links] = [Number(sizes[1]), Number(sizes[2])];
      if (pages === 0 || pages >= 2 ** 32 - 1) fail('a graph has from 1 to 4294967294 pages');
    } else if (urls.length < pages) {
      const entry = /^([0-9]{1,10})[ \t]+(\S+)$/.exec(text) ?? fail('expected an id and a URL');
      if (Number(entry[1]) !== urls.length + 1) fail(`page ${urls.length + 1} is expected`);
      urls.push(entry[2]);
    } else {
      if (text === '') return;
      const link = /^([0-9]{1,10})[ \t]+([0-9]{1,10})$/.exec(text) ?? fail('expected two page ids');
      const [source, target] = [Number(link[1]), Number(link[2])];
      if (source < 1 || target < 1 || source > pages || target > pages) fail(`expected page ids from 1 to ${pages}`);
      if (arcs.length === links) fail(`is one link more than the ${links} of line 1`);
      arcs.add(source - 1, target - 1);
    }
  });
  if (pages < 0) throw new InputError(`${path}: is empty`);
  if (urls.length < pages) {
    throw new InputError(`${path}: ends after ${urls.length} URLs; line 1 states ${pages}. Is the file truncated?`);
  }
  if (arcs.length < links) {
    throw new InputError(`${path}: ends after ${arcs.length} links; line 1 states ${links}. Is the file truncated?`);
  }
  const name = options.name ?? graphName(path);
  const sourceIds = idsFromOne(pages);
  const { sources, targets } = arcs;
  return buildNoting(
    { name, pages, sources, targets, sourceIds, ...listedPages(name, urls, options.onNote) }, options.onNote,
  );
}
