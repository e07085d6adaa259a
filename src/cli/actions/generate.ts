import * as z from 'zod';
import { writeOwgRows } from '../../graphs/formats/index.ts';
import { copying, copyingDefaults, kronecker } from '../../graphs/graph/index.ts';
import type { GraphRows } from '../../graphs/graph/index.ts';
import { InputError } from '../../base/index.ts';
import { counted, decimal, grouped } from '../text/figures.ts';
import { kebabCase, ownFlags, type OutFlags } from '../flags/flags.ts';
import { interruptSignal } from '../interrupt.ts';
import { checkWritable } from '../flags/out-file.ts';
import { print, remarkInterrupted } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { withProgress, type ProgressLine } from '../text/progress.ts';

/** An array holds this many arcs of 4 bytes, and every reader of the graph needs one. */
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

export async function runGenerate(word: string, flags: OutFlags): Promise<void> {
  const model = modelOf(word, flags);
  const out = String(flags.out);
  if (!out.endsWith('.owg'))
    throw new InputError(`--out ${printableShort(out)}: does not end with .owg, the format that generate writes`);
  const drawing = await withProgress(async (line) => {
    const { graph, settings } = drawn(model, flags, line);
    await checkWritable(out);
    // Not before: until something is on disk, the default action of a signal may end the process at once.
    const signal = interruptSignal();
    const arcs = await writeOwgRows(graph, out, {
      signal,
      onPages: (pages) => line.show(() => `${out}: ${grouped(pages)} of ${grouped(graph.pages)} pages`),
    }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    return { graph, settings, arcs };
  });
  const { graph: { pages, hosts }, settings, arcs } = drawing;
  if (arcs === undefined) { remarkInterrupted('interrupted; nothing was written'); return; }
  print(
    flags.json,
    () => ({ model, ...settings, pages, arcs, hosts: hosts.count, file: out }),
    () => `${printable(out)}: ${counted(pages, 'page')}, ${counted(arcs, 'link')} (${decimal(arcs / pages, 2)} per page), ` +
      `${counted(hosts.count, 'host')}, drawn from the ${model} model.`,
  );
}

/** @throws InputError for an unknown model, or a flag of another model. */
function modelOf(word: string, flags: OutFlags): Model {
  const models = Object.keys(schemas) as Model[];
  const model = models.find((name) => name === word);
  if (model === undefined) throw new InputError(`model ${printableShort(word)}: must be one of ${models.join(', ')}`);
  for (const other of models) {
    const foreign = Object.keys(schemas[other].shape).find(
      (key) => flags[key] !== undefined && !(key in schemas[model].shape),
    );
    if (foreign !== undefined)
      throw new InputError(
        `--${kebabCase(foreign)}: applies to the ${other} model, not to ${model}`,
      );
  }
  return model;
}

function drawn(model: Model, flags: OutFlags, progress: ProgressLine): { graph: GraphRows; settings: object } {
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
