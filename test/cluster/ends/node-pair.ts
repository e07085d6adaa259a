import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished, mainFile, type Finished } from '../../cli/command.ts';
import { readArchives } from '../../crawl/archives.ts';
import { crawledWeb, leaseMs, type CrawledWeb } from '../kills/crawled-web.ts';
import { fetchedUrls, ordersOf, ordersOfAll } from '../kills/stored-crawl.ts';
import { RedisServer } from '../redis-server.ts';

export interface StartedNode {
  readonly child: ChildProcess;
  readonly ended: Promise<Finished>;
}

/** A crawl on two nodes by the command, in the order of one machine, whose nodes a test starts and ends. */
export class NodePair implements AsyncDisposable {
  readonly crawled: CrawledWeb;
  readonly redis: RedisServer;
  readonly folder: string;
  readonly #children: ChildProcess[] = [];

  private constructor(crawled: CrawledWeb, redis: RedisServer) {
    this.crawled = crawled;
    this.redis = redis;
    this.folder = crawled.web.folder();
  }

  static async open(pages: number, seed: number): Promise<NodePair> {
    const crawled = await crawledWeb({ pages, seed, isTimeless: true });
    return new NodePair(crawled, await RedisServer.start());
  }

  folderOf(node: number): string {
    return join(this.folder, `node-${node}`);
  }

  /**
   * @param maxFileKiB no file of the process may become larger.
   * @param cluster another way to Redis.
   */
  start(
    node: number,
    { maxFileKiB, cluster = this.redis.url, leaseSeconds = leaseMs / 1000 }: {
      maxFileKiB?: number; cluster?: string; leaseSeconds?: number;
    } = {},
  ): StartedNode {
    const shell = maxFileKiB === undefined ? 'exec "$@"' : `ulimit -f ${maxFileKiB}; exec "$@"`;
    const child = spawn('bash', [
      '-c', shell, 'bash', process.execPath, mainFile, 'crawl', ...this.crawled.flags, '--out', this.folder,
      '--or-resume', '--cluster', cluster, '--nodes', '2', '--node', String(node),
      '--lease-seconds', String(leaseSeconds),
    ], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.push(child);
    return { child, ended: finished(child) };
  }

  /** URLs that a node's store has as fetched. @throws Error where its archives or its log are not whole. */
  async stored(node: number): Promise<string[]> {
    const folder = this.folderOf(node);
    const urls = await fetchedUrls(folder);
    // Without its log it had not begun.
    if (urls.length === 0 && !existsSync(join(folder, 'crawl.log'))) return [];
    const { faults, missing } = await readArchives(join(folder, 'warc'), new Set(urls));
    const log = readFileSync(join(folder, 'crawl.log'), 'latin1');
    if (faults.length + missing.length > 0 || !/(^|\n)$/.test(log))
      throw new Error(`node ${node} left ${[...faults, ...missing, log.slice(-200)].join('\n')}`);
    return urls;
  }

  /** By processor, what was fetched on the two nodes, and on one machine. */
  async orders(): Promise<{ readonly nodes: string[][]; readonly alone: string[][] }> {
    return {
      nodes: await ordersOfAll([this.folderOf(0), this.folderOf(1)]), alone: await ordersOf(this.crawled.alone),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = new Promise((resolve) => { child.once('close', resolve); });
      child.kill('SIGKILL');
      await closed;
    }));
    await this.redis[Symbol.asyncDispose]();
    await this.crawled.web.close();
  }
}
