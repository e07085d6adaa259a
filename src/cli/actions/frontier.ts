import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { InputError, WorldError } from '../../base/index.ts';
import type { DeepPartial, FrontierConnection, URLItem } from '../../views/service/frontier/index.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { invocation } from '../invocation.ts';
import { counted, grouped } from '../text/figures.ts';
import { print } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { fileOf, tokenOf } from './serve-frontier.ts';

type Item = DeepPartial<URLItem>;

interface Flags extends RawFlags {
  readonly at?: string;
  readonly tokenFile?: string;
  readonly tlsCa?: string;
  readonly crawl?: string;
  readonly key?: string;
  readonly filter?: string;
  readonly all?: true;
  readonly wholeCrawl?: true;
  readonly json?: true;
}

const count = z.int().min(0).max(2 ** 32 - 1);
const paging = z.object({ start: count.default(0), size: count.min(1).default(100) });
const taking = z.object({ urls: count.default(1), queues: count.default(0), lease: count.min(1).default(30) });

/** Does `work` over a connection. @throws WorldError naming the server if a call fails. */
async function withFrontier(flags: Flags, work: (calls: FrontierConnection['calls']) => Promise<void>): Promise<void> {
  const address = flags.at ?? '127.0.0.1:7071';
  if (!/^[^\s/]+:\d{1,5}$/.test(address))
    throw new InputError(`--at ${printableShort(address) || "''"}: must be HOST:PORT, such as 127.0.0.1:7071`);
  const token = flags.tokenFile === undefined ? undefined : await tokenOf(flags.tokenFile);
  const certificate = flags.tlsCa === undefined ? undefined : await fileOf('--tls-ca', flags.tlsCa);
  // gRPC is loaded for these commands alone.
  const { connectFrontier } = await import('../../views/service/frontier/index.ts');
  const { calls, close } = connectFrontier({ address, token, certificate });
  try {
    await work(calls);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ClientError')) throw error;
    throw new WorldError(`frontier at ${printableShort(address)}: ${printable(error.message)}`);
  } finally {
    close();
  }
}

const crawlID = ({ crawl = '' }: Flags): string => crawl;

function printLine(line: string): void {
  invocation().stdout.write(`${line}\n`);
}

export async function runStats(flags: Flags): Promise<void> {
  await withFrontier(flags, async (calls) => {
    const stats = await calls.getStats({ crawlID: crawlID(flags), key: flags.key ?? '' });
    const { inProcess: leased, crawlID: crawl } = stats;
    const [active, queues] = [Number(stats.size), Number(stats.numberOfQueues)];
    const completed = Number(stats.counts['completed'] ?? 0n);
    print(flags.json, () => ({ crawl, queues, active, leased, done: completed }), () =>
      `crawl ${printable(crawl)}: ${counted(queues, 'queue')}, ${counted(active, 'active URL')}, ${grouped(leased)} ` +
        `under a lease, ${grouped(completed)} done`);
  });
}

export async function runQueues(flags: Flags): Promise<void> {
  const { start, size } = ownFlags(paging, flags);
  await withFrontier(flags, async (calls) => {
    const { values } = await calls.listQueues({
      crawlID: crawlID(flags), start, size, includeInactive: flags.all === true,
    });
    print(flags.json, () => values, () => values.map((key) => printable(key)).join('\n'));
  });
}

export async function runList(flags: Flags): Promise<void> {
  const { start, size } = ownFlags(paging, flags);
  await withFrontier(flags, async (calls) => {
    const { jsonOf } = await import('../../views/service/frontier/index.ts');
    const { key = '', filter = '' } = flags;
    for await (const item of calls.listURLs({ crawlID: crawlID(flags), start, size, key, filter })) {
      if (flags.json === true) printLine(JSON.stringify(jsonOf(item)));
      else if (item.item?.$case === 'known') printLine(printable(item.item.known.info?.url ?? ''));
    }
  });
}

