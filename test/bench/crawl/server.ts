import { createServer, type AddressInfo } from 'node:net';
import { openGraph } from '../../../src/catalogue/index.ts';
import { WebServer } from '../../../src/service/index.ts';
import { benchSite, dealt } from './site.ts';

// The web of `npm run bench -- crawl`, in a process of its own so that what it costs is not the crawler's. Arguments:
// graph, hosts.

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const [graph, hosts] = process.argv.slice(2);
const port = await freePort();
await WebServer.listen(benchSite(dealt(await openGraph(graph), Number(hosts), port)), { port });
process.send?.(port);
process.on('disconnect', () => process.exit());
