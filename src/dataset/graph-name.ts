import { basename } from 'node:path';

/** What a graph read from a file is called: the file's name without folder and known endings. */
export function graphName(path: string): string {
  const name = basename(path);
  return name.replace(/\.gz$/i, '').replace(/\.(owg|adj\.txt|txt|tsv|csv|edges|el)$/i, '') || name;
}
