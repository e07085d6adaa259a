import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runMaker } from '../../src/cli/answers/run-maker.ts';
import { pagesOpener } from '../../src/cli/answers/run-pages.ts';
import { IndexSearcher, IndexWriter } from '../../src/search/index.ts';
import { DashboardServer, FolderSite, MetricsServer, WebServer, type Site } from '../../src/views/service/index.ts';
import { SearchServer } from '../../src/views/service/search/index.ts';
import { graphWeb, syntheticWeb, urlsOf } from '../crawl/loopback.ts';
import { wolves } from './search/served.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { tries } from '../sweep.ts';

// Goal: whatever stands where a request has its path, each server says that it has no such thing, and lives on.

const { folder } = temporaryFolder();

interface Server {
  readonly port: number;
  /** What a request needs to get in. */
  readonly headers?: string;
  readonly host?: string;
  close(): Promise<unknown>;
}

/** The status of the answer to a request with this target, letter by letter; 0 if there is none. */
function statusOf({ port, headers = '', host = `127.0.0.1:${port}` }: Server, target: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`, 'latin1');
    });
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => { text += piece; });
    socket.on('error', () => undefined).on('close', () => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0));
    });
  });
}

async function searchServer(): Promise<SearchServer> {
  const path = join(folder, 'wolves.index');
  const writer = await IndexWriter.open(path);
  for (const page of wolves) writer.add(page);
  writer.finish();
  writer.close();
  return SearchServer.listen({ searcher: new IndexSearcher(path, 1), name: 'wolves' });
}

/** A server with access by token: asked with it, and without. */
function guarded(server: DashboardServer | SearchServer, hasToken: boolean): Server {
  const { port, searchParams } = new URL(server.url);
  return {
    port: Number(port), close: () => server.close(),
    ...(hasToken && { headers: `Authorization: Bearer ${searchParams.get('token')}\r\n` }),
  };
}

const dashboard = async (hasToken: boolean): Promise<Server> => {
  const runs = join(folder, 'runs');
  return guarded(await DashboardServer.listen({
    folders: [runs], maker: runMaker(runs), openPages: pagesOpener(), program: ['node'],
  }), hasToken);
};
const search = async (hasToken: boolean): Promise<Server> => guarded(await searchServer(), hasToken);
const servers: Readonly<Record<string, () => Promise<Server>>> = {
  dashboard: () => dashboard(true), 'dashboard, to strangers': () => dashboard(false),
  search: () => search(true), 'search, to strangers': () => search(false),
  metrics: async () => {
    const server = await MetricsServer.listen(0, () => '');
    return { port: Number(new URL(server.url).port), close: () => server.close() };
  },
  'a graph as a web': async () => {
    const site = graphWeb(syntheticWeb(60, 3), {});
    return webServer(site, new URL(urlsOf(site, [0])[0]).host);
  },
  'a folder as a web': async () => {
    mkdirSync(join(folder, 'site', 'sub'), { recursive: true });
    writeFileSync(join(folder, 'site', 'page.html'), '<p>a page</p>');
    const site = await FolderSite.open([{ folder: join(folder, 'site') }]);
    return webServer(site, site.hosts[0]);
  },
};

async function webServer(site: Site, host: string): Promise<Server> {
  const server = await WebServer.listen(site);
  return { port: server.port, close: () => server.close(), host };
}

/** Paths that URL parsers take for hosts, for a part of a URL, or for nothing. */
const odd = fc.array(
  fc.constantFrom(
    '/', '//', '\\', '..', '.', '%', '%2f', '%00', '%ff', '@', ':', '?', '#', '[', ']', ';', 'a', 'é', '*',
  ),
  { minLength: 1, maxLength: 8 },
).map((parts) => parts.join(''));

describe.each(Object.keys(servers))('%s', (name) => {
  let server: Server;
  beforeAll(async () => { server = await servers[name](); });
  afterAll(() => server.close());

  test('has nothing at //', async () => {
    for (const target of ['//', '///', '//?a=1', '//a', '//a/', '//[', '//127.0.0.1', '/\\', '/\\a'])
      expect([target, await statusOf(server, target)]).toEqual([target, 404]);
  });

  test('answers no target with an error of its own', async () => {
    await fc.assert(fc.asyncProperty(odd, fc.boolean(), async (target, isPath) => {
      const status = await statusOf(server, isPath ? `/${target}` : target);
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
    }), { numRuns: tries(1600) });
  });
});
