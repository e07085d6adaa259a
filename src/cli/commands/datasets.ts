import type { Command } from 'commander';
import { datasetsFolder } from '../../graphs/catalogue/fetched.ts';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  const datasets = program
    .command('datasets')
    .addHelpText(
      'after',
      () => `
Fetching needs a network:  orbweaver datasets fetch cnr-2000 && orbweaver simulate cnr-2000
Run an interrupted fetch again to continue it. Fetched graphs are in ${datasetsFolder()}
or in the folder that ORBWEAVER_DATASETS names; --to and --in name another for one command.

Examples:
  orbweaver datasets list
  orbweaver datasets list web-Google
  orbweaver datasets list --json
  orbweaver datasets verify --in graphs`);
  datasets
    .command('list')
    .description('List the catalogue: shipped graphs, and public ones with size, licence and whether they were fetched.')
    .argument('[name]', 'show the details of this graph: files, addresses, citation')
    .option('--in <DIR>', 'folder of fetched graphs')
    .option('--catalogue <FILE>', 'a list of public graphs instead of the default; datasets/catalogue.json shows the form')
    .option('--json', 'print one JSON document')
    .action(later(async () => (await import('../actions/datasets.ts')).runList));
  datasets
    .command('fetch')
    .description('Fetch a public graph; afterwards every command opens it by name.')
    .argument('<name>', 'catalogue name')
    .option('--to <DIR>', 'folder of fetched graphs')
    .option('--catalogue <FILE>', 'a list of public graphs instead of the default; datasets/catalogue.json shows the form')
    .option('--check', 'open the graph and compare its counts with the catalogue (default: up to 200,000,000 arcs)')
    .option('--no-check', 'do not open it')
    .option('--json', 'print one JSON document')
    .action(later(async () => (await import('../actions/datasets.ts')).runFetch));
  datasets
    .command('verify')
    .description('Check the files of fetched graphs against the checksums of their first fetch and of their publishers.')
    .argument('[name]', 'only this graph')
    .option('--in <DIR>', 'folder of fetched graphs')
    .option('--json', 'print one JSON document')
    .action(later(async () => (await import('../actions/datasets.ts')).runVerify));
}
