/**
 * A frontier that ranks, for other fetchers, and a typed client of any server that speaks the gRPC protocol
 * URLFrontier. Items of the protocol are plain objects; its dates and counts of 64 bits are `bigint`.
 *
 * @example
 * ```ts
 * import { connectFrontier, FrontierServer, linksName } from 'orbweaver/urlfrontier';
 *
 * const server = await FrontierServer.listen({ store: 'frontier' });
 * const { calls, close } = connectFrontier({ address: `127.0.0.1:${server.port}` });
 * async function* items() {
 *   yield { item: { $case: 'discovered' as const, discovered: { info: { url: 'http://a.example/' } } } };
 * }
 * for await (const { ID, status } of calls.putURLs(items())) console.log(ID, status);
 * for await (const { url } of calls.getURLs({ maxUrlsPerQueue: 1 })) console.log(url, linksName);
 * close();
 * await server.close();
 * ```
 *
 * @packageDocumentation
 */
export {
  connectFrontier, FrontierServer, linkKeysName, linksName, type Capacity, type FrontierAt, type FrontierConnection,
  type FrontierServerOptions,
} from './views/service/frontier/index.ts';
