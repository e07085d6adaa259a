import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Debian puts the programs of each version; elsewhere they are found by their names. */
const debian = '/usr/lib/postgresql';
const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
const programs = [...versions.map((version) => join(debian, version, 'bin')), '']
  .find((folder) => spawnSync(join(folder, 'postgres'), ['--version']).status === 0);

/** PostgreSQL refuses to run as root. */
const owner: User | undefined = process.getuid?.() === 0 ? userOf('postgres') ?? userOf('nobody') : {};

export const postgresIsHere = programs !== undefined && owner !== undefined;
/** For the names of tests that are skipped without it. */
export const postgresIsMissing = postgresIsHere ? '' : ' (skipped: PostgreSQL is not installed)';

interface User {
  readonly uid?: number;
  readonly gid?: number;
}

function userOf(name: string): User | undefined {
  const [uid, gid] = ['-u', '-g'].map((which) => spawnSync('id', [which, name], { encoding: 'utf8' }));
  return uid.status === 0 && gid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined;
}

/**
 * A PostgreSQL server of a test's own, in a folder of its own. It listens on a socket in that folder and on no port.
 * `await using` stops it.
 */
export class PostgresServer implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'orbweaver-postgres-'));
  #process: ChildProcess | undefined;

  private constructor() {
    if (owner?.uid !== undefined && owner.gid !== undefined) chownSync(this.folder, owner.uid, owner.gid);
  }

  static async start(): Promise<PostgresServer> {
    const server = new PostgresServer();
    try {
      const options = ['--pgdata', server.#data, '--username', 'test', '--auth', 'trust', '--no-sync', '--locale', 'C'];
      const { status, stderr } = spawnSync(join(programs!, 'initdb'), options, server.#spawned);
      if (status !== 0) throw new Error(`initdb: ${String(stderr)}`);
      await server.restart();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** For the client: `host` is the folder of the socket. */
  get place(): { readonly host: string; readonly port: number; readonly user: string; readonly database: string } {
    return { host: this.folder, port: 5432, user: 'test', database: 'postgres' };
  }

  /** kill -9: of the server and, since they notice, of those that it started. */
  async kill(): Promise<void> {
    const server = this.#process;
    this.#process = undefined;
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  }

  /** What still runs of a killed server holds its memory for a moment: then it refuses to start, and is tried again. */
  async restart(): Promise<void> {
    await this.kill();
    for (let attempt = 1; ; attempt++) {
      const output = await this.#start();
      if (output === undefined) return;
      if (attempt === 100) throw new Error(`postgres does not start: ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  get #spawned() {
    return { ...owner, cwd: this.folder };
  }

  /** @returns what it said if it ended. */
  async #start(): Promise<string | undefined> {
    const { host, port } = this.place;
    const args = ['-D', this.#data, '-k', host, '-p', String(port), '-c', 'listen_addresses='];
    const server = spawn(join(programs!, 'postgres'), args, { ...this.#spawned, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = server;
    let text = '';
    const ready = new Promise<undefined>((resolve) => {
      server.stderr.on('data', (bytes: Buffer) => {
        if (text.length < 1e5) text += bytes.toString();
        if (text.includes('ready to accept connections')) resolve(undefined);
      });
    });
    return Promise.race([ready, once(server, 'exit').then(() => text)]);
  }
}
