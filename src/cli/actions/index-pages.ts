import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { InputError } from '../../base/index.ts';
import { PagesToIndex } from '../../search/indexing/index.ts';
import { IndexWriter } from '../../search/index.ts';
import { ownFlags, type OutFlags } from '../flags/flags.ts';
import { checkWritable } from '../flags/out-file.ts';
import { interruptSignal } from '../interrupt.ts';
import { clock, counted, decimal, grouped } from '../text/figures.ts';
import { print, remark, remarkInterrupted } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { ProgressLine, shareAndTimeLeft } from '../text/progress.ts';

const own = z.object({
  segments: z.number().int().min(1).max(1024).optional(),
  stopWords: z.enum(['none', 'english']).optional(),
  threads: z.number().int().min(1).max(256).default(availableParallelism()),
  recordLimitMib: z.number().int().min(1).max(1024).default(16),
});

interface Flags extends OutFlags {
  readonly hostPerFolder?: true;
}

/** Pages that are stored together; a process that is killed loses those since. */
const COMMIT_PAGES = 256;

const steps = { words: 'words', links: 'words of links', ranks: 'PageRank' };

export async function runIndex(paths: readonly string[], flags: Flags): Promise<void> {
  const { segments, stopWords, threads, recordLimitMib } = ownFlags(own, flags);
  const out = String(flags.out);
  const stats = await stat(out).catch(() => undefined);
  if (stats?.isDirectory() === true) throw new InputError(`--out ${printableShort(out)}: is a folder; name a file`);
  if (stats?.isFile() !== true) await checkWritable(out);
  const open: { writer?: IndexWriter } = {};
  const pages = await PagesToIndex.open(paths, {
    threads, recordLimitBytes: recordLimitMib * 2 ** 20, hostPerFolder: flags.hostPerFolder,
    isKnown: (url) => open.writer?.hasPage(url) ?? false,
    onFault: (fault) => { remark(`warning: ${printable(fault)}`); },
  });
  const writer = open.writer = await IndexWriter.open(out, { segments, stopWords });
  try {
    await write(out, pages, writer, flags);
  } catch (error) {
    // Closed by its own failures.
    if (writer.isOpen) writer.close();
    if (stats === undefined && writer.pages === 0) remove(out);
    throw error;
  }
}

async function write(out: string, pages: PagesToIndex, writer: IndexWriter, { json }: Flags): Promise<void> {
  const signal = interruptSignal();
  const pagesBefore = writer.pages;
  const line = new ProgressLine();
  const sinceMs = performance.now();
  let [words, uncommitted] = [0, 0];
  try {
    for await (const some of pages.read(writer.stopWords)) {
      uncommitted += writer.addPrepared(some);
      if (uncommitted >= COMMIT_PAGES) {
        writer.commit();
        uncommitted = 0;
      }
      line.show(() => `${counted(writer.pages - pagesBefore, 'page')}: ${shareAndTimeLeft(pages.share, 1, sinceMs)}`);
      if (signal.aborted) break;
    }
    if (writer.pages === 0 && !signal.aborted)
      throw new InputError(`${pages.titles.join('; ')}: no page that can be indexed${leftInWords(pages)}`);
    writer.commit();
    if (!signal.aborted) {
      words = writer.finish(({ step, done, total }) => {
        line.show(() => `finishing, ${steps[step]}: ${grouped(done)} of ${grouped(total)}`);
      });
    }
  } finally {
    line.clear();
  }
  const { pages: all, documents } = writer;
  writer.close();
  const seconds = (performance.now() - sinceMs) / 1000;
  if (signal.aborted) {
    const stored = counted(all - pagesBefore, 'page');
    remarkInterrupted(`interrupted after ${stored}, which are stored; run the same command again to continue`); return;
  }
  const { size: bytes } = await stat(out);
  print(
    json,
    () => ({
      index: out, pages: all, addedPages: all - pagesBefore, documents, words, leftOut: pages.left, seconds, bytes,
    }),
    () => [
      `${counted(all - pagesBefore, 'page')} added in ${clock(seconds)}${leftInWords(pages)}`,
      `${counted(all, 'page')}, ${counted(documents, 'document')} and ${counted(words, 'distinct word')} in ` +
        `${printable(out)}, ${decimal(bytes / 1e6, 1)} MB`,
    ].join('\n'),
  );
}

/** `; left out: 2 pages with noindex, 1 page that cannot be read`. */
function leftInWords({ left: { noindex, damaged } }: PagesToIndex): string {
  const parts = [
    ...(noindex > 0 ? [`${counted(noindex, 'page')} with noindex`] : []),
    ...(damaged > 0 ? [`${counted(damaged, 'page')} that cannot be read`] : []),
  ];
  return parts.length === 0 ? '' : `; left out: ${parts.join(', ')}`;
}

/** An index in which nothing was stored, with the files that SQLite has beside it. */
function remove(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
}
