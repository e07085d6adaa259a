import { basename } from 'node:path';

/** The control characters of ASCII and Latin-1. */
export const CONTROL_CHARACTERS = /\p{Cc}/gu;

const ENDINGS = new RegExp(
  '\\.(owg|graph|graph-txt|warc|warc\\.wat|wat|adj\\.txt|mtx|smat|txt|tsv|csv|edges|el|dat|parquet|gexf|graphml|gml|' +
    'metis|net|edgelist|log)$',
  'i',
);

/** The name of a graph read from a file: the file's name without folder and known endings. */
export function graphName(path: string): string {
  // A name is printed in many places, so it must not control a terminal.
  const name = basename(path).replace(CONTROL_CHARACTERS, '?');
  return name.replace(/\.gz$/i, '').replace(ENDINGS, '') || name;
}

/** The name of a graph in several files: the name of the first, and how many more there are. */
export function graphNameOfParts(paths: readonly string[]): string {
  return graphName(paths[0]) + (paths.length > 1 ? ` and ${paths.length - 1} more` : '');
}
