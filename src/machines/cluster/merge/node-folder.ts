import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError } from '../../../base/index.ts';
import { differenceOf, settingsByName, type Identity } from '../index.ts';
import { openLmdbStore, type CrawlStore } from '../../../core/live/index.ts';
import {
  readFailures, readHostsGivenUp, readRunEvents, readRunJson, recordPartial, type Failure, type HostGivenUpRow,
  type RunEvents, type RunJson,
} from '../../../core/measure/index.ts';
import type { LiveCrawlSettings, MeasureSettings, SettledCrawl } from '../../../core/settings/index.ts';

/** What a merge needs of the settings of a live crawl. */
export interface MergedExperiment extends SettledCrawl, MeasureSettings {
  readonly seedPages: readonly number[];
  readonly partition: LiveCrawlSettings['partition'];
}

/** The folder of a node of a crawl, with its store open. */
export interface NodeFolder {
  readonly path: string;
  readonly node: number;
  readonly nodes: number;
  /** Drawn when the folder began; undefined for a crawl on one machine. */
  readonly id: string | undefined;
  readonly store: CrawlStore;
  /** Canonical URLs. */
  readonly seeds: readonly string[];
  readonly run: RunJson<MergedExperiment>;
  /** The store has the page ids. */
  readonly events: Pick<RunEvents, 'order' | 'times' | 'rows'> & { readonly failures: readonly Failure[] };
  readonly hostsGivenUp: readonly Omit<HostGivenUpRow, 'host'>[];
}

const storedSchema = z.looseObject({
  seeds: z.array(z.string()).min(1),
  /** A crawl on one machine names no node: it is node 0 of 1. */
  cluster: z.object({ node: z.int().min(0), nodes: z.int().min(1), id: z.string().optional() })
    .default({ node: 0, nodes: 1 }),
});

/**
 * Opens the folders of all nodes of a crawl, in the order of their numbers.
 * @throws InputError, naming the folder, if one is no folder of a crawl, is in use, has not ended or is damaged; if
 * they are not all nodes of the same crawl, each once.
 */
export async function openNodes(paths: readonly string[]): Promise<NodeFolder[]> {
  const opened: NodeFolder[] = [];
  try {
    checkPaths(paths);
    for (const path of paths) opened.push(await openNode(path));
    const nodes = byNumber(opened);
    for (const node of nodes) checkSame(nodes[0], node);
    checkPeers(nodes);
    return nodes;
  } catch (error) {
    await closeNodes(opened);
    throw error;
  }
}

export async function closeNodes(nodes: readonly NodeFolder[]): Promise<void> {
  for (const { store } of nodes) await store.close();
}

function checkPaths(paths: readonly string[]): void {
  const names = new Map<string, string>();
  for (const path of paths) {
    if (!existsSync(path)) throw new InputError(`${path}: there is no such folder`);
    const real = realpathSync(path);
    const other = names.get(real);
    if (other !== undefined)
      throw new InputError(`${path}: is named twice${other === path ? '' : `, also as ${other}`}`);
    names.set(real, path);
  }
}

async function openNode(path: string): Promise<NodeFolder> {
  const store = await openLmdbStore(join(path, 'store'));
  try {
    if (existsSync(join(path, recordPartial)) || !existsSync(join(path, 'run.json')))
      throw new InputError(`${path}: its crawl has not ended; continue it first (orbweaver crawl --resume)`);
    const stored = storedSchema.safeParse(store.settings);
    if (!stored.success)
      throw new InputError(`${join(path, 'store')}: contains settings that this version does not understand`);
    const { seeds, cluster } = stored.data;
    const run = await readRunJson<MergedExperiment>(path);
    const events = { ...(await readRunEvents(path, run)), failures: await readFailures(path, run) };
    const hostsGivenUp = await readHostsGivenUp(path);
    return { path, node: cluster.node, nodes: cluster.nodes, id: cluster.id, store, seeds, run, events, hostsGivenUp };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** @throws InputError unless each node is there once. */
function byNumber(opened: readonly NodeFolder[]): NodeFolder[] {
  const [first] = opened;
  const folders: NodeFolder[] = [];
  for (const folder of opened) {
    const { path, node, nodes } = folder;
    if (nodes !== first.nodes)
      throw new InputError(`${path}: is a node of ${nodes}, and ${first.path} is one of ${first.nodes}`);
    if (node in folders)
      throw new InputError(`${path}: is node ${node} of ${nodes}, and so is ${folders[node].path}`);
    folders[node] = folder;
  }
  const missing = Array.from({ length: first.nodes }, (_, node) => node).filter((node) => !(node in folders));
  if (missing.length > 0) {
    throw new InputError(
      `node ${missing.join(', ')} of ${first.nodes} is missing: name the folders of all nodes, each once`,
    );
  }
  return folders;
}

/** @throws InputError for the first setting in which two nodes differ. */
function checkSame(first: NodeFolder, other: NodeFolder): void {
  const settingsOf = ({ run: { version, experiment }, seeds }: NodeFolder): Identity =>
    // Each store has its ids of seed pages.
    settingsByName({ version, experiment: { ...experiment, seedPages: undefined }, seeds });
  const difference = differenceOf(settingsOf(first), settingsOf(other));
  if (difference === undefined) return;
  throw new InputError(`${other.path}: is not of the crawl of ${first.path}: ${difference}`);
}

/** @throws InputError if a node met another folder of a node than the one that is here. */
function checkPeers(nodes: readonly NodeFolder[]): void {
  for (const { path, store } of nodes) {
    const peers = peersIn(store.marked('peers'));
    const stranger = nodes.find(({ node, id }) => peers.at(node) !== undefined && peers[node] !== id);
    if (stranger !== undefined)
      throw new InputError(`${stranger.path}: is not the folder of node ${stranger.node} that ${path} crawled with`);
  }
}

/** The ids of the folders that a node has met, by number. */
function peersIn(marked: string | undefined): readonly string[] {
  try {
    return z.array(z.string()).safeParse(JSON.parse(marked ?? '')).data ?? [];
  } catch {
    return [];
  }
}
