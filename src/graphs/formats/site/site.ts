import { join, resolve } from 'node:path';
import { hostsFromNames, sharedUint32, StringTable, type WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { ArcList } from '../arc-list.ts';
import { readError } from '../../../base/files/index.ts';
import { pageUrl, htmlLinks, htmlText } from '../../../base/web/index.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { buildNoting, type ReadOptions, type SiteOptions } from '../read-options.ts';
import { FILE_LIMIT_BYTES, headOfFile, htmlFiles, ROOT, SiteFiles, type FileHead } from './site-files.ts';

/** More links than any page made for people has. */
const MAX_LINKS_PER_PAGE = 50_000;
/** Number of unreadable files that are reported individually. */
const FAULTS_SHOWN = 5;

export const site = {
  name: 'site',
  title: 'folder of HTML files',
  holds: 'a folder of HTML files',
  several: false,
  read: ([folder], options) => readSite(folder, options),
} as const satisfies Format;

/**
 * Reads the HTML files below a folder (`.html`, `.htm`, `.xhtml`) as a site: each is a page, in the order of their
 * paths, with its size and the links found by html-links.ts. Links are resolved as a server of that folder would: `/`
 * is the folder, a link to a folder leads to its index.html, query and fragment do not count. Other links are counted
 * and reported. The host is the folder's name, below `localhost`; or there is one per top folder. Symbolic links are
 * not followed.
 *
 * Errors   InputError if the folder cannot be read or has no HTML file. Files that cannot be read are reported.
 * Cost     O(bytes); memory: the graph, about 200 bytes per file, and one file up to the limit.
 */
export async function readSite(folder: string, options: SiteOptions = {}): Promise<WebGraph> {
  const name = options.name ?? graphName(resolve(folder));
  const faults = new Faults(options);
  const files = await htmlFiles(folder, (fault) => { faults.report(fault); });
  const site = new Site(files, options);
  for (const [page, file] of files.entries()) {
    try {
      site.add(page, headOfFile(join(folder, file), options.recordLimitBytes));
    } catch (error) {
      const fault = readError(join(folder, file), error);
      if (!(fault instanceof InputError)) throw fault;
      faults.report(fault.message);
    }
  }
  faults.finish();
  if (site.read === 0) {
    throw new InputError(
      `${folder}: contains no HTML file that can be read, nor pages.tsv and arcs.tsv, nor WARC archives or Parquet tables`,
    );
  }
  for (const note of site.notes()) options.onNote?.(`${name}: ${note}`);
  return buildNoting({ name, ...site.parts(resolve(folder)) }, options.onNote);
}

class Faults {
  #count = 0;
  readonly #report: ((text: string) => void) | undefined;

  constructor({ onFault, onNote }: ReadOptions) {
    this.#report = onFault ?? onNote;
  }

  report(text: string): void {
    if (this.#count++ < FAULTS_SHOWN) this.#report?.(text);
  }

  finish(): void {
    if (this.#count > FAULTS_SHOWN)
      this.#report?.(`${this.#count - FAULTS_SHOWN} more files or folders that cannot be read`);
  }
}

class Site {
  /** Files that were read. */
  read = 0;
  readonly #files: SiteFiles;
  readonly #sizes: (number | undefined)[] = [];
  readonly #arcs = new ArcList();
  readonly #left = { out: 0, noFile: 0, nofollow: 0, odd: 0, tooMany: 0, cut: 0 };
  readonly #options: SiteOptions;

  constructor(files: readonly string[], options: SiteOptions) {
    this.#files = new SiteFiles(files);
    this.#options = options;
  }

  add(page: number, { bytes, size }: FileHead): void {
    this.read++;
    this.#sizes[page] = size;
    if (bytes.length < size) this.#left.cut++;
    const { text, encoding } = htmlText(bytes, undefined);
    const { base, links, nofollow } = htmlLinks(text, { encoding });
    const here = this.#files.urlBelowRoot(page);
    const baseUrl = base === undefined ? here : pageUrl(base, here);
    const from = baseUrl instanceof URL ? baseUrl : here;
    this.#left.nofollow += nofollow;
    this.#left.tooMany += Math.max(0, links.length - MAX_LINKS_PER_PAGE);
    for (const link of links.slice(0, MAX_LINKS_PER_PAGE)) {
      this.#link(page, pageUrl(link, from));
    }
  }

  #link(page: number, url: ReturnType<typeof pageUrl>): void {
    if (typeof url === 'string') this.#left.odd++;
    else if (url.host !== ROOT.host) this.#left.out++;
    else {
      const target = this.#files.pageAt(url.pathname);
      if (target === undefined) this.#left.noFile++;
      else this.#arcs.add(page, target);
    }
  }

  /** @param folder as an absolute path. */
  parts(folder: string) {
    const readable = this.#files.paths.flatMap((_, page) => (this.#sizes[page] === undefined ? [] : page));
    const newId = new Map(readable.map((page, id) => [page, id]));
    const arcs = new ArcList();
    const { sources, targets } = this.#arcs;
    for (let i = 0; i < sources.length; i++) {
      const [source, target] = [newId.get(sources[i]), newId.get(targets[i])];
      if (source !== undefined && target !== undefined) arcs.add(source, target);
    }
    const places = readable.map((page) => this.#files.placeOf(page, folder, this.#options.hostPerFolder));
    const bytes = sharedUint32(readable.length);
    for (const [id, page] of readable.entries()) bytes[id] = Math.min(this.#sizes[page] ?? 0, 2 ** 32 - 1);
    return {
      pages: readable.length,
      sources: arcs.sources,
      targets: arcs.targets,
      hosts: hostsFromNames(places.map(([name]) => name)),
      paths: StringTable.from(places.map(([, path]) => path)),
      bytes,
    };
  }

  notes(): string[] {
    const { out, noFile, nofollow, odd, tooMany, cut } = this.#left;
    const plural = (count: number): string => (count === 1 ? '' : 's');
    const of = (count: number, what: string, rest: string): string[] =>
      count === 0 ? [] : [`${count} ${what}${plural(count)} ${rest}`];
    return [
      ...of(cut, 'file', `read only up to the limit of ${this.#options.recordLimitBytes ?? FILE_LIMIT_BYTES} bytes`),
      ...of(out, 'link', 'left out: out of the folder'),
      ...of(noFile, 'link', 'left out: not to an HTML file of the folder'),
      ...of(nofollow, 'link', 'left out: nofollow'),
      ...of(odd, 'link', 'left out: not a URL of http or https of at most 2048 characters'),
      ...of(tooMany, 'link', `left out: more than ${MAX_LINKS_PER_PAGE} on a page`),
    ];
  }
}
