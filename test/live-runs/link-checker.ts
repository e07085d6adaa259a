import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { Parser } from 'htmlparser2';

export interface CheckedWeb {
  /** Pages of HTML, and what they lead to on the hosts asked for: none twice, bare fragments left out. */
  readonly pages: ReadonlyMap<string, readonly string[]>;
  /** What is moved, and where to. */
  readonly redirects: ReadonlyMap<string, string>;
  /** What is linked and not there, by status. */
  readonly broken: ReadonlyMap<string, number>;
  /** What is there and no HTML. */
  readonly others: ReadonlySet<string>;
}

/**
 * The dullest correct crawler: breadth first, one request after the other, every link asked for. It shares no line with
 * the product. Hosts are those of the seeds; all are found at 127.0.0.1. No robots.txt is asked for, no extension left
 * out, and nothing is ever too long.
 */
export async function checkLinks(seeds: readonly string[], port: number): Promise<CheckedWeb> {
  const hosts = new Set(seeds.map((seed) => new URL(seed).host));
  const pages = new Map<string, string[]>();
  const redirects = new Map<string, string>();
  const broken = new Map<string, number>();
  const others = new Set<string>();
  const queue = [...new Set(seeds.map((seed) => spelling(seed, undefined)!))];
  const known = new Set(queue);
  const found = (urls: readonly string[]): string[] => {
    const own = [...new Set(urls)].filter((url) => hosts.has(new URL(url).host));
    for (const url of own) {
      if (known.has(url)) continue;
      known.add(url);
      queue.push(url);
    }
    return own;
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    // The queue grows as it is gone through.
    for (const url of queue) {
      const { status, headers, body } = await answerTo(url, port, agent);
      const type = headers['content-type'] ?? '';
      const target = headers.location === undefined ? undefined : spelling(headers.location, url);
      if (status >= 300 && status <= 399 && target !== undefined) {
        redirects.set(url, target);
        found([target]);
      } else if (status !== 200) broken.set(url, status);
      else if (!/^(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type)) others.add(url);
      else pages.set(url, found(linksOf(textOf(body, type), url)));
    }
  } finally {
    agent.destroy();
  }
  return { pages, redirects, broken, others };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function answerTo(url: string, port: number, agent: Agent): Promise<Answer> {
  const { host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    get({ agent, host: '127.0.0.1', port, path: pathname + search, headers: { Host: host } }, (message) => {
      const pieces: Buffer[] = [];
      message.on('data', (piece: Buffer) => pieces.push(piece));
      message.on('end', () => {
        resolve({ status: message.statusCode!, headers: message.headers, body: Buffer.concat(pieces) });
      });
      message.on('error', reject);
    }).on('error', reject);
  });
}

/**
 * What is said of the encoding in the header, at the page's beginning, or nothing: then it is that of the web's first
 * pages.
 */
function textOf(body: Buffer, type: string): string {
  const said = /charset\s*=\s*["']?([\w-]+)/i;
  const label = (said.exec(type) ?? said.exec(body.toString('latin1', 0, 1024)))?.[1] ?? 'windows-1252';
  return new TextDecoder(label).decode(body);
}

function linksOf(html: string, url: string): string[] {
  const hrefs: string[] = [];
  const bases: string[] = [];
  let isNofollow = false as boolean;
  const says = (words: string | undefined): boolean => /(^|[\s,])(nofollow|none)([\s,]|$)/i.test(words ?? '');
  const parser = new Parser({
    onopentag(tag, attributes: Readonly<Record<string, string | undefined>>) {
      const { href, src, rel, name = '', content = '' } = attributes;
      if (tag === 'base' && href !== undefined) bases.push(href);
      if (tag === 'meta' && /^\s*(robots|orbweaver)\s*$/i.test(name)) isNofollow ||= says(content);
      if (tag === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh') {
        const target = /^\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(["']?)(.+?)\1\s*$/i.exec(content)?.[2];
        if (target !== undefined) hrefs.push(target);
      }
      const link = tag === 'a' || tag === 'area' ? href : tag === 'frame' || tag === 'iframe' ? src : undefined;
      if (link !== undefined && !says(rel)) hrefs.push(link);
    },
  });
  parser.end(html);
  if (isNofollow) return [];
  const from = (bases.length === 0 ? undefined : spelling(bases[0], url)) ?? url;
  return hrefs
    .filter((href) => !/^\s*#/.test(href))
    .map((href) => spelling(href, from))
    .filter((link) => link !== undefined);
}

/** src/core/live/README.md, "One spelling a page"; undefined where there is none. */
function spelling(href: string, base: string | undefined): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const path = (url.pathname.replaceAll('^', '%5E') + url.search)
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const letter = String.fromCharCode(parseInt(octet.slice(1), 16));
      return /[a-z0-9._~-]/i.test(letter) ? letter : octet.toUpperCase();
    });
  return new URL(`${url.protocol}//${url.host.replace(/\.(?=:|$)/, '')}${path}`).href;
}
