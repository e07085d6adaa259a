import type { NewRun } from '../../../src/views/service/dashboard/api.ts';
import type { Site } from '../../../src/views/service/index.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../crawl/loopback.ts';

/** A web on loopback that counts its open requests. */
export class CountedWeb {
  static async open(pages: number, latencyMs: number): Promise<CountedWeb> {
    const web = new CountedWeb();
    const site = graphWeb(syntheticWeb(pages, 5), { latencyMs });
    web.seeds = urlsOf(site, site.seedPages);
    const counted: Site = {
      name: site.name, hasHost: (host) => site.hasHost(host),
      reply: (request) => {
        web.#begun++;
        web.begunOf.set(request.host, (web.begunOf.get(request.host) ?? 0) + 1);
        web.opens.push(web.open);
        return site.reply(request);
      },
    };
    web.#loopback = await loopback(counted);
    return web;
  }

  seeds: readonly string[] = [];
  /** How many were open as each request began, itself included. */
  readonly opens: number[] = [];
  /** Requests by host. */
  readonly begunOf = new Map<string, number>();
  #begun = 0;
  #loopback!: Loopback;

  get begun(): number {
    return this.#begun;
  }

  get open(): number {
    return this.#begun - this.#loopback.log.length;
  }

  /** The most at once while the last 12 requests began. */
  get mostOpen(): number {
    return Math.max(...this.opens.slice(-12));
  }

  /** All names lead here. */
  get live(): Pick<Loopback['live'], 'contact' | 'allowNetworks' | 'resolve' | 'readerThreads'> {
    const { port, live } = this.#loopback;
    return { ...live, resolve: [{ host: '*', address: '127.0.0.1', port }] };
  }

  /** What a form sends. */
  crawl(settings: object): NewRun {
    return {
      kind: 'live', seeds: [...this.seeds],
      settings: { processors: 1, politenessMs: 1, superstepMs: 100, ...settings, live: this.live },
    };
  }

  close(): Promise<void> {
    return this.#loopback.close();
  }
}
