import { basename, dirname } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import {
  graphChecksum, openGraph, readAdjacencyList, readBvGraph, readEdgeList, readTables, writeBvGraph, writeOwg, type ReadOptions,
} from '../dataset/index.ts';
import type { WebGraph } from '../graph/index.ts';
import { InputError } from '../std/index.ts';
import { ownFlags, type RawFlags } from './flags.ts';
import { checkWritable } from './out-file.ts';
import { print } from './output.ts';
import { printable, printableShort } from './printable.ts';
import { graphSentence } from './simulate-text.ts';

const readers = {
  auto: openGraph,
  edges: readEdgeList,
  adjacency: readAdjacencyList,
  tables: readTables,
  bvgraph: readBvGraph,
} satisfies Record<string, (path: string, options: ReadOptions) => Promise<WebGraph>>;

type Format = keyof typeof readers;

const own = z.object({ format: z.enum(Object.keys(readers) as [Format, ...Format[]]).default('auto') });

interface Flags extends RawFlags {
  readonly out?: string;
  readonly json?: true;
}

/** `orbweaver import <files...>`: a graph in any format known, stored as one .owg file or as a BVGraph. */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('Store a graph as one .owg file, which opens at once and is checked when read, or its links as a BVGraph.')
    .argument('<files...>', 'text file of links, folder of tables, the tables of one folder, or a BVGraph; texts plain or gzipped')
    .requiredOption('--out <FILE>', 'the file to write: NAME.owg, or NAME.graph for a BVGraph (with NAME.offsets and NAME.properties)')
    .option(
      '--format <NAME>',
      'auto, edges (two page ids a line), adjacency (the number of pages, then a line of links each), tables (a folder), ' +
        'bvgraph (of the WebGraph framework) (default: auto)',
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  orbweaver import docs-web --out docs-web.owg
  printf '0 1\\n1 2\\n2 0\\n2 1\\n' > links.txt && orbweaver import links.txt --format edges --out links.owg
  orbweaver import clique --out clique.graph && orbweaver import clique.properties --format bvgraph --out clique.owg`,
    )
    .action(runImport);
}

async function runImport(files: readonly string[], flags: Flags): Promise<void> {
  const { format } = ownFlags(own, flags);
  const out = String(flags.out);
  const source = sourceOf(files, format);
  const store = storeOf(out);
  await checkWritable(out);
  const notes: string[] = [];
  const graph = await readers[format](source, { onNote: (note) => notes.push(note) });
  notes.push(...(await store(graph)));
  const sha256 = graphChecksum(graph);
  print(
    flags.json,
    () => ({
      graph: graph.name, pages: graph.pages, arcs: graph.arcs, hosts: graph.hosts.count,
      hostsAreSynthetic: graph.hosts.synthetic, sha256, file: out, notes,
    }),
    () => [graphSentence(graph), ...notes.map((note) => `${printable(note)}.`), `sha256 ${sha256}`, `Stored in ${printable(out)}`].join('\n'),
  );
}

/** How to store a graph as `out`, by its ending; gives notes on what is not stored. */
function storeOf(out: string): (graph: WebGraph) => Promise<string[]> {
  if (out.endsWith('.owg')) {
    return async (graph) => {
      await writeOwg(graph, out);
      return [];
    };
  }
  if (!out.endsWith('.graph')) {
    throw new InputError(`--out ${printableShort(out)}: ends with neither .owg nor .graph, the formats that import writes`);
  }
  return async (graph) => {
    await writeBvGraph(graph, out.slice(0, -'.graph'.length));
    const left = [
      graph.hosts.synthetic ? [] : 'hosts', graph.paths ? 'paths' : [], graph.bytes ? 'sizes' : [],
      graph.seeds ? 'seed pages' : [], graph.sourceIds ? 'ids of the source' : [], 'the order of links',
    ].flat();
    return [`${out} holds links alone, in ascending order; left behind: ${left.join(', ')}`];
  };
}

/** A graph is one file or one folder; the tables of one folder may also be named one by one, as a shell's `folder/*` does. */
function sourceOf(files: readonly string[], format: Format): string {
  if (files.length === 1) return files[0];
  const folders = new Set(files.map((file) => dirname(file)));
  const areTables = files.every((file) => /^(pages\.tsv|arcs\.tsv|seeds\.txt)(\.gz)?$/.test(basename(file)));
  if (areTables && folders.size === 1 && (format === 'auto' || format === 'tables')) return dirname(files[0]);
  throw new InputError(
    `${files.length} files (${printableShort(files.join(', '))}): import takes one file, or the tables of one folder ` +
      '(pages.tsv, arcs.tsv, seeds.txt); join several files of links into one first',
  );
}
