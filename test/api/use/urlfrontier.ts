import {
  connectFrontier, FrontierServer, linkKeysName, linksName, type Capacity, type FrontierAt, type FrontierConnection,
  type FrontierServerOptions,
} from 'orbweaver/urlfrontier';

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`does not hold: ${what}`);
}

const options: FrontierServerOptions = { store: 'frontier', policy: 'opic', token: 'a-token-of-the-user' };
const server = await FrontierServer.listen(options);
const capacity: Capacity = server.capacity;
check(capacity.urls > 0, 'URLs fit');
const at: FrontierAt = { address: `127.0.0.1:${server.port}`, token: 'a-token-of-the-user' };
const connection: FrontierConnection = connectFrontier(at);
const metadata = { [linksName]: { values: ['http://b.example/'] }, [linkKeysName]: { values: ['b.example'] } };
async function* items() {
  const info = { url: 'http://a.example/', metadata };
  yield await Promise.resolve({ item: { $case: 'known' as const, known: { info, refetchableFromDate: 1n } } });
}
for await (const { status } of connection.calls.putURLs(items())) check(status === 0, 'it is acknowledged');
let urls = 0;
for await (const { url } of connection.calls.getURLs({ maxUrlsPerQueue: 1 })) {
  check(url === 'http://a.example/', 'what was put comes out');
  urls++;
}
check(urls === 1, 'once');
connection.close();
await server.close();
