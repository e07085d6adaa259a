import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { WARCParser } from 'warcio';
import { openLmdbStore } from '../../src/core/live/index.ts';
import { hasSuperstep, isIncomplete, readIncomplete, recordPartial } from '../../src/core/measure/index.ts';
import { finished, mainFile, namesBelow, orbweaver, type Finished } from '../cli/command.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../crawl/loopback.ts';

/**
 * A command that writes, and what is to hold of what it wrote. `folder`: where it runs; all that it writes is below.
 */
interface Writer {
  readonly begin: readonly string[];
  /** The command that goes on where the disk was full; undefined where that is `begin` again. */
  readonly goOn?: readonly string[];
  /** Problems of what an end for want of room left behind. */
  readonly leftovers: (folder: string) => Promise<string[]> | string[];
  /** What is the same after every run that ended well, whatever came before. */
  readonly result: (folder: string) => Promise<string> | string;
}

/** How a disk is full: no file may be larger than so many bytes, or a disk of 3 MB has so many bytes left. */
export type Room = { readonly limit: number } | { readonly free: number };

export interface FullDisk {
  readonly command: string;
  readonly room: Room;
  /** Exit code where the disk was full; 0 where there was room enough. */
  readonly code: number | null;
  /** What does not hold; empty where all does. */
  readonly problems: readonly string[];
}

export interface FullDisksOptions {
  readonly moments: number;
  /** All where it is left out. */
  readonly commands?: readonly string[];
  readonly pages?: number;
  /** Whether disks of 3 MB are mounted too. */
  readonly mounts?: boolean;
}

const DISK_BYTES = 3 << 20;
const SHARED = ['--robots', '4', '--politeness-ms', '1', '--superstep-ms', '50', '--reader-threads', '0'];
const anything = /\.partial\b|-former-/;
/** Where a run that found no room leaves its record. */
const recordLeft = /^(run\.partial|tour\.partial|crawled\/record\.partial)(\/|$)/;

/**
 * Runs each command where the disk is full at so many moments, spread evenly over what it writes, then again with room.
 * @returns the number of moments tried on a mounted disk; undefined where this process may not mount one.
 */
