import { benchCrawl, type CrawlBenchOptions } from './crawl.ts';

// `npm run bench -- crawl` as a process of its own, compiled, as users run the crawl: threads of TypeScript start in
// ten times as long. Argument: the options, as JSON.

process.send?.(await benchCrawl(JSON.parse(process.argv[2]) as CrawlBenchOptions));
process.disconnect();
