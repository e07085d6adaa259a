import type { Command } from 'commander';
import { later } from '../flags/words.ts';

export function addMerge(cluster: Command): void {
  cluster
    .command('merge')
    .description('Make one graph, record and report of the folders of a crawl on several nodes. A page that several nodes know is one. Stores and archives stay where they are.')
    .argument('<out>', 'folder for graph, record, log and report of the whole crawl; must be new, empty or that of an earlier merge')
    .argument('<folder...>', 'the folders of all nodes of a crawl that has ended, in any order')
    .option('--json', 'print one JSON document: the content of run.json')
    .addHelpText('after', `
What it writes is read like the folder of a crawl on one machine: by compare, and by simulate, which repeats the crawl.
Pages are numbered by their URLs, so that two crawls that found the same pages have the same graph.

Examples:
  orbweaver cluster merge crawls/whole crawls/node-0 crawls/node-1 crawls/node-2
  orbweaver cluster merge crawls/whole crawls/node-* && orbweaver simulate crawls/whole --robots 16`)
    .action(later(async () => (await import('../actions/merge.ts')).runMerge));
}
