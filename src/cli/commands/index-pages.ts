import type { Command } from 'commander';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('index')
    .description('Adds the pages to an existing index, or makes a new one. After an interruption, run the same command again to continue.')
    .argument('<paths...>', 'folders of live crawls (their texts, see crawl --text; without them, their archives), WARC files or folders of them, folders of HTML files')
    .requiredOption('--out <FILE>', 'the index: a new file, or an index to add to')
    .option('--segments <N>', 'for a new index: number of parts of its documents; changes no result (default: 1)')
    .option('--stop-words <LIST>', 'for a new index: words to leave out: none or english (default: none)')
    .option('--threads <T>', 'threads that read pages (default: one per core)')
    .option('--record-limit-mib <N>', 'read this much of a record, of its decompressed body, and of an HTML file (default: 16)')
    .option('--host-per-folder', 'for a folder of HTML files: each top folder is a host; otherwise the whole folder is one')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `
Pages that say noindex are left out; of two pages with the same URL the first counts. Damaged parts of archives are
skipped and reported. A running crawl is indexed as far as it has come; the same command adds the rest later.

Examples:
  mkdir -p notes && printf '<title>Orb web</title>A web of silk' > notes/orb.html && orbweaver index notes --out notes.index
  orbweaver index crawls/example --out example.index
  orbweaver index archives/*.warc.gz --out archives.index --stop-words english`)
    .action(later(async () => (await import('../actions/index-pages.ts')).runIndex));
}
