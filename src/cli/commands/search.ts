import type { Command } from 'commander';
import { rankingNames } from '../help/lists.ts';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('search')
    .argument('<index>', 'index made by orbweaver index')
    .argument('<query>', 'words, "phrases", title:word, site:host; after a minus: not')
    .option('--ranking <NAME>', `order of the results: ${rankingNames.join(', ')} (default: bm25f)`)
    .option('--max-hits <N>', 'results to show, up to 1,000 (default: 10)')
    .option('--page <N>', 'which page of results: 1 has the best ones (default: 1)')
    .option('--explain', 'show how each score is made')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `
Documents with all words come first; if there are few of them, documents with some of the words follow. Quotation marks
find words that follow one another. Pages with the same text are one result. Quote the query for the shell, and put --
before a query that begins with a minus.

Examples:
  orbweaver search docs.index 'priority queue'
  orbweaver search docs.index '"priority queue" site:docs.example -java' --max-hits 20
  orbweaver search docs.index 'title:queue' --ranking compass --explain
  orbweaver search docs.index 'queue' --page 2 --json`)
    .action(later(async () => (await import('../actions/search.ts')).runSearch));
}
