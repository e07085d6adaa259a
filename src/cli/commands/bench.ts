import { Option, type Command } from 'commander';
import {
  entrantsOf, graphbenchDefaults, maxPrintedPages, queueBenchDefaults, queueParts, spawcGraphNames, type Kind,
} from '../../questions/bench/index.ts';
import { addOne, HiddenFlag, later } from '../flags/words.ts';

export function add(program: Command): void {
  const standard = queueBenchDefaults;
  const bench = program.command('bench');
  bench
    .command('queues')
    .description("Measure the priority queues, Orbweaver's and others in the same run: the hold model beside queues of " +
      "other packages and C++; the paper's figures and Table 1 on streams from simulated crawls. By default all parts, " +
      'in about three minutes on two cores.')
    .option('--parts <NAME,...>', `parts to measure (default: all: ${queueParts.map(({ name }) => name).join(',')})`)
    .option('--entries <N,...>', `entries in each queue (default: ${standard.entries.join(',')})`)
    .option('--block <R,...>', `entries per batch (default: ${standard.blocks.join(',')})`)
    .option('--rounds <N>', `measured rounds, with all queues in turn in each (default: ${standard.rounds})`)
    .option(
      '--graph <GRAPH>', 'graph whose crawls provide priority streams, by name or file; repeatable (default: docs-web)',
      (value: string, earlier: readonly string[] | undefined): readonly string[] => [...(earlier ?? []), value],
    )
    .option('--synthetic-pages <N>', `pages of the synthetic graph used beside them (default: ${standard.syntheticPages})`)
    .option('--table-block <R>', `entries extracted from all slices per round (default: ${standard.tableBlock})`)
    .option('--adversary-entries <N>', `keys per adversary (default: ${standard.adversaryEntries})`)
    .option('--paged-entries <N>', `entries in queues in secondary memory (default: ${standard.pagedEntries})`)
    .option('--paged-memory-bytes <BYTES>', `main memory that these may use (default: ${standard.pagedMemoryBytes})`)
    .addOption(new HiddenFlag('paged-memory', 'paged-memory-bytes', 'BYTES'))
    .option('--out <DIR>', 'write bench.json, report.html with charts, and a CSV file per table to this folder')
    .option('--json', 'print one JSON document: the content of bench.json')
    .addHelpText('after', `
Examples:
  orbweaver bench queues --parts figure-8 --entries 2000 --graph star --synthetic-pages 1000
  orbweaver bench queues --parts hold --entries 1e4 --block 500,1000 --rounds 1 --json`)
    .action(later(async () => (await import('../actions/bench.ts')).runBench));
  addGraphbench(bench);
}

export function addGraphbench(bench: Command): void {
  const { trials, timeoutSeconds, threshold } = graphbenchDefaults;
  const algorithms = 'Algorithms and graphs:';
  const running = 'How they are measured:';
  bench
    .command('graphs')
    .description('Measure algorithms that keep distances and strong components of a graph correct while its arcs ' +
      "arrive: SPAWC's benchmark (2010), with its graphs, files and figures.")
    .addOption(new Option(
      '-g, --graph <GRAPH>',
      `graph to add arc by arc: ${spawcGraphNames.join(', ')}, a graph file of SPAWC, a DIMACS file, or any graph that ` +
        'simulate opens; repeatable (default: all twelve names)',
    ).argParser(addOne).helpGroup(algorithms))
    .addOption(new Option('-a, --apsp <NAME|N,...>', `algorithms for distances: ${named('distances')}`)
      .argParser(addOne).helpGroup(algorithms))
    .addOption(new Option('-s, --scc <NAME|N,...>', `algorithms for strong components: ${named('components')}`)
      .argParser(addOne).helpGroup(algorithms))
    .addOption(new Option('--all', 'all algorithms of both kinds, on all twelve graphs, unless others are named')
      .helpGroup(algorithms))
    .addOption(new Option('--threshold <T>', `arcs between two computations of batch algorithms (default: ${threshold})`)
      .helpGroup(running))
    .addOption(new Option('--trials <N>', `runs that count, after one that warms up (default: ${trials})`)
      .helpGroup(running))
    .addOption(new Option(
      '--timeout <SECONDS>',
      `time of one algorithm on one graph, all its runs together; it is ended then, also within an arc (default: ${timeoutSeconds})`,
    ).helpGroup(running))
    .addOption(new Option(
      '--validate', 'compare each result with that in the graph file, or of searches in the whole graph',
    ).helpGroup(running))
    .addOption(new Option(
      '-p, --print-matrices', `print distances and components, of graphs of at most ${maxPrintedPages} pages`,
    ).helpGroup(running))
    .addOption(new Option(
      '-C, --convert <DIMACS FILE...>', 'write a DIMACS file as a graph file of SPAWC, and end',
    ).helpGroup('Conversion:'))
    .addOption(new Option('-n, --name <NAME>', 'name of the graph in it (default: that of the DIMACS file)')
      .helpGroup('Conversion:'))
    .option('--out <DIR>', 'write graphbench.json, report.html with SPAWC\'s figures, and CSV files to this folder')
    .option('--json', 'print one JSON document: the content of graphbench.json')
    .addHelpText('after', `
Numbers are SPAWC's. Its text does not describe --apsp 5, 8, 9 and --scc 8, 9: these are refused; pruned stands in.
The sanity and road graphs are ours, with the counts of SPAWC's; name DIMACS files for real roads.

Examples:
  orbweaver bench graphs --graph sc3 --apsp 4,johnson --validate --print-matrices
  orbweaver bench graphs -g c100 -s 2,pruned --trials 5 --timeout 10
  orbweaver bench graphs -g id -a pruned --json`)
    .action(later(async () => (await import('../actions/graphbench.ts')).runGraphbench));
}

function named(kind: Kind): string {
  return entrantsOf(kind, 1).map(({ name, number }) => (number === null ? name : `${name} (${number})`)).join(', ');
}
