import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate, type BenchReport, type Side } from '../../../src/bench/index.ts';
import { connectFrontier, type FrontierConnection } from '../../../src/service/frontier/index.ts';
import { builtScripts } from '../../built-scripts.ts';
import { mainFile } from '../../cli/command.ts';

const hosts = 100;

/**
 * Puts and gets of so many URLs over gRPC: a bare server that answers from a Map, and the frontier, which stores every
 * URL and every lease before it answers. Both are processes of their own; the client is this one, the same for both.
 */
export async function benchFrontier(urls: number, rounds: number): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const children: ChildProcess[] = [];
  const connections: FrontierConnection[] = [];
  const connect = async (args: readonly string[]): Promise<FrontierConnection> => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: folder });
    children.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { port } = JSON.parse(line.toString()) as { port: number };
    const connection = connectFrontier({ address: `127.0.0.1:${port}` });
    connections.push(connection);
    return connection;
  };
  try {
    const scriptOf = await builtScripts(folder, new URL('./bare-server.ts', import.meta.url));
    const bare = await connect([fileURLToPath(scriptOf('bare-server'))]);
    const ours = await connect([mainFile, 'serve', 'frontier', '--store', 'store', '--port', '0', '--json']);
    const sides = [{ name: 'a bare gRPC server', of: bare }, { name: 'the frontier', of: ours }].map(({ name, of }) => {
      return { name, ...putsAndGets(of, urls) };
    });
    const puts = await alternate(sides.map(({ name, put }) => sideOf(`PutURLs, ${name}`, put)), rounds);
    const gets = await alternate(sides.map(({ name, get }) => sideOf(`GetURLs, ${name}`, get)), rounds);
    return { machine: puts.machine, cases: [...puts.cases, ...gets.cases] };
  } finally {
    for (const { close } of connections) close();
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
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
