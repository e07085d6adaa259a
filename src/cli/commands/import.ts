import { basename, dirname } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import {
  formatNames, formats, stores, type Format, type FormatName, type OpenOptions, type Store,
} from '../../formats/index.ts';
import { graphChecksum, breadthFirstOrder, hostOrder, reordered, type WebGraph } from '../../graph/index.ts';
import { openFiles, openGraph } from '../../catalogue/index.ts';
import { InputError } from '../../base/index.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { withReadingProgress } from '../flags/named-graph.ts';
import { checkWritable } from '../flags/out-file.ts';
import { print } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { graphSentence } from '../text/simulate-text.ts';

/** Orders of pages; undefined where they stay as the source has them. */
const orders = {
  source: undefined,
  host: hostOrder,
  bfs: breadthFirstOrder,
} satisfies Record<string, ((graph: WebGraph) => Uint32Array) | undefined>;

const own = z.object({
  format: z.enum(['auto', ...formatNames]).default('auto'),
  order: z.enum(Object.keys(orders) as [keyof typeof orders, ...(keyof typeof orders)[]]).default('source'),
  recordLimitMib: z.number().int().min(1).max(1024).optional(),
  expansionLimit: z.number().min(1).max(2000).optional(),
});

interface Flags extends RawFlags {
  readonly out?: string;
  readonly json?: true;
  readonly fetchedOnly?: true;
  readonly hostPerFolder?: true;
  readonly urls?: true;
}

/** `orbweaver import <files...>`: a graph in any format known, stored in one of those that are written. */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('Read a graph in any format known and store it: as one .owg file, which opens at once and is checked when read, or for other programs.')
    .argument('<files...>', 'files or a folder in one of the formats below; texts, XML and archives plain or gzipped')
    .requiredOption('--out <FILE>', `the file to write, by its ending: ${stores.map(({ endings, title }) => `${endings.join(' or ')} (${title})`).join('; ')}`)
    .option(
      '--format <NAME>',
      `auto, by the content (default), or ${formatNames.map((name) => `${name} (${formats[name].holds})`).join(', ')}`,
    )
    .option(
      '--order <NAME>',
      'number the pages as the source does (source), by host and path (host), or breadth first from the seed pages (bfs) (default: source)',
    )
    .option('--fetched-only', 'of WARC and WAT archives: leave out pages that are only linked to')
    .option('--record-limit-mib <N>', 'of archives: read this much of a record and of its decompressed body; of HTML files, of a file (default: 16)')
    .option('--host-per-folder', 'of a folder of HTML files: each top folder is a host; else the whole folder is one')
    .option('--expansion-limit <TIMES>', 'of compressed data that have made 64 MiB: refuse them once they grew more than this (default: 250)')
    .option('--urls', 'of edge lists and Parquet written: pages by their URLs instead of their ids')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Several files make one graph in the formats ${formatNames.filter((name) => formats[name].several).join(', ')}; of every other one file
or folder does. Damaged records of archives are left out and told; what else is damaged is refused. Pages numbered anew by --order
keep the ids that they had in the source, in an .owg beside their new ones.

Examples:
  orbweaver import docs-web --out docs-web.owg
  printf '0 1\\n1 2\\n2 0\\n2 1\\n' > links.txt && orbweaver import links.txt --format edges --out links.owg
  printf '0\\torg.example\\n1\\torg.example.www\\n' > vertices.txt && printf '0\\t1\\n' > edges.txt && orbweaver import vertices.txt edges.txt --out hosts.owg
  orbweaver import docs-web --order bfs --out docs-web-bfs.owg
  orbweaver import clique --out clique.graph && orbweaver import clique.properties --format bvgraph --out clique.owg
  orbweaver import clique --out clique.parquet && orbweaver import clique.parquet --out clique.tsv.gz
  mkdir -p site && printf '<a href=b.html>b</a>' > site/index.html && printf '<a href=/>up</a>' > site/b.html && orbweaver import site --urls --out site-links.tsv`,
    )
    .action(runImport);
}

async function runImport(files: readonly string[], flags: Flags): Promise<void> {
  const { format, order, recordLimitMib, expansionLimit } = ownFlags(own, flags);
  const out = String(flags.out);
  const read = readerOf(files, format);
  const store = storeFor(out, flags);
  await checkWritable(out);
  const notes: string[] = [];
  const asRead = await withReadingProgress((progress) => read({
    ...progress,
    onNote: (note) => notes.push(note),
    fetchedOnly: flags.fetchedOnly,
    hostPerFolder: flags.hostPerFolder,
    recordLimitBytes: recordLimitMib && recordLimitMib * 2 ** 20,
    expansionLimit,
  }));
  const graph = orders[order] ? reordered(asRead, orders[order](asRead)) : asRead;
  if (order !== 'source')
    notes.push(`Pages are numbered anew, ${order === 'host' ? 'by host and path' : 'breadth first'}`);
  await store.write(graph, out, { urls: flags.urls });
  const left = store.leaves(graph, { urls: flags.urls });
  if (left.length > 0) notes.push(`${out} does not hold ${left.join(', ')}`);
  const sha256 = graphChecksum(graph);
  print(
    flags.json,
    () => ({
      graph: graph.name, pages: graph.pages, arcs: graph.arcs, hosts: graph.hosts.count,
      hostsAreSynthetic: graph.hosts.synthetic, sha256, file: out, notes,
    }),
    () =>
      [
        graphSentence(graph),
        ...notes.map((note) => `${printable(note)}.`),
        `sha256 ${sha256}`,
        `Stored in ${printable(out)}`,
      ].join('\n'),
  );
}

/** The store that `--out` names. */
function storeFor(out: string, { urls }: Flags): Store {
  const store = stores.find(({ endings }) => endings.some((ending) => out.endsWith(ending)));
  if (store === undefined) {
    throw new InputError(
      `--out ${printableShort(out)}: ends with none of ${stores.flatMap(({ endings }) => endings).join(', ')}, the formats that import writes`,
    );
  }
  if (urls === true && !store.urls) {
    throw new InputError(
      `--urls: ${printableShort(out)} holds ${store.title}, whose pages have ids; it is for edge lists and Parquet`,
    );
  }
  return store;
}

/**
 * The reader for what was named: one file or folder; the tables of one folder named one by one, as a shell's `folder/*`
 * does; or the files of a format of which several make one graph.
 */
function readerOf(files: readonly string[], format: FormatName | 'auto'): (options: OpenOptions) => Promise<WebGraph> {
  const chosen: Format | undefined = format === 'auto' ? undefined : formats[format];
  if (files.length === 1) return (options) => chosen?.read(files, options) ?? openGraph(files[0], options);
  const folders = new Set(files.map((file) => dirname(file)));
  const areTables = files.every((file) => /^(pages\.tsv|arcs\.tsv|seeds\.txt)(\.gz)?$/.test(basename(file)));
  if (areTables && folders.size === 1 && (format === 'auto' || format === 'tables')) {
    return (options) => formats.tables.read([dirname(files[0])], options);
  }
  return async (options) => {
    const graph = chosen
      ? chosen.several && (await chosen.read(files, options))
      : !areTables && (await openFiles(files, options));
    if (graph) return graph;
    throw new InputError(
      `${files.length} files (${printableShort(files.join(', '))}): import takes one file, or the tables of one folder ` +
        '(pages.tsv, arcs.tsv, seeds.txt), or several WARC and WAT archives, edge lists or host tables, or the vertices and edges of a host graph',
    );
  };
}
