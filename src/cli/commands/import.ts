import type { Command } from 'commander';
import { formatNames, formats, stores } from '../../graphs/formats/index.ts';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('import')
    .description('An .owg file opens at once and is checked when it is read; other endings are for other programs.')
    .argument('<files...>', 'files or a folder in one of the formats below, or - for standard input; text, XML and archives may be gzipped')
    .requiredOption('--out <FILE>', `the file to write; its ending selects the format: ${endingsInWords()}`)
    .option(
      '--format <NAME>',
      `auto, detected from the content (default), or ${formatNames.map((name) => `${name} (${formats[name].holds})`).join(', ')}`,
    )
    .option(
      '--order <NAME>',
      'number the pages as in the source (source), by host and path (host), or breadth first from the seed pages (bfs) (default: source)',
    )
    .option('--columns <FROM,TO>', 'for tables as texts (csv): the columns that links come from and lead to, by their names or by numbers from 1')
    .option('--fetched-only', 'for WARC and WAT archives: leave out pages that are only linked to')
    .option('--drop-query <NAMES>', 'for WARC and WAT archives, logs of Heritrix and dumps of Nutch: drop these query parameters from every URL, as crawl does: names between commas, with * for any characters; all = every one')
    .option('--record-limit-mib <N>', 'for archives: read this much of a record and of its decompressed body; for HTML files: of a file (default: 16)')
    .option('--host-per-folder', 'for a folder of HTML files: each top folder is a host; otherwise the whole folder is one')
    .option('--expansion-limit <TIMES>', 'for compressed data: from 64 MiB on, reject them if they expand more than this (default: 250)')
    .option('--urls', 'when writing edge lists and Parquet: identify pages by URL instead of by id')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `
Several files can form one graph in the formats ${formatNames.filter((name) => formats[name].several).join(', ')}; in the others one file
or folder does. Damaged archive records are skipped and reported; any other damage is rejected. Pages renumbered by --order
keep their source ids beside the new ones in an .owg file.

Examples:
  orbweaver import docs-web --out docs-web.owg
  printf '0 1\\n1 2\\n2 0\\n2 1\\n' > links.txt && orbweaver import links.txt --format edges --out links.owg
  printf '0\\torg.example\\n1\\torg.example.www\\n' > vertices.txt && printf '0\\t1\\n' > edges.txt && orbweaver import vertices.txt edges.txt --out hosts.owg
  orbweaver import docs-web --order bfs --out docs-web-bfs.owg
  orbweaver import clique --out clique.graph && orbweaver import clique.properties --format bvgraph --out clique.owg
  orbweaver import clique --out clique.parquet && orbweaver import clique.parquet --out clique.tsv.gz
  printf 'id,page,link\\n1,http://a.example/,http://b.example/\\n' > links.csv && orbweaver import links.csv --columns page,link --out named.owg
  printf '1 2 {}\\n2 1 {}\\n' | orbweaver import - --out piped.owg
  mkdir -p site && printf '<a href=b.html>b</a>' > site/index.html && printf '<a href=/>up</a>' > site/b.html && orbweaver import site --urls --out site-links.tsv`)
    .action(later(async () => (await import('../actions/import.ts')).runImport));
}

function endingsInWords(): string {
  return stores.map(({ endings, title }) => `${endings.join(' or ')} (${title})`).join('; ');
}
