import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkSchema, type ExperimentInput } from '../../src/core/settings/index.ts';
import {
  copying, copyingDefaults, buildGraph, hostsFromNames, type GraphRows, type WebGraph,
} from '../../src/graphs/graph/index.ts';
import type { LiveInput } from '../../src/core/live/index.ts';
import { GraphSite, WebServer, type LoggedRequest, type Site } from '../../src/views/service/index.ts';

/** A web on loopback, what its server saw, and folders for crawls of it. */
export interface Loopback {
  readonly port: number;
  readonly log: LoggedRequest[];
  /** Settings of a crawler that finds all names here. */
  readonly live: LiveInput;
  /** A folder that does not exist yet, and is removed in the end. */
  folder(): string;
  close(): Promise<void>;
}

/** @param addressOf addresses of hosts by name, others than 127.0.0.1: only Linux has them without set-up. */
export async function loopback(
  site: Site, { addressOf = new Map() }: { readonly addressOf?: ReadonlyMap<string, string> } = {},
): Promise<Loopback> {
  const log: LoggedRequest[] = [];
  const listen = async (address: string) =>
    WebServer.listen(site, { address, onRequest: (request) => { log.push(request); } });
  const server = await listen('127.0.0.1');
  const others = new Map<string, WebServer>();
  for (const address of new Set(addressOf.values())) others.set(address, await listen(address));
  const resolved = Array.from(addressOf, ([host, address]) => ({ host, address, port: others.get(address)!.port }));
  const root = mkdtempSync(join(tmpdir(), 'orbweaver-crawl-'));
  let folders = 0;
  return {
    port: server.port,
    log,
    live: {
      contact: 'test@localhost', allowNetworks: ['127.0.0.0/8'],
      resolve: [...resolved, { host: '*', address: '127.0.0.1', port: server.port }], readerThreads: 0,
    },
    folder: () => join(root, String(folders++)),
    async close() {
      await Promise.all([server, ...others.values()].map((each) => each.close()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A stored graph as a web, with the simulated network's options: by default nothing takes time, and nothing fails. */
export function graphWeb(graph: WebGraph, network: NonNullable<ExperimentInput['network']> = {}, seed = 1): GraphSite {
  const nothing = {
    latencyMs: 0, latencySigma: 0, bandwidthBytesPerSecond: 0, bandwidthSigma: 0, processorBandwidthBytesPerSecond: 0,
  };
  return new GraphSite(graph, { network: networkSchema.parse({ ...nothing, ...network }), seed });
}

/** A graph of the copying model, six links a page. @param hosts that many, of equal size; by default the model's. */
export function syntheticWeb(pages: number, seed: number, hosts?: number): WebGraph {
  const rows = copying({ ...copyingDefaults, pages, arcs: 6 * pages, seed });
  if (hosts === undefined) return builtOf(rows);
  const names = Array.from({ length: pages }, (_, page) => `h${Math.floor((page * hosts) / pages)}.synthetic.invalid`);
  return builtOf({ ...rows, hosts: { ...hostsFromNames(names), synthetic: true } });
}

/** The graph of rows. */
export function builtOf(rows: GraphRows): WebGraph {
  const sources: number[] = [];
  const targets: number[] = [];
  let page = 0;
  for (const row of rows.rows()) {
    for (const target of row) {
      sources.push(page);
      targets.push(target);
    }
    page++;
  }
  return buildGraph({ ...rows, sources: Uint32Array.from(sources), targets: Uint32Array.from(targets) });
}

/** URLs of pages of a graph. */
export function urlsOf(site: GraphSite, pages: Iterable<number>): string[] {
  return Array.from(pages, (page) => site.urls.urlOf(page));
}
