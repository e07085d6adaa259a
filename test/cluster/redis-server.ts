import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const redisIsHere = spawnSync('redis-server', ['--version']).status === 0;
/** For the names of tests that are skipped without it. */
export const redisIsMissing = redisIsHere ? '' : ' (skipped: redis-server is not installed)';

export interface RedisServerOptions {
  readonly password?: string;
  /** Whether acknowledged writes survive `kill -9`. */
  readonly appendonly?: boolean;
  /** More arguments of redis-server, as `--name`, `value`. */
  readonly args?: readonly string[];
}

/** A Redis server of a test's own, on loopback, in a folder of its own. `await using` stops it. */
export class RedisServer implements AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  readonly #options: RedisServerOptions;
  #process: ChildProcess | undefined;

  private constructor(port: number, options: RedisServerOptions) {
    this.port = port;
    this.#options = options;
    this.folder = mkdtempSync(join(tmpdir(), 'orbweaver-redis-'));
  }

  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    for (let attempt = 1; ; attempt++) {
      const server = new RedisServer(await freePort(), options);
      if (await server.#start()) return server;
      await server[Symbol.asyncDispose]();
      if (attempt === 10) throw new Error('redis-server found no free port in ten attempts');
    }
  }

  get url(): string {
    const { password } = this.#options;
    return `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${this.port}`;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process?.exitCode !== null || process.signalCode !== null) return;
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    await exit;
  }

  /** On the same port and folder. The port may be taken for a moment: by connections that end, or by chance. */
  async restart(): Promise<void> {
    await this.kill();
    for (let attempt = 1; !(await this.#start()); attempt++) {
      if (attempt === 100) throw new Error(`redis-server cannot bind port ${this.port} again`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Whether it came up: false if it ended. */
  async #start(): Promise<boolean> {
    const { password, appendonly = false, args = [] } = this.#options;
    const process = spawn('redis-server', [
      '--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, '--save', '',
      '--appendonly', appendonly ? 'yes' : 'no', '--appendfsync', 'always',
      ...(password === undefined ? [] : ['--requirepass', password]), ...args,
    ], { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#process = process;
    const output = process.stdout;
    const ready = new Promise<boolean>((resolve) => {
      let text = '';
      output.on('data', (bytes: Buffer) => {
        if (text.length < 1e5) text += bytes.toString();
        if (text.includes('Ready to accept connections')) resolve(true);
      });
    });
    return Promise.race([ready, once(process, 'exit').then(() => false)]);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
