import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { InputError } from '../../base/index.ts';
import { MetricsServer } from '../../views/service/index.ts';
import { counted, grouped } from '../text/figures.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { policiesFor } from '../flags/policies.ts';
import { ownOptions } from '../flags/policy-flags.ts';
import { endSignal, listenAddress } from '../serving.ts';
import { printReady } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';

const port = z.int().min(0).max(65_535);
const own = z.object({ port: port.default(7071), metrics: port.optional(), seed: z.int().min(0).default(1) });

interface Flags extends RawFlags {
  readonly store?: string;
  readonly policy?: string;
  readonly listen?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tokenFile?: string;
  readonly json?: true;
}

export async function runServeFrontier(flags: Flags): Promise<void> {
  const { port: listenPort, metrics: metricsPort, seed } = ownFlags(own, flags);
  const address = listenAddress(flags.listen, 'the frontier');
  const policies = await policiesFor(flags);
  const tls = await tlsOf(flags);
  const token = flags.tokenFile === undefined ? undefined : await tokenOf(flags.tokenFile);
  // gRPC is loaded for this command alone.
  const { FrontierServer } = await import('../../views/service/frontier/index.ts');
  const ended = endSignal();
  const server = await FrontierServer.listen({
    store: flags.store ?? 'frontier', policy: policies.factsOf(flags.policy ?? 'opic')?.name ?? flags.policy, policies,
    options: ownOptions(flags, policies.settings), seed, address, port: listenPort, tls, token,
  });
  let metrics: MetricsServer | undefined;
  try {
    metrics = metricsPort === undefined ? undefined : await MetricsServer.listen(metricsPort, () => server.metrics());
    const { contents, capacity: { urls, memoryBytesPerUrl, diskBytesPerUrl } } = server;
    const at = `${address.includes(':') ? `[${address}]` : address}:${server.port}`;
    const document = { address, port: server.port, metrics: metrics?.url, contents, capacity: server.capacity };
    printReady(flags.json, document, [
      `frontier at ${at}, store ${printable(flags.store ?? 'frontier')}: ${counted(contents.urls, 'URL')} in ` +
        `${counted(contents.queues, 'queue')} of ${counted(contents.crawls, 'crawl')}`,
      `room for about ${grouped(urls)} more URLs: ${memoryBytesPerUrl} bytes of memory and ${diskBytesPerUrl} of disk each`,
      ...(metrics === undefined ? [] : [`metrics at ${metrics.url}`]),
    ]);
    await ended;
  } finally {
    await metrics?.close();
    await server.close();
  }
}

async function tlsOf({ tlsCert, tlsKey }: Flags): Promise<{ certificate: Buffer; key: Buffer } | undefined> {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new InputError('--tls-cert and --tls-key belong together: a certificate and its private key, PEM');
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const [certificate, key] = await Promise.all([fileOf('--tls-cert', tlsCert), fileOf('--tls-key', tlsKey)]);
  return { certificate, key };
}

export async function tokenOf(path: string): Promise<string> {
  const token = (await fileOf('--token-file', path)).toString('utf8').trim();
  if (!/^[\x21-\x7e]{16,}$/.test(token))
    throw new InputError(
      `--token-file ${printableShort(path)}: must have one token, at least 16 printable ASCII characters`,
    );
  return token;
}

/** The bytes of the file that a flag names. @throws InputError if it cannot be read. */
export async function fileOf(flag: string, path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${flag} ${printableShort(path)}: cannot be read (${code ?? String(error)})`);
  });
}
