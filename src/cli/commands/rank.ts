import type { Command } from 'commander';
import { algorithmNames } from '../help/lists.ts';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('rank')
    .argument('<graph>', 'catalogue name, .owg file, text file of links, folder of tables, BVGraph, or - for standard input')
    .option('--algorithm <NAME>', `${algorithmNames.join(', ')} (default: pagerank)`)
    .option('--damping <D>', 'probability of following a link, for pagerank and partitioned (default: 0.85)')
    .option('--tolerance <E>', 'pagerank: allowed L1 error (default: 1e-9); opic: change in the last pass (default: 1e-4)')
    .option('--iterations <N>', 'partitioned: steps of power iteration in each shard (default: 15)')
    .option('--shards <K>', 'partitioned: number of shards; links between them are dropped (default: 3)')
    .option('--shard-by <WHAT>', 'partitioned: assign pages to shards by hash of the host, or by page id: host, page (default: host)')
    .option('--scores <FILE>', 'scores: the file with the scores: .f64; Parquet, or a folder of it, with page ids or URLs and scores; text with numbers, page ids or URLs with scores, or Heritrix\'s rank.txt')
    .option('--against <WHAT>', 'show how far the ranks agree with pagerank, or with a file of scores (default for partitioned: pagerank)')
    .option('--threads <T>', 'pagerank: number of threads, up to 256; useful for graphs with millions of links (default: 1)')
    .option('--preference <FILE>', 'pagerank: pages that get the rank that follows no link: one id (of the source) or URL per line, with an optional weight (default: all)')
    .option('--start <FILE>', 'pagerank: scores to start from, as written by --out: fewer sweeps, the same error bound')
    .option('--top <K>', 'number of pages to list (default: 10)')
    .option('--out <FILE>', 'write the ranks to this file: .f64 (little-endian float64 by page id), .tsv or .parquet (page id, score, URL) or .txt (Heritrix\'s rank.txt)')
    .option('--report <FILE>', 'write a report of the ranks to this file, an HTML page')
    .option('--json', 'print one JSON document')
    .option('--verify', 'check the ranks with independent code')
    .addHelpText('after', `
Examples:
  orbweaver rank docs-web
  orbweaver rank docs-web --damping 0.5 --tolerance 1e-12 --out ranks.f64 --verify
  orbweaver rank docs-web --start ranks.f64 --tolerance 1e-13 --threads 2
  orbweaver rank docs-web --algorithm scores --scores ranks.f64 --against pagerank --top 3
  orbweaver rank docs-web --algorithm opic --tolerance 0.001 --top 3 --json
  orbweaver rank docs-web --algorithm partitioned --shards 3 --verify
  orbweaver rank docs-web --algorithm in-degree --against pagerank --out rank.txt
  orbweaver rank clique --out ranks.parquet && orbweaver simulate clique --policy scores --scores ranks.parquet
  orbweaver rank star --report ranks.html`)
    .action(later(async () => (await import('../actions/rank.ts')).runRank));
}
