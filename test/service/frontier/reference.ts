import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectFrontier } from '../../../src/views/service/frontier/index.ts';

/** Kinds of the reference service, by the names that it has for them. */
export const referenceKinds = {
  'in memory': 'memory.MemoryFrontierService', RocksDB: 'rocksdb.RocksDBService',
} as const;

/** A reference service that runs. */
export interface Reference {
  readonly port: number;
  end(): Promise<void>;
}

/**
 * Starts the reference service of a checkout of crawler-commons/url-frontier, where Maven has built it, on loopback.
 *
 * @param folder - where it stores what it stores.
 * @throws Error if the checkout has not been built, or the service ends.
 */
export async function startReference(
  checkout: string, kind: keyof typeof referenceKinds, folder: string,
): Promise<Reference> {
  const service = 'crawlercommons.urlfrontier.service';
  const port = await freePort();
  const child = spawn('java', [
    '-Xmx2g', '-cp', jarOf(checkout), `${service}.URLFrontierServer`, '-p', String(port),
    `implementation=${service}.${referenceKinds[kind]}`, `rocksdb.path=${join(folder, `reference ${kind}`)}`,
  ], { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder });
  const { calls, close } = connectFrontier({ address: `127.0.0.1:${port}` });
  try {
    for (let isUp = false; !isUp;) {
      if (child.exitCode !== null) throw new Error(`the reference service ended with exit code ${child.exitCode}`);
      isUp = await calls.getActive({}).then(() => true, () => sleep(100, false));
    }
  } finally {
    close();
  }
  return {
    port,
    async end() {
      if (child.kill('SIGKILL')) await once(child, 'close');
    },
  };
}

function jarOf(checkout: string): string {
  const target = join(checkout, 'service/target');
  const jars = existsSync(target) ? readdirSync(target) : [];
  const jar = jars.find((name) => /^urlfrontier-service-[\d.]+(-SNAPSHOT)?\.jar$/.test(name));
  if (jar === undefined) throw new Error(`${target} has no urlfrontier-service-VERSION.jar: it has not been built`);
  return join(target, jar);
}

/** The service cannot choose its port itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
