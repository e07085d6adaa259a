import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { openGraph } from '../../graphs/catalogue/index.ts';
import type { ReadOptions } from '../../graphs/formats/index.ts';
import type { WebGraph } from '../../graphs/graph/index.ts';
import { decimal } from '../text/figures.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { withProgress } from '../text/progress.ts';
import { STANDARD_INPUT, withStandardInput } from './standard-input.ts';

/** The files of a finished crawl that a simulation of it takes. */
export interface CrawlFolder {
  readonly graph: string;
  readonly run: string;
}

/** Undefined if `name` is not the folder of a crawl that has ended, as `-` and the names of the catalogue. */
export function crawlFolder(name: string): CrawlFolder | undefined {
  const [graph, run, log] = ['graph.owg', 'run.json', 'crawl.log'].map((file) => join(name, file));
  return [graph, run, log].every((file) => existsSync(file)) ? { graph, run } : undefined;
}

/**
 * The graph that the user names: `-` for the one on standard input, the folder of a crawl for the one that it stored.
 * Damaged parts of its source that are skipped are reported on standard error.
 * @param title its name, in place of the name of its file.
 */
export function namedGraph(name: string, title?: string): Promise<WebGraph> {
  const crawled = crawlFolder(name);
  if (crawled !== undefined) return namedGraph(crawled.graph, title ?? basename(resolve(name)));
  return readWithProgress([name], ([path], { inWords, ...options }) =>
    openGraph(path, {
      ...options, ...(title !== undefined && { name: title }),
      onFault: (fault) => remark(`warning: ${printable(inWords(fault))}`),
    }),
  );
}

type WithProgress = Pick<ReadOptions, 'onBytes' | 'name'> & { readonly inWords: (text: string) => string };

/** Calls `read` with the paths of the files named, `-` for standard input, and with options that show its progress. */
export async function readWithProgress<T>(
  names: readonly string[], work: (paths: readonly string[], options: WithProgress) => Promise<T>,
): Promise<T> {
  return withProgress((line) => withStandardInput(names, (paths, inWords) => work(paths, {
    onBytes: (path, bytes) => line.show(() => `reading ${inWords(path)}: ${decimal(bytes / 1e6, 1)} MB`),
    inWords,
    ...(names[0] === STANDARD_INPUT && { name: 'stdin' }),
  })));
}