export async function runGet(flags: Flags): Promise<void> {
  const { urls, queues, lease } = ownFlags(taking, flags);
  await withFrontier(flags, async (calls) => {
    const { jsonOf } = await import('../../views/service/frontier/index.ts');
    const crawl = flags.crawl === undefined
      ? { $case: 'anyCrawlID' as const, anyCrawlID: {} }
      : { $case: 'crawlID' as const, crawlID: flags.crawl };
    const item = flags.key !== undefined && flags.crawl === undefined
      ? { $case: 'crawlID' as const, crawlID: 'DEFAULT' } : crawl;
    for await (const info of calls.getURLs({
      maxUrlsPerQueue: urls, maxQueues: queues, delayRequestable: lease, key: flags.key ?? '', item,
    })) printLine(flags.json === true ? JSON.stringify(jsonOf(info)) : printable(info.url));
  });
}

export async function runPut(file: string, flags: Flags): Promise<void> {
  await withFrontier(flags, async (calls) => {
    const { itemOfJson } = await import('../../views/service/frontier/index.ts');
    const counts = { ok: 0, skipped: 0, failed: 0 };
    for await (const { status } of calls.putURLs(itemsOf(file, flags, itemOfJson))) {
      if (status === 0) counts.ok++;
      else if (status === 1) counts.skipped++;
      else counts.failed++;
    }
    print(flags.json, () => counts, () =>
      `${counted(counts.ok, 'URL')} put, ${grouped(counts.skipped)} skipped, ${grouped(counts.failed)} failed`);
    if (counts.failed > 0) throw new WorldError(`${counted(counts.failed, 'URL')} failed; put the file again`);
  });
}

async function* itemsOf(
  file: string, flags: Flags, ofJson: (text: string) => Item | undefined,
): AsyncGenerator<Item> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number++;
      const text = line.trim();
      if (text === '' || text.startsWith('#')) continue;
      const place = `${printable(file)}:${number}`;
      const item = text.startsWith('{') ? ofJson(text) : discoveredAt(text, flags);
      if (item === undefined)
        throw new InputError(`${place}: must be a URL, or an item in JSON as list --json prints it`);
      yield item;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof InputError) throw error;
    throw new InputError(`${printable(file)}: cannot be read (${code})`);
  }
}

function discoveredAt(url: string, flags: Flags): Item | undefined {
  if (!URL.canParse(url)) return undefined;
  return { item: { $case: 'discovered', discovered: { info: { url, crawlID: crawlID(flags) } } } };
}

function numberIn(text: string, name: string): number {
  const parsedNumber = count.safeParse(/^\d+$/.test(text) ? Number(text) : undefined);
  if (!parsedNumber.success)
    throw new InputError(`<${name}> ${printableShort(text)}: must be a whole number below 2^32`);
  return parsedNumber.data;
}

export async function runBlock(key: string, text: string, flags: Flags): Promise<void> {
  const seconds = numberIn(text, 'seconds');
  const time = seconds === 0 ? 0n : BigInt(Math.ceil(Date.now() / 1000) + seconds);
  await withFrontier(flags, async (calls) => {
    await calls.blockQueueUntil({ key, time, crawlID: crawlID(flags) });
  });
}

export async function runDelay(key: string, text: string, flags: Flags): Promise<void> {
  const delayRequestable = numberIn(text, 'seconds');
  await withFrontier(flags, async (calls) => {
    await calls.setDelay({ key, delayRequestable, crawlID: crawlID(flags) });
  });
}

export async function runLimit(key: string, text: string, flags: Flags): Promise<void> {
  const limit = numberIn(text, 'urls');
  await withFrontier(flags, async (calls) => {
    await calls.setCrawlLimit({ key, limit, crawlID: crawlID(flags) });
  });
}

export async function runDelete(flags: Flags): Promise<void> {
  const { key, wholeCrawl } = flags;
  if ((key === undefined) === (wholeCrawl === undefined))
    throw new InputError('frontier delete needs --key KEY or --whole-crawl');
  await withFrontier(flags, async (calls) => {
    const { value } = key === undefined
      ? await calls.deleteCrawl({ value: crawlID(flags) })
      : await calls.deleteQueue({ key, crawlID: crawlID(flags) });
    printLine(`${counted(Number(value), 'active URL')} deleted`);
  });
}

export async function runActive(state: string | undefined, flags: Flags): Promise<void> {
  if (state !== undefined && state !== 'on' && state !== 'off')
    throw new InputError(`[state] ${printableShort(state)}: must be on or off`);
  await withFrontier(flags, async (calls) => {
    if (state !== undefined) await calls.setActive({ state: state === 'on' });
    printLine((await calls.getActive({})).state ? 'on' : 'off');
  });
}
