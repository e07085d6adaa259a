import type { Command } from 'commander';
import { copyingDefaults } from '../../graphs/graph/generator/index.ts';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('generate')
    .description('Equal settings give equal files.')
    .argument('<model>', 'kronecker (R-MAT, as in the GAP benchmarks) or copying (a web that grows by copying links, on hosts of power-law size)')
    .requiredOption('--out <FILE>', 'the file to write: NAME.owg')
    .option('--scale <S>', 'kronecker: 2^S pages (default: 20)')
    .option('--degree <K>', 'kronecker: arcs drawn per page, before self-loops and duplicates are dropped (default: 16)')
    .option('--pages <N>', 'copying: pages (default: 1e6)')
    .option('--arcs <M>', 'copying: arcs, exactly (default: 1e7)')
    .option('--uniform <P>', `copying: probability that a link is drawn uniformly instead of copied (default: ${copyingDefaults.uniform})`)
    .option('--dangling <P>', `copying: share of pages without links (default: ${copyingDefaults.dangling}, as cnr-2000)`)
    .option('--self-loops <P>', `copying: share of pages that link to themselves (default: ${copyingDefaults.selfLoops}, as cnr-2000)`)
    .option('--within-hosts <P>', `copying: share of links that stay on their host, if it has enough pages (default: ${copyingDefaults.withinHosts}, as docs-web)`)
    .option('--seed <N>', 'root seed of all random draws (default: 1)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `
Hosts are generated too, and have no URLs. Memory: kronecker 16 bytes per page; copying 12 bytes per page and 4 per arc.

Examples:
  orbweaver generate kronecker --scale 12 --degree 16 --out kronecker.owg
  orbweaver generate copying --pages 1e4 --arcs 1e5 --seed 7 --out web.owg && orbweaver info web.owg`)
    .action(later(async () => (await import('../actions/generate.ts')).runGenerate));
}
