import type { WebGraph } from '../../../graphs/graph/index.ts';
import type { RobotsTxt } from '../../../core/simulation/index.ts';
import type { PageUrls } from './page-urls.ts';
import type { Reply } from './site.ts';

const LINE = Buffer.from(`#${'.'.repeat(78)}\n`);
const LINES = Buffer.alloc(800 * LINE.length, LINE);

/** The robots.txt of a graph's hosts, written on request. Memory: 4 bytes per page and per host. */
export class HostRobots {
  readonly #urls: PageUrls;
  readonly #draws: RobotsTxt;
  readonly #bytes: number;
  readonly #seedPages: ReadonlySet<number>;
  /** Pages by host, ascending: those of host h are pages[offsets[h] ... offsets[h+1]). */
  readonly #offsets: Uint32Array;
  readonly #pages: Uint32Array;

  /** @param bytes minimum size of a robots.txt. */
  constructor(graph: WebGraph, urls: PageUrls, draws: RobotsTxt, bytes: number, seedPages: readonly number[]) {
    this.#urls = urls;
    this.#draws = draws;
    this.#bytes = bytes;
    this.#seedPages = new Set(seedPages);
    const { count, ofPage } = graph.hosts;
    this.#offsets = new Uint32Array(count + 2);
    this.#pages = new Uint32Array(graph.pages);
    // Counted two positions up, so that the scatter leaves each offset where it belongs.
    for (let page = 0; page < graph.pages; page++) this.#offsets[ofPage[page] + 2]++;
    for (let host = 1; host <= count + 1; host++) this.#offsets[host] += this.#offsets[host - 1];
    for (let page = 0; page < graph.pages; page++) this.#pages[this.#offsets[ofPage[page] + 1]++] = page;
  }

  firstPageOf(host: number): number | undefined {
    return this.#offsets[host] < this.#offsets[host + 1] ? this.#pages[this.#offsets[host]] : undefined;
  }

  /** Undefined if the host has none. */
  reply(host: number): Reply | undefined {
    if (!this.#draws.isAt(host)) return undefined;
    const lines = ['User-agent: *\n'];
    const delayUs = this.#draws.delayUs(host);
    if (delayUs > 0) lines.push(`Crawl-delay: ${delayUs / 1e6}\n`);
    for (let i = this.#offsets[host]; i < this.#offsets[host + 1]; i++) {
      const page = this.#pages[i];
      if (this.#draws.denies(page) && !this.#seedPages.has(page))
        lines.push(`Disallow: ${pattern(this.#urls.pathOf(page))}\n`);
    }
    const text = Buffer.from(lines.join(''));
    const body = [text, ...comment(this.#bytes - text.length)];
    const bytes = Math.max(text.length, this.#bytes);
    return {
      status: 200, headers: ['Content-Type', 'text/plain; charset=utf-8'], bytes, body, beginsAfterUs: 0,
      bytesPerUs: Infinity,
    };
  }
}

/** A rule of RFC 9309 (section 2.2.3) that matches only this path. */
function pattern(path: string): string {
  return `${path.replace(/[*$]/g, (character) => (character === '*' ? '%2A' : '%24'))}$`;
}

/** So many bytes of comment lines, as slices of one buffer. */
function comment(bytes: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let rest = bytes;
  for (; rest >= LINE.length; rest -= pieces.at(-1)!.length)
    pieces.push(LINES.subarray(0, Math.min(LINES.length, rest - (rest % LINE.length))));
  if (rest > 0) pieces.push(Buffer.from(`${'#'.repeat(rest - 1)}\n`));
  return pieces;
}
