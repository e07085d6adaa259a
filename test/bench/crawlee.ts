import dns from 'node:dns';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { CrawlSide, CrawlTask } from './crawl.ts';

interface Context {
  readonly body: string | Buffer;
  readonly enqueueLinks: (options: { strategy: 'all' }) => Promise<unknown>;
}

interface Crawler {
  readonly stats: { readonly state: { readonly requestsFinished: number } };
  run(urls: readonly string[]): Promise<unknown>;
}

type CrawlerClass = new (options: Record<string, unknown>, configuration: unknown) => Crawler;

/** What is used of Crawlee, which is no dependency: `npm i @crawlee/http @crawlee/cheerio` in a folder elsewhere. */
interface Crawlee {
  readonly http: {
    readonly HttpCrawler: CrawlerClass;
    readonly Configuration: new (options: Record<string, unknown>) => unknown;
    readonly log: { setLevel(level: number): void };
  };
  readonly cheerio: { readonly CheerioCrawler: CrawlerClass };
}

/**
 * Crawlee's sides, with what it does besides crawling left out: storage in memory, no sessions, cookies or retries, and
 * as many requests under way as connections, whatever the machine's load.
 */
export function crawleeSides(folder: string, { urls, seeds, connections }: CrawlTask): CrawlSide[] {
  const load = createRequire(resolve(folder, 'package.json'));
  const [http, cheerio] = [load('@crawlee/http') as Crawlee['http'], load('@crawlee/cheerio') as Crawlee['cheerio']];
  // Off.
  http.log.setLevel(0);

  const side = (
    name: string, Kind: CrawlerClass, more: Record<string, unknown>, from: readonly string[], isCut: boolean,
  ): CrawlSide => ({
    name,
    run: () =>
      withLoopback(async () => {
        const configuration = new http.Configuration({ persistStorage: false, systemInfoIntervalMillis: 3_600_000 });
        const crawler = new Kind(
          {
            minConcurrency: connections, maxConcurrency: connections, useSessionPool: false,
            persistCookiesPerSession: false, maxRequestRetries: 0, ...(isCut && { maxRequestsPerCrawl: urls.length }),
            ...more,
          },
          configuration,
        );
        await crawler.run(from);
        return { pages: crawler.stats.state.requestsFinished };
      }),
  });
  const takesBody = ({ body }: Context): Promise<void> => {
    if (body.length === 0) throw new Error('a page came without its body');
    return Promise.resolve();
  };
  const follows = async ({ enqueueLinks }: Context): Promise<void> => { await enqueueLinks({ strategy: 'all' }); };
  const { HttpCrawler } = http;
  const { CheerioCrawler } = cheerio;
  return [
    side('Crawlee HttpCrawler, a list of URLs', HttpCrawler, { requestHandler: takesBody }, urls, false),
    side('Crawlee CheerioCrawler, links', CheerioCrawler, { requestHandler: follows }, seeds, true),
    side(
      'Crawlee CheerioCrawler, robots.txt and links', CheerioCrawler,
      { requestHandler: follows, respectRobotsTxtFile: true }, seeds, true,
    ),
  ];
}

/** All names are this machine's meanwhile: Crawlee asks for robots.txt where no option of its own reaches. */
async function withLoopback<T>(work: () => Promise<T>): Promise<T> {
  const { lookup } = dns;
  const here = { address: '127.0.0.1', family: 4 };
  type Callback = (error: null, address: string | typeof here[], family?: number) => void;
  const loopback = (_name: string, options: { readonly all?: boolean } | Callback, callback?: Callback): void => {
    const [done, isAll] = typeof options === 'function' ? [options, false] : [callback!, options.all === true];
    process.nextTick(() => { if (isAll) done(null, [here]); else done(null, here.address, here.family); });
  };
  dns.lookup = loopback as typeof lookup;
  try {
    return await work();
  } finally {
    dns.lookup = lookup;
  }
}
