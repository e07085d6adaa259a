import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import * as z from 'zod';
import { FolderSite, GraphSite, logLine, WebServer, type LoggedRequest } from '../../views/service/index.ts';
import { InputError, WorldError } from '../../base/index.ts';
import { counted } from '../text/figures.ts';
import { camelCase, completed, experimentOf, ownFlags, servedNetworkFlags, type RawFlags } from '../flags/flags.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { endSignal, listenAddress } from '../serving.ts';
import { refusal } from '../flags/out-file.ts';
import { printReady } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { seedPagesOf } from '../flags/seed-pages.ts';
import { basename } from 'node:path';
import { availableParallelism } from 'node:os';

const own = z.object({ port: z.int().min(0).max(65_535).optional() });
const SEEDS_SHOWN = 6;

interface Flags extends RawFlags {
  readonly folder?: readonly string[];
  readonly hostPerFolder?: true;
  readonly seedPage?: readonly string[];
  readonly listen?: string;
  readonly log?: string;
  readonly name?: string;
  readonly json?: true;
}

interface Served {
  readonly site: GraphSite | FolderSite;
  /** What is served, for people and for programs. */
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly startUrls: readonly string[];
  readonly keepAliveSeconds?: number | undefined;
}

export async function runServeWeb(name: string | undefined, flags: Flags): Promise<void> {
  const { port } = ownFlags(own, flags);
  const address = listenAddress(flags.listen);
  const served = await servedBy(name, flags);
  const ended = endSignal();
  const { site } = served;
  const server = await WebServer.listen(site, {
    address, port, keepAliveSeconds: served.keepAliveSeconds, onRequest: (request) => log?.add(request),
  });
  // Not before the server listens, or it would empty the log of the server that has this port; and in the same turn, so
  // that it misses no request.
  const log = flags.log === undefined ? undefined : new RequestLog(flags.log);
  try {
    await log?.opened;
    announce(server, served, flags.json);
    await Promise.race([ended, ...(log ? [log.broken] : [])]);
  } finally {
    await server.close();
  }
  await log?.close();
}

async function servedBy(name: string | undefined, flags: Flags): Promise<Served> {
  if ((name === undefined) === (flags.folder === undefined))
    throw new InputError('serve web needs a graph or --folder <[HOST=]DIR>');
  return name === undefined ? servedFolders(flags) : servedGraph(name, flags);
}

async function servedGraph(name: string, flags: Flags): Promise<Served> {
  if (flags.hostPerFolder === true) throw new InputError('--host-per-folder needs --folder, not a graph');
  const input = experimentOf(flags);
  // No delay or fault unless asked for; a preset brings its own.
  const none =
    input.network?.preset === undefined ? { latencyMs: 0, bandwidthBytesPerSecond: 0, keepAliveSeconds: 60 } : {};
  const { network, seed } = completed({ ...input, network: { ...none, ...input.network } });
  const graph = await namedGraph(name);
  const site = new GraphSite(graph, { network, seed, seedPages: seedPagesOf(graph, flags.seedPage) });
  return {
    site, startUrls: site.seedPages.map((page) => site.urls.urlOf(page)),
    text: `${printable(graph.name)}: ${counted(graph.pages, 'page')} on ${counted(graph.hosts.count, 'host')}`,
    facts: { graph: graph.name, pages: graph.pages, hosts: graph.hosts.count },
    keepAliveSeconds: network.keepAliveSeconds,
  };
}

async function servedFolders(flags: Flags): Promise<Served> {
  for (const flag of [...servedNetworkFlags, 'seed', 'seed-page']) {
    if (flags[camelCase(flag)] !== undefined) throw new InputError(`--${flag} needs a graph, not --folder`);
  }
  const folders = (flags.folder ?? []).map((text) => {
    const equals = text.search(/[=/]/);
    const parts =
      text[equals] === '='
        ? { host: text.slice(0, equals), folder: text.slice(equals + 1) }
        : { host: undefined, folder: text };
    if (parts.folder === '' || parts.host === '')
      throw new InputError(`--folder ${printableShort(text) || "''"}: must be a folder, or HOST=FOLDER`);
    return parts;
  });
  const site = await FolderSite.open(folders, { hostPerFolder: flags.hostPerFolder });
  const { hosts } = site;
  return {
    site, startUrls: hosts.map((host) => `http://${host}/`),
    text: `${counted(folders.length, 'folder')} on ${counted(hosts.length, 'host')}`,
    facts: { folders: folders.map(({ folder }) => folder), hosts: hosts.length },
  };
}

function announce({ authority, address, port }: WebServer, served: Served, json: true | undefined): void {
  const { site: { notes }, text, facts, startUrls } = served;
  const document = { ...facts, address, port, startUrls: startUrls.slice(0, 1000), notes };
  const seeds = startUrls.slice(0, SEEDS_SHOWN);
  printReady(json, document, [
    `serving ${text} at http://${authority}`,
    ...notes.map(printable),
    'crawl it:',
    `  orbweaver crawl ${seeds.map(printable).join(' ')}${startUrls.length > seeds.length ? ' ...' : ''} \\`,
    `    --out crawls/loopback --resolve '*=${authority}' --allow-network ${address.includes(':') ? `${address}/128` : '127.0.0.0/8'} --contact you@example.org`,
  ]);
}

class RequestLog {
  /** @throws InputError if the file cannot be written. */
  readonly opened: Promise<void>;
  /** Rejects with a WorldError when it can no longer be written; never resolves. */
  readonly broken: Promise<never>;
  readonly #stream: WriteStream;

  constructor(path: string) {
    this.#stream = createWriteStream(path);
    this.opened = once(this.#stream, 'open').then(() => undefined, (error: unknown) => {
      throw new InputError(`--log ${printableShort(path)}: ${refusal(error)}`);
    });
    this.broken = new Promise((_, reject) => {
      this.#stream.on('error', (error) => reject(new WorldError(`${path}: cannot be written: ${error.message}`)));
    });
    this.broken.catch(() => undefined);
  }

  add(request: LoggedRequest): void {
    this.#stream.write(logLine(request));
  }

  /** Resolves when everything is written. @throws WorldError if that fails. */
  async close(): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => this.#stream.end(() => resolve())), this.broken]);
  }
}

const ownOfSearch = z.object({
  port: z.int().min(0).max(65_535).default(0),
  threads: z.int().min(1).max(256).default(availableParallelism()),
});

export async function runServeSearch(path: string, flags: Flags): Promise<void> {
  const { port, threads } = ownFlags(ownOfSearch, flags);
  const address = listenAddress(flags.listen, 'the search');
  const [{ IndexSearcher }, { SearchServer }] =
    await Promise.all([import('../../search/index.ts'), import('../../views/service/search/index.ts')]);
  const name = flags.name ?? (basename(path).replace(/\.index$/, '') || path);
  const ended = endSignal();
  const searcher = new IndexSearcher(path, threads);
  try {
    // A file that is no index is refused before the server listens.
    const { documents, pages } = await searcher.facts();
    const server = await SearchServer.listen({ searcher, name, address, port });
    try {
      printReady(flags.json, { url: server.url, documents, pages }, [
        `search of ${printable(path)}: ${counted(documents, 'document')} at ${counted(pages, 'URL')}`,
        `open ${server.url}`,
      ]);
      await ended;
    } finally {
      await server.close();
    }
  } finally {
    await searcher.close();
  }
}
