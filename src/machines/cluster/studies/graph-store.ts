import { statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { download } from '../../../graphs/catalogue/index.ts';
import { InputError, WorldError } from '../../../base/index.ts';
import { machineName, makeFolder } from '../../../base/files/index.ts';
import { readOwg, writeOwg } from '../../../graphs/formats/index.ts';
import { graphChecksum, prepare, type PreparedGraph } from '../../../graphs/graph/index.ts';
import type { RunNeeds } from './job.ts';

/** The place of graphs, stored by their checksums, as `<checksum>.owg`. */
export interface GraphStore {
  readonly folder: string;
  /** Base of URLs for graphs that are not in the folder. */
  readonly url?: string | undefined;
}

const pathIn = (folder: string, checksum: string): string => join(folder, `${checksum}.owg`);

/** Anything else has no graph to be read, and may never end. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Stores a graph for the workers, unless it is stored. */
export async function storeGraph(prepared: PreparedGraph, folder: string): Promise<void> {
  const path = pathIn(folder, graphChecksum(prepared));
  if (isFile(path)) return;
  await makeFolder(folder);
  await writeOwg(prepared.graph, path);
}

/**
 * The graph of this checksum.
 * Errors   WorldError if it is not there: another worker may have it; InputError if it is another graph.
 */
export async function storedGraph(
  { checksum, name }: RunNeeds['graph'], { folder, url }: GraphStore,
): Promise<PreparedGraph> {
  // It names a file, and came over the network.
  if (!/^[0-9a-f]{64}$/.test(checksum)) throw new InputError('the checksum of the graph is not a SHA-256');
  const path = pathIn(folder, checksum);
  if (!isFile(path)) {
    if (url === undefined) {
      throw new WorldError(
        `graph ${name}: there is no ${path}; name the folder in which the study stores its graph with --graphs`,
      );
    }
    await fetched(`${url.replace(/\/$/, '')}/${checksum}.owg`, path, folder);
  }
  const prepared = prepare(await readOwg(path, { name }));
  const actual = graphChecksum(prepared);
  if (actual !== checksum)
    throw new InputError(`graph ${name}: ${path} is another graph (its checksum is ${actual}); remove the file`);
  return prepared;
}

/** Downloads beside the final name: several workers of a machine may want the same graph. */
async function fetched(url: string, path: string, folder: string): Promise<void> {
  await makeFolder(folder);
  const partial = `${path}.${machineName()}-${process.pid}`;
  try {
    await download(url, partial, {}, { limits: { attempts: 3 } });
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}
