import {
  crawledPages, crawlLive, resumeCrawl, type LiveCrawlOptions, type LiveCrawlRequest, type LiveResult,
} from 'orbweaver/crawl';

// usage: node crawl.js URL PORT, where `orbweaver serve web` serves the URL's host on that port of this machine.

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`does not hold: ${what}`);
}

const [url = '', port = ''] = process.argv.slice(2);
const request: LiveCrawlRequest = {
  experiment: { processors: 2, maxPages: 3, politenessMs: 10, superstepMs: 500 },
  live: {
    contact: 'ci@localhost', allowNetworks: ['127.0.0.0/8'],
    resolve: [{ host: '*', address: '127.0.0.1', port: Number(port) }],
  },
  seeds: [url],
};
let heard = 0;
const options: LiveCrawlOptions = { sinks: [{ outcome: () => { heard++; } }] };
const first: LiveResult = await crawlLive('crawled', request, options);
check(first.run.summary.pagesFetched === 3 && heard >= 3, 'pages are fetched, and a sink hears of them');
const { run, graph } = await resumeCrawl('crawled', { maxPages: 5 });
check(run.summary.pagesFetched === 5 && graph.pages >= 5, 'a crawl is resumed');
let read = 0;
for await (const page of crawledPages('crawled')) if (page.status === 200 && page.html() !== '') read++;
check(read === 5, 'the pages of a crawl are read again');
