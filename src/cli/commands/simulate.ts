import { basename, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import * as z from 'zod';
import type { ExperimentInput } from '../../settings/index.ts';
import { withScores, type GivenScores } from '../../engine/index.ts';
import type { WebGraph } from '../../graph/index.ts';
import { InputError } from '../../base/index.ts';
import { grouped } from '../text/figures.ts';
import { addExperimentFlags, completed, idleFlags, ownFlags } from '../flags/flags.ts';
import { fittedExperiment, readConfigFor } from '../flags/crawl-folder.ts';
import { interruptSignal } from '../interrupt.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { completeRecord, filled, openOutFolder, runOrigin } from '../flags/out-folder.ts';
import { print, printText, remark, tellInterrupted } from '../text/output.ts';
import { scoresFrom } from '../answers/rank-algorithms.ts';
import { repeatDocument, repeatText, runRepeatedly } from '../answers/repeat.ts';
import { Runner, type FinishedRun } from '../answers/runner.ts';
import type { WhatIf } from '../../plan/index.ts';
import { runWhatIf, whatIfText } from '../answers/what-if.ts';
import {
  addConfigFlags, configSchemaText, configText, readChanges, type ConfigFlags,
} from '../flags/config.ts';
import { seedPagesOf } from '../flags/seed-pages.ts';
import { fitFacts, fitText } from '../text/fit-text.ts';
import { simulateText } from '../text/simulate-text.ts';

const own = z.object({ repeat: z.int().min(1).max(10_000).optional(), threads: z.int().min(1).max(256).optional() });

interface Flags extends ConfigFlags {
  readonly scores?: string;
  readonly seedPage?: readonly string[];
  readonly out?: string;
  readonly json?: true;
  readonly verify?: true;
  readonly whatIf?: true;
  readonly pagesCsv?: true;
}

/** `orbweaver simulate <graph>`: one run, or several that differ in their seed. */
export function addSimulate(program: Command): void {
  const command = program
    .command('simulate')
    .argument('<graph>', 'name of the catalogue, .owg file, text file of links, folder of tables, BVGraph, or - for standard input; or the folder of a finished crawl, whose settings, limits and network are then the defaults');
  addConfigFlags(addExperimentFlags(command))
    .option('--scores <FILE>', 'for a policy that needs scores: a file of them, as rank --scores takes it; its checksum is recorded')
    .option('--repeat <N>', 'run N times, with seeds from --seed on, and give means with 95 % intervals')
    .option('--what-if', 'run again with twice as much of each thing that may limit the crawl, and show what it brings')
    .addOption(new Option('--threads <T>', 'without effect').hideHelp())
    .option('--out <DIR>', 'write the run record and its report there')
    .option('--pages-csv', 'also write pages.csv there: URL, host, processor, start, end, outcome and PageRank of each page')
    .option('--json', 'print one JSON document: what run.json holds')
    .option('--verify', 'check the run and its ranks with code that had no part in making them')
    .addHelpText(
      'after',
      `
--network also takes a finished crawl, to which the network is fitted: its folder, a crawl.log (also Heritrix's), or a table
of url, start, duration, bytes and status.

Examples:
  orbweaver simulate docs-web
  orbweaver simulate docs-web --policy breadth-first --processors 4 --robots 2 --out runs/breadth-first
  orbweaver simulate docs-web --queue cbt --superstep-limit 32 --max-pages 5000 --verify
  orbweaver simulate docs-web --policy random --repeat 5 --json
  orbweaver simulate docs-web --what-if
  orbweaver simulate docs-web --policy batch-pagerank --rank-every-pages 2000
  orbweaver simulate docs-web --policy weighted --weights opic=0.7,larger-sites-first=0.3
  orbweaver simulate docs-web --network web --slow-share 0.1 --retries 5
  orbweaver simulate docs-web --partition consistent --exchange batch --exchange-batch 100 --message-us 103 --max-pages 5000
  orbweaver rank docs-web --algorithm in-degree --out in-degree.f64 && orbweaver simulate docs-web --policy scores --scores in-degree.f64
  orbweaver simulate clique --seed-page 3 --politeness-ms 0`,
    )
    .action(runSimulate);
}

async function runSimulate(name: string, flags: Flags): Promise<void> {
  const { config, policies, crawled } = await readConfigFor(name, flags);
  const recorded = flags.config === undefined ? [] : await readChanges(flags.config);
  const { settings } = policies;
  if (flags.printSchema === true) {
    printText(configSchemaText(settings));
    return;
  }
  const { experiment, fitted } = await fittedExperiment(flags, config, settings, crawled && name);
  const { repeat, threads } = ownFlags(own, flags);
  checkTogether(flags, repeat);
  if (threads !== undefined)
    remark('--threads has no effect and is ignored: the processors are simulated on one thread');
  const needy = settings.policiesUsed(experiment).find(({ needs }) => needs.includes('scores'));
  const needsScores = needy !== undefined;
  const scores = flags.scores ?? (needsScores ? experiment.scores?.file : undefined);
  if (needsScores && scores === undefined) throw new InputError(`--policy ${needy.name} needs --scores <FILE>`);
  for (const text of idleFlags(flags, experiment, settings)) remark(text);
  const opened = async () => {
    const graph = await namedGraph(crawled?.graph ?? name, crawled && basename(resolve(name)));
    const seedPages = seedPagesOf(graph, flags.seedPage);
    const input: ExperimentInput = { ...experiment, ...(seedPages && { seedPages }) };
    return { graph, seedPages, input, given: await givenScores(graph, needsScores, scores) };
  };
  if (flags.printConfig === true) {
    const { graph, input, given } = await opened();
    printText(configText(withScores(graph, completed(input, settings), given, policies), settings));
    return;
  }
  // Before anything is on disk, so that SIGINT never leaves anything half written behind.
  const signal = interruptSignal();
  const folder =
    flags.out === undefined
      ? undefined
      : await openOutFolder(flags.out, repeat === undefined ? 'run.json' : 'runs.json');
  const finish = await filled(folder, async () => {
    const { graph, seedPages, input, given } = await opened();
    const runner = new Runner(graph, signal, policies, { scores: given, fit: fitted });
    const origin = await runOrigin(crawled?.graph ?? name, needsScores ? scores : undefined);

    if (repeat !== undefined) {
      const runs = await runRepeatedly(runner, input, repeat, {
        folder, origin, verify: flags.verify === true, withPages: flags.pagesCsv === true,
      });
      return () => {
        print(flags.json, () => repeatDocument(runs), () => repeatText(runner.prepared, runs, seedPages, flags.out));
        if (runner.signal.aborted) tellInterrupted(`in run ${runs.results.length} of ${repeat}`, folder);
      };
    }

    const result = await runner.run(input, { changes: recorded, record: await folder?.record('', origin) });
    const verified = flags.verify === true ? runner.verify(result) : undefined;
    const pages = folder && flags.pagesCsv === true ? runner.pagesCsv(result) : undefined;
    if (folder) await completeRecord(folder, '', `${graph.name}, ${result.run.experiment.policy}`, result, pages);
    const whatIf = flags.whatIf === true ? await runWhatIf(runner, result) : undefined;
    return () => {
      print(
        flags.json,
        () => ({ ...result.run, verified, whatIf, fit: fitted && fitFacts(fitted) }),
        () => [
          fitted && `${fitText(fitted)}\n`, simulateText(runner.prepared, result, seedPages, flags.out),
          whatIf && `\n${whatIfText(whatIf)}`, verified,
        ].filter(Boolean).join('\n'),
      );
      const after = interruptedAfter(result, runner.signal.aborted ? whatIf : undefined);
      if (after !== undefined) tellInterrupted(after, folder);
    };
  });
  finish();
}

/** @param whatIf the changes that were run, if they were interrupted. */
function interruptedAfter(
  { run: { summary: { ended, pagesFetched, supersteps } } }: FinishedRun, whatIf: readonly WhatIf[] | undefined,
): string | undefined {
  if (ended === 'interrupted') return `after ${grouped(pagesFetched)} pages in ${grouped(supersteps)} supersteps`;
  return whatIf && `after ${whatIf.length} changes of --what-if`;
}

/** @throws InputError for flags that cannot be combined. */
function checkTogether({ whatIf, pagesCsv, out }: Flags, repeat: number | undefined): void {
  if (repeat !== undefined && whatIf === true)
    throw new InputError('--what-if changes a single run; leave out --repeat, or --what-if');
  if (pagesCsv === true && out === undefined)
    throw new InputError('--pages-csv: needs --out <DIR>, the folder of the run record');
}

async function givenScores(
  graph: WebGraph, areNeeded: boolean, file: string | undefined,
): Promise<GivenScores | undefined> {
  if (file === undefined) return undefined;
  if (areNeeded) return { file, values: (await scoresFrom(file, graph)).scores };
  remark('--scores means nothing without a policy that needs scores and is ignored');
  return undefined;
}
