import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate, type BenchReport, type Side } from '../../../src/questions/bench/index.ts';
import { connectFrontier, type FrontierConnection } from '../../../src/views/service/frontier/index.ts';
import { builtScripts } from '../../built-scripts.ts';
import { mainFile } from '../../cli/command.ts';
import { startReference, type Reference, type referenceKinds } from '../../service/frontier/reference.ts';

const hosts = 100;

/**
 * Puts and gets of so many URLs over gRPC: a bare server that answers from a Map, and the frontier, which stores every
 * URL and every lease before it answers. All are processes of their own; the client is this one, the same for all.
 *
 * @param checkout - of crawler-commons/url-frontier, built: its service is measured too, in memory and with RocksDB,
 * which stores URLs and no leases.
 */
export async function benchFrontier(urls: number, rounds: number, checkout?: string): Promise<BenchReport> {
  const servers = new Servers();
  try {
    const scriptOf = await builtScripts(servers.folder, new URL('./bare-server.ts', import.meta.url));
    const of: Record<string, FrontierConnection> = {
      'a bare gRPC server': await servers.node([fileURLToPath(scriptOf('bare-server'))]),
      'the frontier': await servers.node([mainFile, 'serve', 'frontier', '--store', 'store', '--port', '0', '--json']),
    };
    if (checkout !== undefined) {
      for (const kind of ['in memory', 'RocksDB'] as const)
        of[`the reference, ${kind}`] = await servers.reference(checkout, kind);
    }
    const sides = Object.entries(of).map(([name, connection]) => ({ name, ...putsAndGets(connection, urls) }));
    const puts = await alternate(sides.map(({ name, put }) => sideOf(`PutURLs, ${name}`, put)), rounds);
    const gets = await alternate(sides.map(({ name, get }) => sideOf(`GetURLs, ${name}`, get)), rounds);
    return { machine: puts.machine, cases: [...puts.cases, ...gets.cases] };
  } finally {
    await servers.close();
  }
}

/** Servers that run in a folder of their own, and connections to them. */
class Servers {
  readonly folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  readonly #children: ChildProcess[] = [];
  readonly #references: Reference[] = [];
  readonly #connections: FrontierConnection[] = [];

  /** A script that says its port in JSON. */
  async node(args: readonly string[]): Promise<FrontierConnection> {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: this.folder });
    this.#children.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return this.#connect((JSON.parse(line.toString()) as { port: number }).port);
  }

  async reference(checkout: string, kind: keyof typeof referenceKinds): Promise<FrontierConnection> {
    const reference = await startReference(checkout, kind, this.folder);
    this.#references.push(reference);
    return this.#connect(reference.port);
  }

  async close(): Promise<void> {
    for (const { close } of this.#connections) close();
    await Promise.all(this.#children.map(async (child) => {
      if (child.kill('SIGKILL')) await once(child, 'close');
    }));
    await Promise.all(this.#references.map((reference) => reference.end()));
    rmSync(this.folder, { recursive: true });
  }

  #connect(port: number): FrontierConnection {
    const connection = connectFrontier({ address: `127.0.0.1:${port}` });
    this.#connections.push(connection);
    return connection;
  }
}

const sideOf = (name: string, run: () => Promise<number>): Side => ({ name, measuresIn: 'ms', run });

/** Every put is of a new crawl; every get takes all of the next crawl that was put. */
function putsAndGets({ calls }: FrontierConnection, urls: number): Record<'put' | 'get', () => Promise<number>> {
  let [put, got] = [0, 0];
  async function* items(crawlID: string) {
    for (let i = 0; i < urls; i++) {
      const info = { url: `http://h${i % hosts}.example/page/${i}`, key: `h${i % hosts}.example`, crawlID };
      yield await Promise.resolve({ item: { $case: 'discovered' as const, discovered: { info } } });
    }
  }
  const timed = async (stream: AsyncIterable<unknown>): Promise<number> => {
    const before = performance.now();
    let count = 0;
    const answers = stream[Symbol.asyncIterator]();
    while ((await answers.next()).done !== true) count++;
    if (count !== urls) throw new Error(`${count} answers, not ${urls}`);
    return performance.now() - before;
  };
  return {
    put: () => timed(calls.putURLs(items(`crawl ${put++}`))),
    get: () => timed(calls.getURLs({ item: { $case: 'crawlID', crawlID: `crawl ${got++}` }, delayRequestable: 3600 })),
  };
}
