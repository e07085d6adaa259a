import type { Command } from 'commander';
import { z } from 'zod';
import { tune, type TuneResult } from '../../engine/index.ts';
import type { ExperimentInput } from '../../settings/index.ts';
import { prepare, type PreparedGraph } from '../../graph/index.ts';
import { counted, decimal, grouped } from '../text/figures.ts';
import { addConfigFlags, configSchemaText, configText, readConfig, type ConfigFlags } from '../flags/config.ts';
import { addExperimentFlags, completed, experimentOf, ownFlags } from '../flags/flags.ts';
import { interruptSignal } from '../interrupt.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { filled, openOutFolder } from '../flags/out-folder.ts';
import { print, printText, tellInterrupted } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { ProgressLine } from '../text/progress.ts';
import { seedPagesOf } from '../flags/seed-pages.ts';
import { graphLines } from '../text/simulate-text.ts';
import { headedTable } from '../text/text-table.ts';
import { plotSvg, plotText } from '../text/tune-plot.ts';

const own = z.object({
  epsilon: z.number().min(0).lt(1).default(0.05),
  threads: z.int().min(1).max(1024).optional(),
});

/** Numbers of processors that `--table` compares: those of the paper's figures. */
const tableProcessors = [1, 2, 4, 8, 16] as const;

interface Flags extends ConfigFlags {
  readonly seedPage?: readonly string[];
  readonly table?: true;
  readonly out?: string;
  readonly json?: true;
}

/** `orbweaver tune <graph>`: how many pages a processor may fetch per superstep. */
export function addTune(program: Command): void {
  const command = program
    .command('tune')
    .description(
      'Find R_x: how many pages a processor may fetch per superstep while the order stays within epsilon of the ideal one.\n' +
        'Trials crawl best first by true PageRank, and nothing in them takes time: settings of time, network and policy have no effect.',
    )
    .argument('<graph>', 'catalogue name, .owg file, text file of links, folder of tables, BVGraph, or - for standard input');
  addConfigFlags(addExperimentFlags(command, ['superstep-limit']))
    .option('--epsilon <E>', 'allowed error, from 0 to below 1 (default: 0.05)')
    .option('--threads <T>', 'worker threads; the result does not depend on them (default: all cores)')
    .option('--table', `also find R_x for ${tableProcessors.join(', ')} processors`)
    .option('--out <DIR>', 'write tune.json and tune.svg there')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  orbweaver tune docs-web
  orbweaver tune clique --processors 4 --epsilon 0.1 --out runs/tune
  orbweaver tune star --table --threads 1 --json`,
    )
    .action(runTune);
}

async function runTune(name: string, flags: Flags): Promise<void> {
  const { config, policies: { settings, added: policies } } = await readConfig(flags);
  const experiment = experimentOf(flags, config, settings);
  const { epsilon, threads } = ownFlags(own, flags);
  if (flags.printSchema === true || flags.printConfig === true) {
    printText(flags.printSchema === true ? configSchemaText(settings) : configText(experiment, settings));
    return;
  }
  const { processors } = completed(experiment, settings);
  const signal = interruptSignal();
  const folder = flags.out === undefined ? undefined : await openOutFolder(flags.out, 'tune.json');
  const progress = new ProgressLine();
  try {
    const finish = await filled(folder, async () => {
      const graph = await namedGraph(name);
      const prepared = prepare(graph);
      const seedPages = seedPagesOf(graph, flags.seedPage);
      const input: ExperimentInput = { ...experiment, ...(seedPages && { seedPages }) };
      const counts = flags.table === true ? [...new Set([processors, ...tableProcessors])] : [processors];
      progress.show(() => `${graph.name}: the sequential crawl`);
      const results = await tune(prepared, input, counts, {
        epsilon, threads, signal, policies,
        onProgress: (done, expected) => progress.show(() => `trial ${done} of about ${Math.round(expected)}`),
      });
      const table = flags.table !== true ? undefined :
        tableProcessors.flatMap((count) => results.filter((result) => result.processors === count));
      const document = { ...results[0], reason: results[0].reason ?? null, table: table?.map(tableRow) };
      if (folder) {
        await folder.write('tune.json', `${JSON.stringify(document, null, 2)}\n`);
        await folder.write('tune.svg', plotSvg(results[0]));
      }
      return () => {
        print(flags.json, () => document, () => tuneText(prepared, results[0], table, seedPages, flags.out));
        if (signal.aborted)
          tellInterrupted(`after ${counted(results[0].sweep.length, 'trial')}, too few to find R_x`, folder);
      };
    });
    progress.clear();
    finish();
  } finally {
    progress.clear();
  }
}

interface TableRow {
  readonly processors: number;
  readonly superstepLimit: number | null;
  readonly stale: number | null;
  readonly supersteps: number | null;
  readonly pairs: number | null;
}

function tableRow({ processors, superstepLimit, sweep }: TuneResult): TableRow {
  const row = sweep.find(({ r }) => r === superstepLimit);
  return {
    processors, superstepLimit, stale: row?.stale ?? null, supersteps: row?.supersteps ?? null,
    pairs: row?.pairs ?? null,
  };
}

function tuneText(
  prepared: PreparedGraph, result: TuneResult, table: readonly TuneResult[] | undefined,
  namedSeeds: readonly number[] | undefined, out: string | undefined,
): string {
  const { sweep, superstepLimit, epsilon, processors } = result;
  const rows = sweep.map((row) => [
    row.r === superstepLimit ? '>' : '', grouped(row.r), decimal(row.stale, 4), decimal(row.prefix, 4),
    decimal(row.state, 4), decimal(row.area, 4), grouped(row.supersteps), grouped(row.pairs), decimal(row.balance, 3),
    row.r === superstepLimit ? '< R_x' : '',
  ]);
  return [
    ...graphLines(prepared, namedSeeds),
    '',
    superstepLimit === null
      ? `No R_x for ${counted(processors, 'processor')} within epsilon ${epsilon}: ${result.reason ?? ''}.`
      : `R_x = ${grouped(superstepLimit)} for ${counted(processors, 'processor')}: the error stale is at most ${epsilon} up to there.`,
    '',
    headedTable(['', 'r', 'stale', 'prefix', 'state', 'area', 'supersteps', 'pairs', 'balance', ''], rows, [
      'left', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'left',
    ]),
    '',
    plotText(result),
    ...(table === undefined ? [] : ['', tableText(table)]),
    ...(out === undefined ? [] : ['', `Sweep and drawing: ${printable(out)}`]),
  ].join('\n');
}

function tableText(results: readonly TuneResult[]): string {
  const figure = (value: number | null, text: (value: number) => string): string =>
    value === null ? '-' : text(value);
  return headedTable(
    ['processors', 'R_x', 'stale', 'supersteps', 'pairs'],
    results.map(tableRow).map(({ processors, superstepLimit, stale, supersteps, pairs }) => [
      grouped(processors), figure(superstepLimit, grouped), figure(stale, (value) => decimal(value, 4)),
      figure(supersteps, grouped), figure(pairs, grouped),
    ]),
    ['right', 'right', 'right', 'right', 'right'],
  );
}
