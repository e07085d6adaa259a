import * as z from 'zod';
import { parseExperiment, shippedPolicies } from '../../core/policy/index.ts';
import {
  factsOf, fittingRegistersLog2, partitionFactsOf, type Facts, type PartitionFacts,
} from '../../questions/facts/index.ts';
import {
  prepare, minRegistersLog2, maxRegistersLog2, type PreparedGraph, type WebGraph,
} from '../../graphs/graph/index.ts';
import { InputError } from '../../base/index.ts';
import { shownHtml } from '../../views/report/index.ts';
import { counted, decimal, grouped, paragraph, percent } from '../text/figures.ts';
import { ownFlags, type OutFlags } from '../flags/flags.ts';
import {
  infoDocument, infoNotes, infoParts, infoReport, stepWords, tooManyRegisters,
} from '../text/findings/info-shown.ts';
import { memoryFacts, memorySentence } from '../flags/memory.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { commandLine, filled, openOutFolder } from '../flags/out-folder.ts';
import { print, remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { withProgress } from '../text/progress.ts';
import { shownText } from '../text/shown-text.ts';
import { graphLines } from '../text/run/simulate-text.ts';

const { shape } = shippedPolicies.settings.experiment;

const own = z.object({
  processors: shape.processors.unwrap().optional(),
  partition: shape.partition.unwrap().optional(),
  top: z.int().min(0).max(1000).default(5),
  distances: z.enum(['auto', 'off', 'exact', 'approximate']).default('auto'),
  registersLog2: z.int().min(minRegistersLog2).max(maxRegistersLog2).optional(),
  bootstrap: z.int().min(0).max(100_000).optional(),
  seed: shape.seed,
});

export async function runInfo(name: string, flags: OutFlags): Promise<void> {
  const { processors, partition, registersLog2, ...settings } = ownFlags(own, flags);
  // Opened to check that it can be, and again when there is something to write: work that does not wait is
  // ended by a signal at once, and would leave the partial folder behind.
  if (flags.out !== undefined) await (await openOutFolder(flags.out, 'info.json')).abandon();
  const graph = await namedGraph(name);
  checkRegisters(graph, settings.distances, registersLog2);
  const prepared = prepare(graph);
  const facts = await withProgress((line) => factsOf(prepared, {
    ...settings, registersLog2, bootstrap: settings.bootstrap,
    onStep: (step) => line.show(() => `${graph.name}: ${stepWords(step)}`),
  }));
  const divided = processors === undefined && partition === undefined ? undefined : partitionFactsOf(
    prepared, parseExperiment({ processors: processors ?? 8, partition: partition ?? 'host-hash' }),
  );
  // Measured once: the memory in use changes.
  const document = { ...infoDocument(facts, divided), memory: memoryFacts(graph) };
  await filled(flags.out, 'info.json', async (folder) => {
    await folder?.write('info.json', `${JSON.stringify(document, null, 2)}\n`);
    await folder?.write('report.html', shownHtml(infoReport(prepared, facts, infoParts(facts), commandLine())));
  });
  print(flags.json, () => document, () => infoText(prepared, facts, divided, flags.out));
}

function checkRegisters(graph: WebGraph, distances: string, registersLog2: number | undefined): void {
  if (registersLog2 === undefined) return;
  if (distances === 'exact' || distances === 'off') {
    remark(`--registers-log2 has no effect with --distances ${distances}`);
    return;
  }
  const fitting = fittingRegistersLog2(graph);
  if (registersLog2 > fitting)
    throw new InputError(tooManyRegisters(graph, printable(graph.name), registersLog2, fitting));
}

function infoText(
  prepared: PreparedGraph, facts: Facts, divided: PartitionFacts | undefined, out: string | undefined,
): string {
  const sections = [
    ...graphLines(prepared, undefined),
    ...infoParts(facts).flatMap(shownText),
  ];
  if (divided !== undefined) {
    const { processors, partition, crossingLinks, links, modularity, reachablePagesPerProcessor: pages } = divided;
    const { largestHost: host, largestHostShare, efficiencyBound } = divided;
    sections.push(
      '',
      paragraph(
        `Partition ${partition} onto ${counted(processors, 'processor')}` +
          `${partition === 'lpt' ? ' (an oracle: it knows what the seeds reach)' : ''}: ${grouped(crossingLinks)} links cross ` +
          `(${percent(links === 0 ? 0 : crossingLinks / links)}), modularity ${decimal(modularity, 3)}; pages reached per processor: ${grouped(Math.min(...pages))} to ${grouped(Math.max(...pages))}. ` +
          `Efficiency of whole hosts at most ${decimal(efficiencyBound, 3)}: ${printable(host)} has ${percent(largestHostShare)} of the pages reached.`,
      ),
    );
  }
  const notes = infoNotes(facts).map((note) => paragraph(note, '- '));
  if (notes.length > 0) sections.push('', ...notes);
  sections.push('', memorySentence(prepared.graph), '', `sha256 ${facts.sha256}`);
  if (out !== undefined) sections.push('', `Figures and charts: ${printable(out)}`);
  return sections.join('\n');
}