export async function fullDisks(
  options: FullDisksOptions, each: (tried: FullDisk) => void,
): Promise<number | undefined> {
  const site = graphWeb(syntheticWeb(options.pages ?? 400, 1), {}, 1);
  const web = await loopback(site);
  const root = mkdtempSync(join(tmpdir(), 'orbweaver-full-disk-'));
  const mounted = options.mounts === true && mayMount(root);
  let onDisks = 0;
  try {
    const crawl = [
      'crawl', ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
      '--resolve', `*=127.0.0.1:${web.port}`, ...SHARED, '--out', 'crawled',
    ];
    for (const [command, writer] of Object.entries(writers(crawl))) {
      if (options.commands?.includes(command) === false) continue;
      const whole = join(root, `${command}-whole`);
      mkdirSync(whole);
      const undisturbed = await orbweaver(writer.begin, whole);
      if (undisturbed.code !== 0) throw new Error(`${command} fails where there is room: ${undisturbed.stderr}`);
      const wanted = await writer.result(whole);
      const files = namesBelow(whole).map((name) => statSync(join(whole, name))).filter((file) => file.isFile());
      const largest = Math.max(...files.map(({ size }) => size));
      const total = files.reduce((sum, { size }) => sum + 4096 * Math.ceil(size / 4096), 0);
      rmSync(whole, { recursive: true });
      for (let moment = 0; moment < options.moments; moment++) {
        const share = (moment + 0.5) / options.moments;
        const rooms: Room[] = [{ limit: Math.floor(share * largest) }];
        if (mounted) rooms.push({ free: Math.floor(share * Math.min(total, DISK_BYTES)) });
        for (const room of rooms) {
          if ('free' in room) onDisks++;
          each({ command, room, ...(await tried(writer, wanted, room, join(root, `${command}-${moment}`))) });
        }
      }
    }
    return mounted ? onDisks : undefined;
  } finally {
    await web.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function writers(crawl: readonly string[]): Record<string, Writer> {
  const crawler: Omit<Writer, 'begin'> = {
    goOn: ['crawl', '--resume', 'crawled'], leftovers: crawlLeftovers, result: crawledPages,
  };
  const draftless = (folder: string): string[] => namesBelow(folder).map((name) => `${name} was left behind`);
  const recordsAlone = (folder: string): string[] => [
    ...namesBelow(folder).filter((name) => !recordLeft.test(name)).map((name) => `${name} was left behind`),
    // Of several runs the last may have nothing recorded.
    ...namesBelow(folder).filter((name) => name.endsWith('journal.jsonl')).map((name) => join(folder, dirname(name)))
      .filter((record) => basename(record) === 'run.partial' || hasSuperstep(record)).flatMap(unreadable),
  ];
  const files = (folder: string): string => sums(folder, (name) => !/report\.html$/.test(name));
  const study = ['study', 'tiny', '--threads', '1', '--cache', 'cache', '--out', 'out'];
  const plan = [
    'plan', 'docs-web', '--goal', '20% of rank', '--machines', '1', '--robots', '8', '--vary', 'policy,robots',
    '--threads', '1', '--cache', 'cache', '--out', 'out',
  ];
  /** What has finished runs in a cache. */
  const cached: Omit<Writer, 'begin'> = {
    result: (folder) => sums(join(folder, 'out'), (name) => !/report\.html$/.test(name)),
    leftovers: (folder) =>
      namesBelow(folder)
        .filter((name) => !/^cache(\/[0-9a-f]{2}(\/[0-9a-f]+\.run)?)?$/.test(name))
        .map((name) => `${name} was left behind`),
  };
  return {
    crawl: { begin: crawl, ...crawler },
    'crawl --no-warc': { begin: [...crawl, '--no-warc'], ...crawler },
    simulate: {
      begin: ['simulate', 'docs-web', '--max-pages', '3000', '--out', 'run'], leftovers: recordsAlone, result: files,
    },
    'simulate --queue-memory-bytes': {
      begin: ['simulate', 'docs-web', '--max-pages', '2000', '--queue-memory-bytes', '4KiB', '--out', 'run'],
      leftovers: recordsAlone, result: files,
    },
    import: {
      begin: ['import', 'docs-web', '--out', 'graph.owg'], leftovers: draftless, result: (folder) => sums(folder),
    },
    study: { begin: study, ...cached },
    plan: { begin: plan, ...cached },
    tune: {
      begin: ['tune', 'star', '--out', 'tune'], leftovers: draftless, result: (folder) => namesBelow(folder).join('\n'),
    },
    tour: {
      begin: ['tour', 'star', '--out', 'tour'], leftovers: recordsAlone,
      result: (folder) => namesBelow(folder).join('\n'),
    },
    generate: {
      begin: ['generate', 'copying', '--pages', '20000', '--arcs', '60000', '--out', 'made.owg'], leftovers: draftless,
      result: (folder) => sums(folder),
    },
    rank: { begin: ['rank', 'docs-web', '--out', 'ranks.tsv'], leftovers: draftless, result: (folder) => sums(folder) },
    info: {
      begin: ['info', 'docs-web', '--out', 'info'], leftovers: draftless,
      result: (folder) => namesBelow(folder).join('\n'),
    },
  };
}

async function tried(
  writer: Writer, wanted: string, room: Room, folder: string,
): Promise<Omit<FullDisk, 'command' | 'room'>> {
  mkdirSync(folder);
  const mount = 'free' in room;
  if (mount) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]);
  try {
    const filler = join(folder, 'filler');
    if (mount) writeFileSync(filler, Buffer.alloc(DISK_BYTES - 4096 * Math.ceil(room.free / 4096)));
    const { code, stderr } = await within(writer.begin, folder, mount ? undefined : room.limit);
    rmSync(filler, { force: true });
    const problems: string[] = [];
    if (code !== 0) {
      if (code !== 3) problems.push(`exit code ${code}`);
      if (!/^[^\n]+\n$/.test(stderr)) problems.push('not one line on standard error');
      if (
        !stderr.includes(basename(folder)) &&
        !/(crawled|run|graph\.owg|out|cache|ranks\.tsv|info|tune|tour|made\.owg)\b/.test(stderr)
      )
        problems.push('no file is named');
      if (problems.length > 0) problems.push(`it said: ${stderr.trim()}`);
      problems.push(
        ...(await writer.leftovers(folder)),
        ...namesBelow(folder)
          .filter((name) => anything.test(name) && !recordLeft.test(name))
          .map((name) => `${name} is half written`),
      );
      if (mount) execFileSync('mount', ['-o', 'remount,size=64m', folder]);
      const hasBegun = existsSync(join(folder, 'crawled', 'store', 'data.mdb'));
      const again = await orbweaver(writer.goOn !== undefined && hasBegun ? writer.goOn : writer.begin, folder);
      if (again.code !== 0) problems.push(`with room it ends with ${again.code}: ${again.stderr.trim()}`);
    }
    if (problems.length > 0) return { code, problems };
    const result = (await writer.result(folder)).split('\n');
    const differs = result.findIndex((line, i) => line !== wanted.split('\n')[i]);
    if (differs >= 0)
      problems.push(`with room the result is another one: ${result[differs]}, not ${wanted.split('\n')[differs]}`);
    return { code, problems };
  } finally {
    // At once for all that look there: this process may still have a store of the folder mapped, though it is closed.
    if (mount) execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is wrong with a record that was left: nothing, where it reads up to some superstep. */
function unreadable(folder: string): string[] {
  try {
    readIncomplete(folder);
    return [];
  } catch (error) {
    return [`its record cannot be read: ${String(error)}`];
  }
}

/** Runs the command in `folder`, where no file may be larger than `limit` bytes: a process has such a limit. */
function within(args: readonly string[], folder: string, limit?: number): Promise<Finished> {
  const limited = limit === undefined ? 'exec "$@"' : `ulimit -f ${Math.ceil(limit / 1024)}; exec "$@"`;
  const child = spawn('bash', ['-c', limited, 'bash', process.execPath, mainFile, ...args], {
    cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: folder },
  });
  return finished(child);
}

/** Whether this process may mount a disk. */
function mayMount(root: string): boolean {
  const folder = join(root, 'mounted');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  }
}

