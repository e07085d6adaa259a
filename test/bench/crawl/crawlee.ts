import dns from 'node:dns';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { CrawlSide, CrawlTask } from './crawl.ts';

interface Context {
  readonly body: string | Buffer;
  readonly enqueueLinks: (options: { strategy: 'all' }) => Promise<unknown>;
}

interface Crawler {
  run(urls: readonly string[]): Promise<unknown>;
  stop(): void;
}

/** What a side does with a page. */
type Handler = (context: Context) => Promise<unknown>;

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
 *
 * A side is stopped here once it has the pages. With Crawlee's own limit (`maxRequestsPerCrawl`) it adds the links of a
 * page in batches no larger than what is left of the limit, and sleeps for a second after each: most links are known,
 * so it slept most of the time (3.18.1, RequestProvider.addRequestsBatched).
 */
export function crawleeSides(folder: string, { urls, seeds, connections }: CrawlTask): CrawlSide[] {
  const load = createRequire(resolve(folder, 'package.json'));
  const [http, cheerio] = [load('@crawlee/http') as Crawlee['http'], load('@crawlee/cheerio') as Crawlee['cheerio']];
  // Off.
  http.log.setLevel(0);

  const side = (
    name: string, Kind: CrawlerClass, handler: Handler, from: readonly string[], more: Record<string, unknown> = {},
  ): CrawlSide => ({
    name,
    run: (end) =>
      withLoopback(async () => {
        const configuration = new http.Configuration({ persistStorage: false, systemInfoIntervalMillis: 3_600_000 });
        let pages = 0;
        const requestHandler: Handler = async (context) => {
          if (pages >= urls.length) return;
          pages++;
          await handler(context);
          if (pages < urls.length) return;
          end();
          crawler.stop();
        };
        const crawler = new Kind(
          {
            minConcurrency: connections, maxConcurrency: connections, useSessionPool: false,
            autoscaledPoolOptions: { desiredConcurrency: connections },
            persistCookiesPerSession: false, maxRequestRetries: 0, requestHandler, ...more,
          },
          configuration,
        );
        await crawler.run(from);
        return { pages };
      }),
  });
  const takesBody: Handler = ({ body }) => {
    if (body.length === 0) throw new Error('a page came without its body');
    return Promise.resolve();
  };
  const follows: Handler = ({ enqueueLinks }) => enqueueLinks({ strategy: 'all' });
  const { HttpCrawler } = http;
  const { CheerioCrawler } = cheerio;
  return [
    side('Crawlee HttpCrawler, a list of URLs', HttpCrawler, takesBody, urls),
    side('Crawlee CheerioCrawler, links', CheerioCrawler, follows, seeds),
    side(
      'Crawlee CheerioCrawler, robots.txt and links', CheerioCrawler, follows, seeds, { respectRobotsTxtFile: true },
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
