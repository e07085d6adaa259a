import { isUtf8 } from 'node:buffer';
import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { ArcList } from '../arc-list.ts';
import { startOf } from '../file-start.ts';
import type { FileKind, Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { listedPages } from './listed-pages.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { eachByteLine } from '../text-lines.ts';

export const urlBlocks = {
  name: 'url-blocks',
  title: 'part of a graph of URL blocks',
  holds: 'blocks of id, URL and title, and lists of links',
  several: true,
  partner: 'url-block-links',
  begins: ({ lines: [pages, blank, entry = ''] }) =>
    /^[0-9]+\s*$/.test(pages) && blank === '' && /^[0-9]+ \([0-9]+\)/.test(entry),
  read: readUrlBlocks,
} as const satisfies Format;

/** Links of a graph of URL blocks; not a graph by itself. */
export const urlBlockLinks = {
  name: 'url-block-links',
  begins: ({ firstLine = '' }) => /^[0-9]+:( [0-9]+)* -1[ \t]*$/.test(firstLine),
} as const satisfies FileKind;

/**
 * Reads two files, distinguished by content, plain or gzipped: blocks of pages (line 1 their number; then for each a
 * blank line, `id (id) [...]`, its URL, its title, a line of numbers; ids 0, 1, 2, ... in order) and lists of links
 * (`id: target target -1` per line), as in the query neighbourhoods of Borodin, Roberts, Rosenthal & Tsaparas (ACM TOIT
 * 5(1), 2005). Titles are not stored; for malformed URLs see listed-pages.ts.
 * Errors   InputError with file and line. The number of pages is believed only line by line.
 * Cost     O(bytes + n + m); memory: the graph and about 200 bytes per page.
 */
export async function readUrlBlocks(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  const blocks: string[] = [];
  const lists: string[] = [];
  for (const path of paths) (urlBlocks.begins(await startOf(path)) ? blocks : lists).push(path);
  if (blocks.length !== 1) {
    throw new InputError(
      `${paths[0]}: ${blocks.length === 0 ? 'has no URLs' : 'one file of URLs is expected'}; ` +
        'name one file of URL blocks, and its lists of links',
    );
  }
  if (lists.length === 0)
    throw new InputError(`${blocks[0]}: contains URLs without links; name the file of their links too`);
  const urls = await readBlocks(blocks[0], options);
  const arcs = new ArcList();
  for (const path of lists) await readLists(path, urls.length, arcs, options);
  const name = options.name ?? graphName(blocks[0]);
  const { sources, targets } = arcs;
  return buildNoting(
    { name, pages: urls.length, sources, targets, ...listedPages(name, urls, options.onNote) }, options.onNote,
  );
}

/** Lines of a block: blank, id, URL, title, numbers. */
const BLOCK_LINES = 5;

async function readBlocks(path: string, options: ReadOptions): Promise<string[]> {
  const urls: string[] = [];
  let pages = -1;
  await eachByteLine(path, options, (line, fail, number) => {
    const text = Buffer.from(line).toString('latin1').trim();
    if (number === 1) {
      pages = /^[0-9]{1,10}$/.test(text) ? Number(text) : fail('expected the number of pages');
      return;
    }
    const part = (number - 2) % BLOCK_LINES;
    const page = Math.floor((number - 2) / BLOCK_LINES);
    if (page >= pages && text !== '') fail(`continues after ${pages} pages, as many as line 1 states`);
    if (part === 0 && text !== '') fail('expected a blank line between pages');
    if (part === 1 && page < pages && !text.startsWith(`${page} (`)) fail(`page ${page} is expected`);
    if (part !== 2 || page >= pages) return;
    if (!isUtf8(line)) fail('is not UTF-8');
    urls.push(Buffer.from(line).toString().trim());
  });
  if (pages < 1) throw new InputError(`${path}: contains no pages`);
  if (urls.length < pages) {
    throw new InputError(`${path}: ends after ${urls.length} URLs; line 1 states ${pages}. Is the file truncated?`);
  }
  return urls;
}

async function readLists(path: string, pages: number, arcs: ArcList, options: ReadOptions): Promise<void> {
  await eachByteLine(path, options, (line, fail) => {
    if (line.length === 0) return;
    const text = Buffer.from(line).toString('latin1').trimEnd();
    const list = /^([0-9]+):((?: [0-9]+)*) -1$/.exec(text) ?? fail('expected an id, a colon, ids and -1');
    const ids = [list[1], ...list[2].split(' ').slice(1)].map(Number);
    const wrong = ids.find((id) => id >= pages);
    if (wrong !== undefined) fail(`page ${wrong} is not one of the ${pages} listed pages`);
    for (const target of ids.slice(1)) arcs.add(ids[0], target);
  });
}
