import { createServer } from 'nice-grpc';
import {
  urlFrontierService, type AckMessage, type GetParams, type URLInfo, type URLItem,
} from '../../../src/views/service/frontier/index.ts';

/** What gRPC alone costs: PutURLs and GetURLs answered from a Map, one crawl after another, nothing stored. */
const crawls = new Map<string, Map<string, URLInfo>>();
const { putURLs, getURLs } = urlFrontierService;

const server = createServer();
server.add({ putURLs, getURLs }, {
  async *putURLs(items: AsyncIterable<URLItem>): AsyncGenerator<AckMessage> {
    for await (const { item } of items) {
      const info = item?.$case === 'discovered' ? item.discovered.info! : undefined;
      const { crawlID, url } = info!;
      const urls = crawls.get(crawlID) ?? new Map<string, URLInfo>();
      crawls.set(crawlID, urls);
      urls.set(url, info!);
      yield { ID: url, status: 0 };
    }
  },
  async *getURLs({ item }: GetParams): AsyncGenerator<URLInfo> {
    const urls = crawls.get(item?.$case === 'crawlID' ? item.crawlID : '');
    for (const info of urls?.values() ?? []) yield await Promise.resolve(info);
  },
});
process.stdout.write(`{"port": ${await server.listen('127.0.0.1:0')}}\n`);
