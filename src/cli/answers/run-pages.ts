import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openGraph } from '../../graphs/catalogue/index.ts';
import { partitionHosts, settleSeeds } from '../../core/engine/index.ts';
import { graphChecksum, prepare, urlOf, type PreparedGraph } from '../../graphs/graph/index.ts';
import type { SettledExperiment } from '../../core/settings/index.ts';
import { InputError } from '../../base/index.ts';
import type { PagesOpener, RunOfPages, RunPages } from '../../views/service/index.ts';

/** Graphs that stay open: a large one takes gigabytes. */
const MAX_OPEN = 2;
/** Files and folders below a folder that is opened as a graph: a record may name the root of the disk. */
const MAX_ENTRIES = 50_000;

/** Opens graphs of runs, and remembers the last ones by their checksums. */
export function pagesOpener(): PagesOpener {
  const open = new Map<string, Promise<PreparedGraph | undefined>>();
  return async (run) => {
    const { sha256 } = run;
    const graph = open.get(sha256) ?? graphOf(run);
    open.delete(sha256);
    open.set(sha256, graph);
    for (const oldest of [...open.keys()].slice(0, -MAX_OPEN)) open.delete(oldest);
    const prepared = await graph;
    if (prepared !== undefined) return pagesOf(prepared, run.experiment as SettledExperiment);
    // It may be brought later.
    open.delete(sha256);
    return undefined;
  };
}

async function graphOf({ graphs, sha256 }: RunOfPages): Promise<PreparedGraph | undefined> {
  for (const name of graphs) {
    if (await holdsTooMuch(name)) continue;
    const graph = await unlessRefused(() => openGraph(name));
    if (graph !== undefined && graphChecksum(graph) === sha256) return prepare(graph);
  }
  return undefined;
}

/** Whether a folder has too many entries to look through; false for anything else. */
async function holdsTooMuch(path: string): Promise<boolean> {
  const folders = [path];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const at = folder;
    const children = await readdir(at, { withFileTypes: true }).catch(() => []);
    entries += children.length;
    if (entries > MAX_ENTRIES) return true;
    for (const entry of children) if (entry.isDirectory()) folders.push(join(at, entry.name));
  }
  return false;
}

async function pagesOf(graph: PreparedGraph, experiment: SettledExperiment): Promise<RunPages | undefined> {
  return unlessRefused(() => {
    const { reachable, seedPages } = settleSeeds(graph, experiment);
    const processorOfHost = partitionHosts(graph, experiment, reachable);
    const { graph: pages } = graph;
    const { ofPage } = pages.hosts;
    return {
      graph, processorOfHost, seedPages, reachable,
      nameOf: (page) => urlOf(pages, page), processorOf: (page) => processorOfHost[ofPage[page]],
    };
  });
}

/** A timeline can do without a graph that is refused. */
async function unlessRefused<T>(make: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
