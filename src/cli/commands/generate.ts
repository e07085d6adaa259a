import type { Command } from 'commander';
import * as z from 'zod';
import { writeOwgRows } from '../../formats/index.ts';
import { copying, copyingDefaults, kronecker } from '../../graph/index.ts';
import type { GraphRows } from '../../graph/index.ts';
import { InputError } from '../../base/index.ts';
import { exitCodes } from '../exit.ts';
import { counted, decimal, grouped } from '../text/figures.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { interruptSignal } from '../interrupt.ts';
import { invocation } from '../invocation.ts';
import { checkWritable } from '../flags/out-file.ts';
import { print, remark } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { ProgressLine } from '../text/progress.ts';

/** So many arcs, 4 bytes each, one array can hold, and with it whoever reads the graph. */
const largestArcs = 2 ** 30 - 1;
const seed = z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1);
const share = z.number().min(0).max(1);

const schemas = {
  kronecker: z.object({
    scale: z.int().min(1).max(28).default(20), degree: z.int().min(1).max(1000).default(16), seed,
  }),
  copying: z.object({
    pages: z
      .int()
      .min(2)
      .max(2 ** 28)
      .default(1e6),
    arcs: z.int().min(1).max(largestArcs).default(1e7),
    uniform: share.default(copyingDefaults.uniform),
    dangling: share.default(copyingDefaults.dangling),
    selfLoops: share.default(copyingDefaults.selfLoops),
    withinHosts: share.default(copyingDefaults.withinHosts),
    seed,
  }),
};
type Model = keyof typeof schemas;

interface Flags extends RawFlags {
  readonly out?: string;
  readonly json?: true;
}

/** `orbweaver generate <model>`: a graph drawn from a model, written as it is drawn. */
export function addGenerate(program: Command): void {
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
    .addHelpText(
      'after',
      `
Hosts are generated too, and have no URLs. Memory: kronecker 16 bytes per page; copying 12 bytes per page and 4 per arc.

Examples:
  orbweaver generate kronecker --scale 12 --degree 16 --out kronecker.owg
  orbweaver generate copying --pages 1e4 --arcs 1e5 --seed 7 --out web.owg && orbweaver info web.owg`,
    )
    .action(runGenerate);
}

async function runGenerate(word: string, flags: Flags): Promise<void> {
  const model = modelOf(word, flags);
  const out = String(flags.out);
  if (!out.endsWith('.owg'))
    throw new InputError(`--out ${printableShort(out)}: does not end with .owg, the format that generate writes`);
  const progress = new ProgressLine();
  const { graph, settings } = drawn(model, flags, progress);
  await checkWritable(out);
  // Not before: until something is on disk, the default action of a signal may end the process at once.
  const signal = interruptSignal();
  try {
    const arcs = await writeOwgRows(graph, out, {
      signal,
      onPages: (pages) => progress.show(() => `${out}: ${grouped(pages)} of ${grouped(graph.pages)} pages`),
    });
    progress.clear();
    const { pages, hosts } = graph;
    print(
      flags.json,
      () => ({ model, ...settings, pages, arcs, hosts: hosts.count, file: out }),
      () =>
        `${printable(out)}: ${counted(pages, 'page')}, ${counted(arcs, 'link')} (${decimal(arcs / pages, 2)} per page), ${counted(hosts.count, 'host')}, drawn from the ${model} model.`,
    );
  } catch (error) {
    progress.clear();
    if (!signal.aborted) throw error;
    remark('interrupted; nothing was written');
    invocation().exitCode = exitCodes.interrupted;
  }
}

/** @throws InputError for an unknown model, or a flag of another model. */
function modelOf(word: string, flags: Flags): Model {
  const models = Object.keys(schemas) as Model[];
  const model = models.find((one) => one === word);
  if (model === undefined) throw new InputError(`model ${printableShort(word)}: must be one of ${models.join(', ')}`);
  for (const other of models) {
    const foreign = Object.keys(schemas[other].shape).find(
      (key) => flags[key] !== undefined && !(key in schemas[model].shape),
    );
    if (foreign !== undefined)
      throw new InputError(
        `--${foreign.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: applies to the ${other} model, not to ${model}`,
      );
  }
  return model;
}

function drawn(model: Model, flags: Flags, progress: ProgressLine): { graph: GraphRows; settings: object } {
  switch (model) {
    case 'kronecker': {
      const settings = ownFlags(schemas.kronecker, flags);
      const arcs = 2 ** settings.scale * settings.degree;
      if (arcs > largestArcs + 1) {
        throw new InputError(
          `--scale ${settings.scale} with --degree ${settings.degree}: would have ${arcs} arcs; must be at most ${largestArcs + 1}`,
        );
      }
      const onArcs = (sources: number): void =>
        progress.show(() => `sources of ${grouped(sources)} of ${grouped(arcs)} arcs`);
      return { settings, graph: kronecker({ ...settings, onArcs }) };
    }
    case 'copying': {
      const settings = ownFlags(schemas.copying, flags);
      return { settings, graph: copying(settings) };
    }
  }
}
