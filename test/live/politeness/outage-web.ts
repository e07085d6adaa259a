import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a host is out: what its robots.txt, its connections, its name or its answers do meanwhile. */
export const outageKinds = [
  'robots.txt by 503', 'connections refused', 'names unknown for now', 'names hang', 'answers cut',
] as const;
export type OutageKind = (typeof outageKinds)[number];

/** A time in which a host, or every host, is out; seconds of the crawl's clock since the first contact with it. */
export interface Outage {
  /** A name, or `all`. */
  readonly host: string;
  readonly kind: OutageKind;
  readonly fromSeconds: number;
  readonly seconds: number;
}

export interface OutageWebOptions {
  /** Names, and the number of pages of each beside its root, which links to them and to every other root. */
  readonly hosts: ReadonlyMap<string, number>;
  readonly outages: readonly Outage[];
  /** Speed of the crawl's clock, in multiples of the machine's. */
  readonly speed: number;
}

/** A web on loopback whose hosts are out at times. */
export class OutageWeb {
  readonly requests: { readonly host: string; readonly path: string }[] = [];
  readonly #options: OutageWebOptions;
  readonly #server: Server;
  readonly #firstContactMs = new Map<string, number>();
  #port = 0;

  constructor(options: OutageWebOptions) {
    this.#options = options;
    const { hosts } = options;
    this.#server = createServer(({ headers: { host = '' }, url = '/' }, response) => {
      const name = host.replace(/:\d+$/, '');
      this.requests.push({ host: name, path: url });
      const outages = this.#outagesOf(name);
      if (outages.has('answers cut')) {
        response.destroy();
        return;
      }
      if (url === '/robots.txt') {
        response.writeHead(outages.has('robots.txt by 503') ? 503 : 404).end();
        return;
      }
      const own = Array.from({ length: hosts.get(name) ?? 0 }, (_, i) => `/p${i}`);
      const roots = url === '/' ? [...hosts.keys()].map((other) => this.urlOf(other)) : [];
      const links = [...own, ...roots].map((href) => `<a href="${href}">x</a>`).join('');
      response.writeHead(200, { 'content-type': 'text/html' }).end(links);
    });
  }

  /** The root of a host. */
  urlOf(host: string): string {
    return `http://${host}:${this.#port}/`;
  }

  get pages(): number {
    return [...this.#options.hosts.values()].reduce((sum, pages) => sum + pages + 1, 0);
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => { this.#server.listen(0, '127.0.0.1', resolve); });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Replaces the system's DNS. */
  readonly lookup = (name: string): Promise<readonly string[]> => {
    const outages = this.#outagesOf(name);
    if (outages.has('names hang')) return new Promise(() => undefined);
    if (outages.has('names unknown for now'))
      return Promise.reject(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }));
    // Nobody listens at the first of these addresses.
    return Promise.resolve([outages.has('connections refused') ? '127.0.0.77' : '127.0.0.1']);
  };

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => { this.#server.close(resolve); });
  }

  /** How a host is out now, to whoever asks. */
  #outagesOf(name: string): Set<OutageKind> {
    const { outages, speed } = this.#options;
    const now = performance.now();
    for (const place of [name, 'all']) if (!this.#firstContactMs.has(place)) this.#firstContactMs.set(place, now);
    return new Set(outages.filter(({ host, fromSeconds, seconds }) => {
      if (host !== name && host !== 'all') return false;
      const passed = (now - this.#firstContactMs.get(host)!) * speed / 1000;
      return passed >= fromSeconds && passed < fromSeconds + seconds;
    }).map(({ kind }) => kind));
  }
}
