import type { Command } from 'commander';
import { addJudgingFlags } from '../answers/compared/judging-flags.ts';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  const command = program
    .command('compare')
    .description('Two runs are held against each other page by page, as a prediction against fact.')
    .argument('<run...>', "folders of simulate --out (also with --repeat), crawl --out, tour --out or study --out, or what such a run left that was killed (DIR.partial); beside them files that another crawler left, whose orders of pages are held against the runs: Heritrix's crawl.log, the text of Nutch's readdb -dump or readseg -dump, gzipped or not")
    .option('--graph <GRAPH>', "where a graph is that they crawled, or the folder of the crawl that stored it; once for each (default: graph.owg beside a record, or what the record names)",
      (name: string, names: readonly string[]) => [...names, name], []);
  addJudgingFlags(
    command,
    'index of the pages of their graph: also show how well searchers are served after part of the pages; one run is enough',
  )
    .option('--out <DIR>', 'write compare.json and one report over all runs there; of two runs also pages.csv, with each page\'s places; with --index also effectiveness.csv and agreement.csv')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `
Examples:
  orbweaver simulate star --out runs/opic && orbweaver simulate star --policy random --repeat 3 --out runs/random && orbweaver compare runs/opic runs/random
  orbweaver compare runs/opic runs/random --out runs/compared
  orbweaver compare runs/opic runs/random --json
  orbweaver simulate docs-web --max-pages 500 --out runs/one && orbweaver simulate docs-web --max-pages 500 --seed 2 --out runs/other && orbweaver compare runs/one runs/other`)
    .action(later(async () => (await import('../actions/compare.ts')).runCompare));
}
