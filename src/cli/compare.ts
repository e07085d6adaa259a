import type { Command } from 'commander';
import { graphChecksum } from '../dataset/index.ts';
import { figures, fixed, flattened, withInterval, type Cell } from '../experiment/study/index.ts';
import { settleSeeds, trueRanks } from '../experiment/index.ts';
import { measureQuality, readRunEvents, type RunResult } from '../measure/index.ts';
import { reportHtml, shownHtml, type LabelledRun, type Shown } from '../report/index.ts';
import { InputError } from '../std/index.ts';
import { comparedIn, type Compared } from './compared-runs.ts';
import { counted } from './figures.ts';
import type { RawFlags } from './flags.ts';
import { namedGraph } from './named-graph.ts';
import { commandLine, filled, openOutFolder } from './out-folder.ts';
import { print, remark } from './output.ts';
import { printable } from './printable.ts';
import { shownText } from './shown-text.ts';

interface Flags extends RawFlags {
  readonly graph?: string;
  readonly out?: string;
  readonly json?: true;
}

/** Runs whose curves are drawn in one report: each is read whole. */
const drawnMost = 100;

/** `orbweaver compare RUN...`: what differs between finished runs, in their settings and in their figures. */
export function addCompare(program: Command): void {
  program
    .command('compare')
    .description('Compare finished runs: the settings in which they differ, and their figures.')
    .argument('<run...>', 'folders of simulate --out (also with --repeat), tour --out or study --out')
    .option('--graph <GRAPH>', 'where the runs\' graph is, to draw their curves with --out (default: the name in their records)')
    .option('--out <DIR>', 'write compare.json and one report over all runs there')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  orbweaver simulate star --out runs/opic && orbweaver simulate star --policy random --repeat 3 --out runs/random && orbweaver compare runs/opic runs/random
  orbweaver compare runs/opic runs/random --out runs/compared
  orbweaver compare runs/opic runs/random --json`,
    )
    .action(runCompare);
}

async function runCompare(folders: readonly string[], flags: Flags): Promise<void> {
  const items: Compared[] = [];
  for (const folder of folders) items.push(...await comparedIn(folder));
  if (items.length < 2) throw new InputError(`${folders.join(', ')}: ${counted(items.length, 'run')} to compare; name two or more`);
  const shown = comparison(items);
  const folder = flags.out === undefined ? undefined : await openOutFolder(flags.out, 'compare.json');
  const finish = await filled(folder, async () => {
    const told: string[] = [];
    if (folder) {
      await folder.write('compare.json', `${JSON.stringify(compareDocument(items), null, 2)}\n`);
      const drawn = await drawable(items, flags.graph);
      const title = `${items.length} runs compared`;
      if (typeof drawn === 'string') {
        told.push(`The report has figures alone: ${drawn}.`);
        await folder.write('report.html', shownHtml({
          title, circumstances: [], warning: null, command: commandLine(), parts: [{ name: 'compared', title: 'Runs', shown }], notes: [`No curves: ${drawn}.`],
        }));
      } else await folder.write('report.html', reportHtml(drawn, { title, command: commandLine() }));
    }
    return () => {
      print(flags.json, () => compareDocument(items), () =>
        [...shownText({ title: 'Runs compared', shown }).slice(1), ...(flags.out === undefined ? [] : ['', ...told, `Report: ${printable(flags.out)}`])].join('\n'));
      if (flags.json === true) told.forEach(remark);
    };
  });
  finish();
}

/** Dotted names of the settings that are not the same in all, and their values. */
function differingSettings(items: readonly Compared[]): [name: string, values: Cell[]][] {
  const maps = items.map(({ experiment }) => new Map(settingsOf(experiment)));
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  return names.flatMap((name): [string, Cell[]][] => {
    const values = maps.map((map) => map.get(name) ?? null);
    // A study tells what was asked for, not what follows from it (seed pages, pending jobs): what only some tell is no difference.
    return values.includes(null) && items.some(({ records }) => records.length === 0) ? []
      : new Set(values).size > 1 ? [[name, values]] : [];
  });
}

function settingsOf(experiment: object): [string, Cell][] {
  const lists = Object.entries(experiment).filter(([, value]) => Array.isArray(value)).map(([name, value]: [string, unknown]): [string, Cell] => {
    const text = JSON.stringify(value);
    return [name, text.length > 40 ? `${text.slice(0, 37)}...` : text];
  });
  return [...flattened(experiment), ...lists];
}

function comparison(items: readonly Compared[]): Shown {
  const settings = differingSettings(items);
  const distinct = (of: (item: Compared) => string): string[] => [...new Set(items.map(of))];
  const [graphs, versions] = [distinct(({ sha256 }) => sha256), distinct(({ version }) => version.replace(/\+.*/, ''))];
  const interrupted = items.filter((item) => item.interrupted).map(({ label }) => label);
  return {
    paragraphs: [
      graphs.length === 1 ? `${counted(items.length, 'run')} of ${items[0].graph}.`
        : `These runs are of ${graphs.length} different graphs (${distinct(({ graph, sha256 }) => `${graph} ${sha256.slice(0, 8)}`).join(', ')}): their figures are of different crawls.`,
      ...(versions.length === 1 ? [] : [`They were made by different versions (${versions.join(', ')}), which may measure differently.`]),
      ...(interrupted.length === 0 ? [] : [`Interrupted: ${interrupted.join(', ')}.`]),
      settings.length === 0 ? 'Their settings do not differ.' : `They differ in ${settings.map(([name]) => name).join(', ')}.`,
    ],
    tables: [{
      name: 'compared', caption: 'Settings that differ, and figures; of several seeds their mean ± half of its 95 % interval',
      columns: [{ name: 'run' }, ...settings.map(([name]) => ({ name })), { name: 'seeds' }, ...figures.map(({ short }) => ({ name: short }))],
      rows: items.map(({ label, runs, means }, i): Cell[] => [
        label, ...settings.map(([, values]) => (typeof values[i] === 'number' ? String(values[i]) : values[i])), runs,
        ...figures.map(({ name, digits }) => withInterval(means[name] ?? null, digits)),
      ]),
    }],
    charts: [],
  };
}

function compareDocument(items: readonly Compared[]): object {
  return {
    differing: Object.fromEntries(differingSettings(items)),
    runs: items.map(({ label, graph, sha256, version, runs, interrupted, means, experiment, records }) => ({
      label, graph, sha256, version, seeds: runs, interrupted, means, experiment, replayHashes: records.map(({ run }) => run.replayHash),
    })),
  };
}

/**
 * The runs with their curves, made again from their order and the graph; or why they cannot be. Ranks are computed anew, and the area they
 * give must be the one that was recorded.
 */
async function drawable(items: readonly Compared[], graphName: string | undefined): Promise<LabelledRun[] | string> {
  const alone = items.find(({ records }) => records.length === 0);
  if (alone !== undefined) return `${alone.label} is of a study, which keeps no record of each page`;
  if (new Set(items.map(({ sha256 }) => sha256)).size > 1) return 'the runs are of different graphs';
  const count = items.reduce((sum, { records }) => sum + records.length, 0);
  if (count > drawnMost) return `${fixed(count, 0)} runs are too many to draw`;
  const name = graphName ?? items[0].graph;
  const graph = await namedGraph(name).catch((error: unknown) => {
    if (error instanceof InputError && graphName === undefined) return undefined;
    throw error;
  });
  if (graph === undefined) return `their graph ${name} is not at hand (name it with --graph)`;
  if (graphChecksum(graph) !== items[0].sha256) return `${name} is not the graph that they crawled (name it with --graph)`;
  const ranks = trueRanks(graph);
  const drawn: LabelledRun[] = [];
  for (const { label, records } of items) {
    for (const { folder, run } of records) {
      const events = { ...await readRunEvents(folder, run), processors: new Uint32Array(), failures: [], crashes: [] };
      if (events.order.some((page) => page >= graph.pages)) throw new InputError(`${folder}/order.u32: names pages that the graph does not have`);
      const { reachable } = settleSeeds(graph, run.experiment);
      const { curves, pagerankArea } = measureQuality({ ranks, reachable, maxPages: run.experiment.maxPages, ...events });
      if (Math.abs(pagerankArea - run.summary.quality.pagerankArea) > 1e-6) {
        throw new InputError(`${folder}: its order gives the area ${pagerankArea}, its run.json says ${run.summary.quality.pagerankArea}: the record is damaged, or of another version`);
      }
      const result: RunResult = { run, events, curves };
      drawn.push({ label: records.length === 1 ? label : `${label}, seed ${run.experiment.seed}`, result });
    }
  }
  return drawn;
}
