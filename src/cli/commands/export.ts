import type { Command } from 'commander';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('export')
    .argument('<index>', 'index made by orbweaver index')
    .requiredOption('--out <FILE>', 'the file to write; its ending selects the format: .ndjson (bulk requests of Elasticsearch and OpenSearch) or .parquet (a table for DuckDB, pandas and Spark)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `
Each document has url, urls (of all pages with its text), host, title, headings, body, description, language, anchors
(texts of links to it, each once, at most 1,000) and pagerank (its mean is 1). A bulk request of Elasticsearch has at
most 100 MB: send an even number of lines at a time (split -l 2000).

Examples:
  mkdir -p notes && printf '<title>Orb web</title>A web of silk' > notes/orb.html && orbweaver index notes --out notes.index && orbweaver export notes.index --out notes.parquet
  orbweaver export example.index --out example.ndjson`)
    .action(later(async () => (await import('../actions/export.ts')).runExport));
}
