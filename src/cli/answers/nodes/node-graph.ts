import { stat } from 'node:fs/promises';
import { InputError } from '../../../base/index.ts';
import { storedGraphFile } from '../../../graphs/catalogue/index.ts';
import {
  PartialGraph, PreparedFile, preparedPath, settleSeeds, trueRanks, WholeGraph, writePrepared, type CrawledGraph,
} from '../../../core/engine/index.ts';
import { prepare, type GraphPages, type PreparedGraph } from '../../../graphs/graph/index.ts';
import { namedGraph } from '../../flags/named-graph.ts';
import { checkWritable } from '../../flags/out-file.ts';
import { decimal, grouped } from '../../text/figures.ts';
import { print, remark } from '../../text/output.ts';
import { printable, printableShort } from '../../text/printable.ts';
import { ProgressLine } from '../../text/progress.ts';
import { graphLines } from '../../text/run/simulate-text.ts';

export type SeedsOf = (graph: GraphPages) => number[] | undefined;

export interface GraphSource {
  readonly path: string;
  /** Replaces its stored name. */
  readonly title: string | undefined;
}

export interface NodeGraphOptions {
  readonly seedsOf: SeedsOf;
  /** Whether the paths of the pages are needed. */
  readonly paths: boolean;
  /** The flag that needs the links of all pages, if one does. */
  readonly wholeFor: string | undefined;
}

/**
 * The graph of a node: the links of its pages, with the prepared file, which is made where there is none. All
 * links, if something needs them, or if the graph is no stored one.
 * @throws InputError as openGraph; for a prepared file that is damaged or of another graph.
 */
export async function nodeGraph(
  { path, title }: GraphSource, { seedsOf, paths, wholeFor }: NodeGraphOptions,
): Promise<CrawledGraph> {
  const stored = await storedGraphFile(path);
  if (stored !== undefined && wholeFor !== undefined)
    remark(`${wholeFor} needs the links of all pages: this node has the whole graph in memory`);
  if (stored === undefined || wholeFor !== undefined)
    return new WholeGraph(prepare(await namedGraph(path, title)));
  const file = await PreparedFile.open(preparedPath(stored)) ?? await madeFile(stored, title, seedsOf);
  return file instanceof PreparedFile ? PartialGraph.open(stored, file, { name: title, paths }) : file;
}

/** Makes the prepared file of a graph; the graph itself where it cannot be written. */
async function madeFile(
  path: string, title: string | undefined, seedsOf: SeedsOf,
): Promise<PreparedFile | WholeGraph> {
  const file = preparedPath(path);
  remark(`${printable(file)} is not there: this node opens the whole graph once, to make it`);
  const prepared = prepare(await namedGraph(path, title));
  const seedPages = computed(prepared, seedsOf);
  try {
    await writePrepared(file, prepared, { seedPages });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    remark(`${printable(error.message)}: this node keeps the whole graph in memory`);
  }
  return await PreparedFile.open(file) ?? new WholeGraph(prepared);
}

/** The slow part of a prepared file. @throws InputError for seed pages that the graph does not have. */
function computed(prepared: PreparedGraph, seedsOf: SeedsOf): number[] | undefined {
  const { graph } = prepared;
  const seedPages = seedsOf(graph);
  settleSeeds(prepared, { seedPages });
  const progress = new ProgressLine();
  progress.show(() => `${graph.name}: ranking ${grouped(graph.pages)} pages`);
  trueRanks(prepared);
  progress.clear();
  return seedPages;
}

export async function runPrepare(
  source: GraphSource, seedsOf: SeedsOf, { json }: { readonly json?: true },
): Promise<void> {
  const path = await storedGraphFile(source.path);
  if (path === undefined) {
    throw new InputError(
      `--prepare: ${printableShort(source.path)} is not a stored graph; orbweaver import GRAPH --out FILE.owg makes one`,
    );
  }
  const file = preparedPath(path);
  await checkWritable(file, '--prepare');
  const prepared = prepare(await namedGraph(path, source.title));
  const seedPages = computed(prepared, seedsOf);
  const { graph, seeds } = await writePrepared(file, prepared, { seedPages });
  const { size } = await stat(file);
  print(
    json,
    () => ({ graph: prepared.graph.name, ...graph, seeds, file, bytes: size }),
    () => [
      ...graphLines(prepared, seedPages), '',
      `Stored in ${printable(file)} (${decimal(size / 1e6, 1)} MB): what nodes need of the whole graph, for these seed pages.`,
    ].join('\n'),
  );
}