function sums(folder: string, counts: (name: string) => boolean = () => true): string {
  return namesBelow(folder).filter((name) => counts(name) && statSync(join(folder, name)).isFile()).map((name) => {
    // Of a run's record all but what it cost this machine.
    const text = readFileSync(join(folder, name), 'latin1').replace(/"peakResidentBytes": [0-9]+/, '');
    return `${name} ${createHash('sha256').update(text).digest('hex')}`;
  }).join('\n');
}

/** URLs of the pages that are stored as fetched. */
async function fetched(folder: string): Promise<string[]> {
  const store = await openLmdbStore(join(folder, 'crawled', 'store'));
  try {
    const urls = Array.from(store.pages(), ({ url }) => url);
    return Array.from(store.visits()).filter(({ kind }) => kind === 'fetched').map(({ page }) => urls[page]).sort();
  } finally {
    await store.close();
  }
}

async function crawledPages(folder: string): Promise<string> {
  const pages = await fetched(folder);
  return [
    ...pages, ...(await archiveProblems(folder, pages)),
    readFileSync(join(folder, 'crawled', 'run.json'), 'utf8').includes('"run"'),
  ].join('\n');
}

async function crawlLeftovers(folder: string): Promise<string[]> {
  if (!existsSync(join(folder, 'crawled', 'store', 'data.mdb')))
    return namesBelow(folder)
      .filter((name) => name !== 'crawled')
      .map((name) => `${name} was left behind`);
  const log = join(folder, 'crawled', 'crawl.log');
  const isTorn = existsSync(log) && statSync(log).size > 0 && !readFileSync(log, 'latin1').endsWith('\n');
  const record = join(folder, 'crawled', recordPartial);
  const pages = await fetched(folder).catch((error: unknown) => [`the store: ${String(error)}`]);
  return [
    ...(isIncomplete(record) && hasSuperstep(record) ? unreadable(record) : []),
    ...(isTorn ? ['the log ends within a line'] : []), ...pages.filter((page) => page.startsWith('the store')),
    ...(await archiveProblems(folder, pages)),
  ];
}

/** Archives are whole, and hold an answer of each page that the store says is fetched. */
async function archiveProblems(folder: string, pages: readonly string[]): Promise<string[]> {
  const archives = join(folder, 'crawled', 'warc');
  if (!existsSync(archives)) return [];
  const responses = new Set<string>();
  for (const name of readdirSync(archives).sort()) {
    const bytes = new Uint8Array(readFileSync(join(archives, name)));
    try {
      for await (const record of WARCParser.iterRecords([bytes], { parseHttp: false })) {
        await record.readFully(false);
        if (record.warcType === 'response') responses.add(String(record.warcTargetURI));
      }
    } catch (error) {
      return [`${name} cannot be read: ${String(error)}`];
    }
  }
  return pages.filter((page) => !responses.has(page)).map((page) => `${page} is not in the archives`);
}
