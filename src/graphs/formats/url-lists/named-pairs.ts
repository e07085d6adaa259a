import { StringTable, type GraphParts, type WebGraph } from '../../graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { ArcList, noteBothWays } from '../arc-list.ts';
import { CrawlPages } from '../crawl-pages.ts';
import { isUndirected } from '../direction.ts';
import { startOf, type FileStart } from '../file-start.ts';
import type { FileKind, Format } from '../format.ts';
import { pageUrl } from '../../../base/web/index.ts';
import { graphNameOfParts } from '../graph-name.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { eachDataLine } from '../text-lines.ts';

/** A Map holds no more entries. */
const MAX_NAMES = 2 ** 24;

export const namedPairs = {
  name: 'named-pairs',
  title: 'list of named links',
  holds: 'two URLs or names, separated by a tab',
  several: true,
  partner: 'names',
  begins: (start) => namesOnFirstLine(start) === 2,
  read: readNamedPairs,
} as const satisfies Format;

/** Pages of a graph of named pairs; not a graph by itself. */
export const names = {
  name: 'names',
  begins: (start) => namesOnFirstLine(start) === 1,
} as const satisfies FileKind;

/** Number of fields of the first line if all are names or URLs, not just numbers; otherwise 0. */
function namesOnFirstLine({ firstLine, isPlainText, isMarkup }: FileStart): number {
  const fields = firstLine?.split('\t') ?? [];
  return isPlainText && !isMarkup && fields.every((name) => /[^-0-9., ]/.test(name)) ? fields.length : 0;
}

/**
 * Reads links between named pages, `source TAB target` per line, plain or gzipped; lines with `#` are comments. If they
 * say that the graph is undirected, each line is a link both ways. Several files make one graph. They may include files
 * with one name per line, whose pages then precede the others, with or without links. Otherwise pages are in order of
 * first mention. NamedLinks describes what names become.
 *
 * Errors   InputError with file and line; also beyond 16,777,216 names that are not URLs.
 * Cost     O(bytes + n + m); memory: the graph and about 200 bytes per page.
 */
export async function readNamedPairs(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  const links = new NamedLinks();
  const pairs: string[] = [];
  for (const path of paths) {
    if (paths.length === 1 || !names.begins(await startOf(path))) pairs.push(path);
    else await readLines(path, options, 1, ([name]) => links.page(name));
  }
  const take = await isUndirected(pairs)
    ? (source: string, target: string) => links.edge(source, target)
    : (source: string, target: string) => links.link(source, target);
  for (const path of pairs) await readLines(path, options, 2, ([source, target]) => take(source, target));
  if (!links.hasPages)
    throw new InputError(`${paths[0]}: contains no links; expected two names or URLs per line, separated by a tab`);
  return links.graph(options.name ?? graphNameOfParts(pairs.length > 0 ? pairs : paths), options);
}

/** Passes the fields of each line to `take`, which returns their fault. */
async function readLines(
  path: string, options: ReadOptions, fieldsALine: 1 | 2, take: (fields: readonly string[]) => string | undefined,
): Promise<void> {
  await eachDataLine(path, options, (line, fail) => {
    const fields = line.split('\t');
    if (fields.length !== fieldsALine || fields.includes('')) {
      fail(fieldsALine === 1 ? 'expected one name or URL' : 'expected two names or URLs, separated by a tab');
    }
    const fault = take(fields);
    if (fault !== undefined) fail(fault);
  });
}

/**
 * Links between pages that are named by text. If the first is a URL, all must be URLs, which become hosts and paths as
 * in archives (crawl-pages.ts); other links are left out, counted and reported. Otherwise names are any text: a page's
 * path is `/` and its name, and hosts are drawn.
 */
export class NamedLinks {
  #pages: UrlPages | NamedPages | undefined;
  /** Undirected links. */
  #edges = 0;

