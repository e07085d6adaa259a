import { isUtf8 } from 'node:buffer';
import { StringTable, type GraphParts, type WebGraph } from '../graph/index.ts';
import { grown, InputError } from '../std/index.ts';
import { bytesOf } from './byte-source.ts';
import { graphNameOfParts } from './graph-name.ts';
import { eachLine } from './lines.ts';
import { quoted } from './quote.ts';
import { buildNoting, type ReadOptions } from './read-options.ts';
import { CrawlPages, pageUrl } from './warc/crawl-pages.ts';

/** A Map holds no more entries. */
const MOST_NAMES = 2 ** 24;

/**
 * Reads links between named pages, `source TAB target` a line, plain or gzipped, lines with `#` being comments; several files
 * make one graph. Pages stand in the order of first mention. Where the first line begins with a URL, all must be URLs: they become
 * hosts and paths as those of archives do (warc/crawl-pages.ts), and links from or to other things are left out, counted and
 * told. Else names are any text: a page's path is `/` and its name, and hosts are drawn.
 *
 * Errors   InputError with file and line; also beyond 16,777,216 names that are no URLs.
 * Cost     O(bytes + n + m); memory: the graph and some 200 bytes a page.
 */
export async function readNamedPairs(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  let pages: UrlPages | NamedPages | undefined;
  for (const path of paths) {
    await eachLine(bytesOf(path), path, (line, number) => {
      if (line.length === 0 || line[0] === 35) return;
      const fail = (what: string): never => {
        throw new InputError(`${path}: line ${number}: ${what}: ${quoted(line)}`);
      };
      if (!isUtf8(line)) fail('is not UTF-8');
      const fields = Buffer.from(line).toString().split('\t');
      if (fields.length !== 2 || fields.includes('')) fail('expected two names or URLs, between them a tab');
      if (/\p{Cc}/u.test(fields[0] + fields[1])) fail('has control characters');
      pages ??= fields[0].includes('://') ? new UrlPages() : new NamedPages();
      if (!pages.link(fields[0], fields[1])) fail(`is the first with more than ${MOST_NAMES} names`);
    });
  }
  const parts = pages?.parts();
  if (!pages || !parts || parts.pages === 0) throw new InputError(`${paths[0]}: holds no links; expected two names or URLs a line, between them a tab`);
  const name = options.name ?? graphNameOfParts(paths);
  if (pages.leftOut > 0) {
    options.onNote?.(`${name}: ${pages.leftOut} ${pages.leftOut === 1 ? 'link' : 'links'} left out: not between two URLs of http or https of at most 2048 characters`);
  }
  return buildNoting({ name, ...parts }, options.onNote);
}

class UrlPages {
  readonly #pages = new CrawlPages();
  leftOut = 0;

  link(source: string, target: string): true {
    const [from, to] = [pageUrl(source), pageUrl(target)];
    if (typeof from === 'string' || typeof to === 'string') this.leftOut++;
    else this.#pages.link(this.#pages.idOf(from), this.#pages.idOf(to));
    return true;
  }

  parts(): Omit<GraphParts, 'name'> {
    // Sizes are not known, which is another thing than 0.
    return { ...this.#pages.parts(false), bytes: undefined };
  }
}

class NamedPages {
  readonly #idOf = new Map<string, number>();
  #sources = new Uint32Array(1 << 12);
  #targets = new Uint32Array(1 << 12);
  #links = 0;
  readonly leftOut = 0;

  /** False where there is no room for more names. */
  link(source: string, target: string): boolean {
    if (this.#idOf.size > MOST_NAMES - 2) return false;
    this.#sources = grown(this.#sources, this.#links + 1);
    this.#targets = grown(this.#targets, this.#links + 1);
    this.#sources[this.#links] = this.#id(source);
    this.#targets[this.#links++] = this.#id(target);
    return true;
  }

  #id(name: string): number {
    const id = this.#idOf.get(name) ?? this.#idOf.size;
    this.#idOf.set(name, id);
    return id;
  }

  parts(): Omit<GraphParts, 'name'> {
    return {
      pages: this.#idOf.size,
      sources: this.#sources.subarray(0, this.#links),
      targets: this.#targets.subarray(0, this.#links),
      paths: StringTable.from([...this.#idOf.keys()].map((name) => `/${name}`)),
    };
  }
}
