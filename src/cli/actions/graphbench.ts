import * as z from 'zod';
import {
  chosenEntrants, entrantsOf, graphbench, graphbenchDefaults, readDimacs, spawcGraphNames, wholeComponents,
  writeGraphFile, type Entrant, type GraphbenchReport, type Kind,
} from '../../questions/bench/index.ts';
import { InputError, inOwnUnit, quantityOf } from '../../base/index.ts';
import { dimacsName, growingGraphs } from '../answers/growing-graphs.ts';
import { exitCodes } from '../exit.ts';
import { ownFlags, type OutFlags } from '../flags/flags.ts';
import { checkWritable } from '../flags/out-file.ts';
import { commandLine, filled } from '../flags/out-folder.ts';
import { interruptSignal } from '../interrupt.ts';
import { invocation } from '../invocation.ts';
import { graphbenchHtml, graphbenchTables, graphbenchText } from '../text/bench/graphbench-text.ts';
import { counted } from '../text/figures.ts';
import { print, remark, storedLines, tellInterrupted } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { withProgress } from '../text/progress.ts';

const seconds = quantityOf('timeoutSeconds', false);
const longestSeconds = 86_400;

const own = z.object({
  threshold: z.int().min(1).max(2 ** 32 - 1).default(graphbenchDefaults.threshold),
  trials: z.int().min(1).max(1000).default(graphbenchDefaults.trials),
  timeout: z.union([z.number(), z.string()]).default(graphbenchDefaults.timeoutSeconds).transform((text, context) => {
    const value = inOwnUnit(text, seconds);
    if (typeof value === 'number' && value > 0 && value <= longestSeconds) return value;
    context.addIssue({ code: 'custom', message: `must be seconds, more than 0 and at most ${longestSeconds}, or a duration such as 90s or 2m` });
    return z.NEVER;
  }),
});

interface Flags extends OutFlags {
  readonly graph?: readonly string[];
  readonly apsp?: readonly string[];
  readonly scc?: readonly string[];
  readonly all?: true;
  readonly validate?: true;
  readonly printMatrices?: true;
  readonly convert?: readonly string[];
  readonly name?: string;
}

export async function runGraphbench(flags: Flags): Promise<void> {
  const { threshold, trials, timeout } = ownFlags(own, flags);
  if (flags.convert !== undefined) return convert(flags.convert, flags);
  if (flags.name !== undefined) throw new InputError('--name: names the graph that --convert writes');
  const entrants = entrantsFor(flags, threshold);
  const sequences = await growingGraphs(flags.graph ?? spawcGraphNames);
  const signal = interruptSignal();
  const { report, folder } = await withProgress((line) => filled(flags.out, 'graphbench.json', async (folder) => {
    const report = await graphbench({
      sequences, entrants, trials, timeoutSeconds: timeout, threshold, signal,
      validates: flags.validate === true, printsMatrices: flags.printMatrices === true,
      measuresSpace: flags.all === true || folder !== undefined,
      onProgress: (text) => line.show(() => text),
    });
    await folder?.write('graphbench.json', `${JSON.stringify(report, null, 2)}\n`);
    await folder?.write('report.html', graphbenchHtml(report, commandLine()));
    for (const [name, content] of graphbenchTables(report)) await folder?.write(name, content);
    return { report, folder };
  }));
  print(flags.json, () => report, () => [graphbenchText(report), ...storedLines('Figures', flags.out)].join('\n'));
  tellWrong(report, sequences.filter(({ stored }) => stored !== undefined).map(({ name }) => name));
  const { cases, notMeasured } = report;
  if (signal.aborted)
    tellInterrupted(`after ${cases.length} of ${cases.length + notMeasured.length} cases of graphbench`, folder);
}

/** @throws InputError if nothing is chosen, or something that is not there. */
function entrantsFor(flags: Flags, threshold: number): Entrant[] {
  const { graph, apsp, scc, all } = flags;
  if ((graph ?? apsp ?? scc ?? all) === undefined)
    throw new InputError('name graphs (--graph), algorithms (--apsp, --scc), or --all');
  const of = (kind: Kind, words: readonly string[] | undefined): Entrant[] => {
    if (words !== undefined) return chosenEntrants(kind, words.flatMap((word) => word.split(',')), threshold);
    return apsp === undefined && scc === undefined ? entrantsOf(kind, threshold) : [];
  };
  const entrants = [...of('distances', apsp), ...of('components', scc)];
  if (flags['threshold'] !== undefined && entrants.every(({ name, algorithm }) => name === algorithm))
    remark('--threshold has no effect without a batch algorithm');
  return entrants;
}

/** Reports wrong results. The results in graph files are bad input; others are right, and the algorithm is wrong. */
function tellWrong({ cases }: GraphbenchReport, files: readonly string[]): void {
  const wrong = cases.filter(({ isValid }) => isValid === false);
  for (const { name, wrong: text } of wrong) remark(printable(`${name}: ${text}`));
  if (wrong.length > 0)
    invocation().exitCode = wrong.every(({ graph }) => files.includes(graph)) ? exitCodes.input : exitCodes.fault;
}

/** `--convert DIMACS FILE`. */
async function convert(files: readonly string[], { name, json, ...others }: Flags): Promise<void> {
  const [source, out, ...more] = files as readonly (string | undefined)[];
  if (source === undefined || out === undefined || more.length > 0)
    throw new InputError(`--convert: needs two files, a DIMACS file and the one to write; ${files.length} are named`);
  const idle = Object.keys(others).find((flag) => flag !== 'convert');
  if (idle !== undefined) throw new InputError('--convert: takes --name and --json alone');
  await checkWritable(out, '--convert');
  const sequence = await readDimacs(source, name ?? dimacsName(source));
  for (const note of sequence.notes) remark(printable(note));
  await writeGraphFile(out, sequence);
  const { pages, sources } = sequence;
  const components = new Set(wholeComponents(sequence)).size;
  print(
    json,
    () => ({ name: sequence.name, pages, arcs: sources.length, components, file: out }),
    () => `${printableShort(out)}: ${printable(sequence.name)}, ${counted(pages, 'page')}, ` +
      `${counted(sources.length, 'arc')}, ${counted(components, 'component')}.`,
  );
}