  get hasPages(): boolean {
    return this.#pages !== undefined && this.#pages.count > 0;
  }

  /** Adds a link; returns the error in it, if any. */
  link(source: string, target: string): string | undefined {
    return hasControl(source) || hasControl(target) ? 'has control characters' : this.#of(source).link(source, target);
  }

  /** Adds a link both ways; returns the error in it, if any. */
  edge(source: string, target: string): string | undefined {
    this.#edges++;
    return this.link(source, target) ?? (source === target ? undefined : this.link(target, source));
  }

  /** Adds a page; returns the error in it, if any. */
  page(name: string): string | undefined {
    return hasControl(name) ? 'has control characters' : this.#of(name).page(name);
  }

  graph(name: string, { onNote }: ReadOptions): WebGraph {
    const pages = this.#of('');
    const { leftOut } = pages;
    noteBothWays(name, this.#edges, onNote);
    if (leftOut > 0) {
      onNote?.(
        `${name}: ${leftOut} ${leftOut === 1 ? 'link' : 'links'} left out: ` +
          'not between two URLs of http or https of at most 2048 characters',
      );
    }
    return buildNoting({ name, ...pages.parts() }, onNote);
  }

  #of(first: string): UrlPages | NamedPages {
    return (this.#pages ??= first.includes('://') ? new UrlPages() : new NamedPages());
  }
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** A parsed URL, and its page after its first link. */
interface KnownUrl {
  readonly url: URL;
  id: number | undefined;
}

/** Cached texts: the same pages are named repeatedly, and parsing a URL takes microseconds. */
const MAX_KNOWN = 1 << 16;

class UrlPages {
  readonly #pages = new CrawlPages();
  /** Null for anything but the URL of a page. */
  readonly #cached = new Map<string, KnownUrl | null>();
  leftOut = 0;

  get count(): number {
    return this.#pages.mentioned;
  }

  link(source: string, target: string): undefined {
    const [from, to] = [this.#parsed(source), this.#parsed(target)];
    if (from && to) this.#pages.link(this.#idOf(from), this.#idOf(to));
    else this.leftOut++;
  }

  page(name: string): undefined {
    const url = this.#parsed(name);
    if (url) this.#idOf(url);
  }

  #parsed(text: string): KnownUrl | undefined {
    let entry = this.#cached.get(text);
    if (entry === undefined) {
      const url = pageUrl(text);
      entry = typeof url === 'string' ? null : { url, id: undefined };
      if (this.#cached.size === MAX_KNOWN) this.#cached.clear();
      this.#cached.set(text, entry);
    }
    return entry ?? undefined;
  }

  #idOf(entry: KnownUrl): number {
    return (entry.id ??= this.#pages.idOf(entry.url));
  }

  parts(): Omit<GraphParts, 'name'> {
    // Sizes are unknown, which differs from 0.
    return { ...this.#pages.parts(false), bytes: undefined };
  }
}

class NamedPages {
  readonly #idOf = new Map<string, number>();
  readonly #arcs = new ArcList();
  readonly leftOut = 0;

  get count(): number {
    return this.#idOf.size;
  }

  link(source: string, target: string): string | undefined {
    const fault = this.page(source) ?? this.page(target);
    if (fault === undefined) this.#arcs.add(this.#idOf.get(source) ?? 0, this.#idOf.get(target) ?? 0);
    return fault;
  }

  page(name: string): string | undefined {
    if (this.#idOf.has(name)) return undefined;
    if (this.#idOf.size === MAX_NAMES) return `is the first with more than ${MAX_NAMES} names`;
    this.#idOf.set(name, this.#idOf.size);
    return undefined;
  }

  parts(): Omit<GraphParts, 'name'> {
    const { sources, targets } = this.#arcs;
    return {
      pages: this.#idOf.size,
      sources,
      targets,
      paths: StringTable.from([...this.#idOf.keys()].map((name) => `/${name}`)),
    };
  }
}
