import { createServer, type AddressInfo } from 'node:net';
import { WebServer } from '../../../src/views/service/index.ts';
import { benchSite, type BenchWeb, type BenchWebServed } from './site.ts';

// The web of `npm run bench -- crawl`, in a process of its own so that what it costs is not the crawler's. Argument: a
// BenchWeb, as JSON.

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const web = JSON.parse(process.argv[2]) as BenchWeb;
const port = await freePort();
const served = await benchSite(web, port);
await WebServer.listen(served.site, { port });
process.send?.({ port, seeds: served.seeds } satisfies BenchWebServed);
process.on('disconnect', () => process.exit());
