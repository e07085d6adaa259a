import type { Command } from 'commander';
import { figures, fixed, flattened, withInterval, type Cell } from '../../study/index.ts';
import {
  comparedIn, drawnRuns, judge, pairOf, readPair, type Compared, type Judged, type LoggedOrder, type Pair,
} from '../../compare/index.ts';
import {
  reportHtml, shownHtml, type LabelledRun, type Shown, type ShownPart, type ShownTable,
} from '../../report/index.ts';
import { InputError } from '../../base/index.ts';
import { comparedGraphs } from '../answers/compared-graphs.ts';
import { logsAmong, runsAgainst } from '../answers/compared-orders.ts';
import { measuring } from '../answers/incomplete-runs.ts';
import { OpenedGraphs } from '../answers/opened-graphs.ts';
import { ordersDocument, ordersShown } from '../text/findings/compared-orders-shown.ts';
import { pairDocument, pageRows } from '../text/findings/compared-pair-files.ts';
import { pairTitle } from '../text/findings/compared-pair-words.ts';
import { pairShown } from '../text/findings/compared-pair-shown.ts';
import { counted } from '../text/figures.ts';
import type { RawFlags } from '../flags/flags.ts';
import { commandLine, filled, openOutFolder } from '../flags/out-folder.ts';
import { print, remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { shownText } from '../text/shown-text.ts';

interface Flags extends RawFlags {
  readonly graph: readonly string[];
  readonly out?: string;
  readonly json?: true;
}

/** Runs whose curves are drawn in one report: each is read whole. */
const maxDrawn = 100;

/**
 * `orbweaver compare RUN...`: what differs between finished runs, in their settings and in their figures; of two, how
 * far they agree.
 */
export function addCompare(program: Command): void {
  program
    .command('compare')
    .description('Compare finished runs: the settings in which they differ, and their figures. Two runs are held against each other page by page, as a prediction against fact.')
    .argument('<run...>', "folders of simulate --out (also with --repeat), crawl --out, tour --out or study --out, or what such a run left that was killed (DIR.partial); beside them files that another crawler left, whose orders of pages are held against the runs: Heritrix's crawl.log, the text of Nutch's readdb -dump or readseg -dump, gzipped or not")
    .option('--graph <GRAPH>', 'where a graph is that they crawled; once for each (default: graph.owg beside a record, or the name in it)',
      (name: string, names: readonly string[]) => [...names, name], [])
    .option('--out <DIR>', 'write compare.json and one report over all runs there; of two runs also pages.csv, with each page\'s places')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  orbweaver simulate star --out runs/opic && orbweaver simulate star --policy random --repeat 3 --out runs/random && orbweaver compare runs/opic runs/random
  orbweaver compare runs/opic runs/random --out runs/compared
  orbweaver compare runs/opic runs/random --json
  orbweaver simulate docs-web --max-pages 500 --out runs/one && orbweaver simulate docs-web --max-pages 500 --seed 2 --out runs/other && orbweaver compare runs/one runs/other`,
    )
    .action(runCompare);
}

async function runCompare(names: readonly string[], flags: Flags): Promise<void> {
  const { logs, others: folders } = await logsAmong(names);
  if (logs.length > 0) {
    await compareWithLogs(logs, folders, flags);
    return;
  }
  // One after the other, so that of several faults the first as typed is reported, always the same one.
  let items: readonly Compared[] = [];
  const opened = new OpenedGraphs();
  for (const folder of folders) items = [...items, ...(await comparedIn(folder, measuring(opened, flags.graph)))];
  if (items.length < 2)
    throw new InputError(`${folders.join(', ')}: ${counted(items.length, 'run')} to compare; name two or more`);
  const two = pairOf(items);
  if (two !== undefined) items = two;
  const folder = flags.out === undefined ? undefined : await openOutFolder(flags.out, 'compare.json');
  const finish = await filled(folder, async () => {
    const graphs = two && await comparedGraphs(two, flags.graph, opened);
    const pair = two && graphs && await readPair(two, graphs.found);
    const missing: ReadonlyMap<string, string> = graphs?.missing ?? new Map();
    const judged = pair && (folder !== undefined || pair.isByUrl) ? judge(pair) : undefined;
    const parts: ShownPart[] =
      pair === undefined ? [] : [{ name: 'pair', title: pairTitle(pair), shown: pairShown(pair, judged, missing) }];
    const compared = { name: 'compared', title: 'Runs', shown: comparison(items) };
    const notes: string[] = [];
    if (folder) {
      await folder.write('compare.json', `${JSON.stringify(compareDocument(items, pair, judged, missing), null, 2)}\n`);
      if (pair !== undefined && !('why' in pair.order))
        await folder.write('pages.csv', pageRows(pair, pair.order));
      const drawn =
        pair !== undefined && judged !== undefined
          ? drawnPair(pair, items, judged)
          : await drawable(items, flags.graph, opened);
      const title = pair === undefined ? `${items.length} runs compared` : pairTitle(pair);
      if (typeof drawn === 'string') {
        notes.push(`The report has figures alone: ${drawn}.`);
        await folder.write(
          'report.html',
          shownHtml({
            title,
            circumstances: [],
            warning: null,
            command: commandLine(),
            parts: [...parts, compared],
            notes: [`No curves: ${drawn}.`],
          }),
        );
      } else await folder.write('report.html', reportHtml(drawn, { title, command: commandLine(), parts }));
    }
    return () => {
      const text = [{ ...compared, title: 'Runs compared' }, ...parts].flatMap(shownText).slice(1);
      print(flags.json, () => compareDocument(items, pair, judged, missing), () =>
        [...text, ...(flags.out === undefined ? [] : ['', ...notes, `Report: ${printable(flags.out)}`])].join('\n'));
      if (flags.json === true) for (const note of notes) remark(note);
    };
  });
  finish();
}

/** What can be said of runs and of the orders of other crawlers. */
async function compareWithLogs(logs: readonly LoggedOrder[], runs: readonly string[], flags: Flags): Promise<void> {
  const folder = flags.out === undefined ? undefined : await openOutFolder(flags.out, 'compare.json');
  const finish = await filled(folder, async () => {
    const compared = await runsAgainst(logs, runs, flags.graph);
    const part = { name: 'orders', title: 'Orders of pages compared', shown: ordersShown(compared) };
    if (folder) {
      await folder.write('compare.json', `${JSON.stringify(ordersDocument(compared), null, 2)}\n`);
      await folder.write('report.html', shownHtml({
        title: part.title, circumstances: [], warning: null, command: commandLine(), parts: [part], notes: [],
      }));
    }
    return () => {
      print(flags.json, () => ordersDocument(compared), () =>
        [...shownText(part).slice(1), ...(flags.out === undefined ? [] : ['', `Report: ${printable(flags.out)}`])]
          .join('\n'));
    };
  });
  finish();
}

/** Two runs with their curves by one judge, and what it says of them in the place of what each said of itself. */
function drawnPair({ sides }: Pair, items: readonly Compared[], judged: Judged): LabelledRun[] {
  return sides.map(({ name, run, events }, i): LabelledRun => {
    const { quality, curves } = judged[i];
    return { label: withEnd(name, items[i]), result: {
      run: { ...run, summary: { ...run.summary, quality } }, curves,
      events: { ...events, processors: new Uint32Array(), failures: [], crashes: [], changes: [] },
    } };
  });
}

/** A run's name, and that it is incomplete where it is. */
function withEnd(name: string, { readUpTo }: Compared): string {
  return readUpTo === undefined ? name : `${name} (incomplete: read up to superstep ${readUpTo})`;
}

/** Dotted names of the settings that are not the same in all, and their values. */
function differingSettings(items: readonly Compared[]): [name: string, values: Cell[]][] {
  const maps = items.map(({ experiment }) => new Map(settingsOf(experiment)));
  // Seed pages are numbers, and those of two graphs are no difference.
  const isOneGraph = new Set(items.map(({ sha256 }) => sha256)).size === 1;
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))].filter(
    (name) => isOneGraph || name !== 'seedPages',
  );
  return names.flatMap((name): [string, Cell[]][] => {
    const values = maps.map((map) => map.get(name) ?? null);
    // A study records what was requested, not what follows from it (seed pages, pending jobs): settings that only some
    // record are not a difference.
    return values.includes(null) && items.some(({ records }) => records.length === 0) ? []
      : new Set(values).size > 1 ? [[name, values]] : [];
  });
}

function settingsOf(experiment: object): [string, Cell][] {
  const fields: readonly [string, unknown][] = Object.entries(experiment);
  const lists = fields.filter(([, value]) => Array.isArray(value)).map(([name, value]): [string, Cell] => {
    const text = JSON.stringify(value);
    return [name, text.length > 40 ? `${text.slice(0, 37)}...` : text];
  });
  return [...flattened(experiment), ...lists];
}

/** Settings named in a sentence; more are in the table alone. */
const maxNamed = 8;

function comparison(items: readonly Compared[]): Shown {
  const differing = differingSettings(items);
  // What a simulation needs of its network and a crawl of its fetcher is no difference between them: neither could have
  // the other's.
  const settings = items.length === 2 ? differing.filter(([, values]) => !values.includes(null)) : differing;
  const lacking = [...new Set(differing.filter((one) => !settings.includes(one)).map(([name]) => name.split('.')[0]))];
  const distinct = (of: (item: Compared) => string): string[] => [...new Set(items.map(of))];
  const [graphs, versions] = [distinct(({ sha256 }) => sha256), distinct(({ version }) => version.replace(/\+.*/, ''))];
  const interrupted = items.filter((item) => item.interrupted).map(({ label }) => label);
  const incomplete = items.filter(({ readUpTo }) => readUpTo !== undefined).map((item) => withEnd(item.label, item));
  return {
    paragraphs: [
      graphs.length === 1
        ? `${counted(items.length, 'run')} of ${items[0].graph}.`
        : `These runs are of ${graphs.length} different graphs (${distinct(({ graph, sha256 }) => `${graph} ${sha256.slice(0, 8)}`).join(', ')}): their figures are of different crawls.`,
      ...(versions.length === 1
        ? []
        : [`They were made by different versions (${versions.join(', ')}), which may measure differently.`]),
      ...(interrupted.length === 0 ? [] : [`Interrupted: ${interrupted.join(', ')}.`]),
      ...(incomplete.length === 0 ? [] : [`Killed before its end: ${incomplete.join(', ')}.`]),
      settings.length === 0
        ? `Their ${lacking.length === 0 ? '' : 'other '}settings do not differ.`
        : `They differ in ${settings.length <= maxNamed ? settings.map(([name]) => name).join(', ') : counted(settings.length, 'setting')}.`,
      ...(lacking.length === 0 ? [] : [`Only one has settings of ${lacking.join(', ')}.`]),
    ],
    tables:
      items.length === 2 ? [settingsTable(items, settings), figuresTable(items, [])] : [figuresTable(items, settings)],
    charts: [],
  };
}

type Settings = readonly (readonly [name: string, values: readonly Cell[]])[];

/** Two runs may differ in dozens of settings: a row each, which a page and a terminal have room for. */
function settingsTable(items: readonly Compared[], settings: Settings): ShownTable {
  return {
    name: 'settings',
    caption: 'Settings that differ',
    columns: [{ name: 'setting' }, ...items.map(({ label }) => ({ name: label }))],
    rows: settings.map(([name, values]): Cell[] => [
      name, ...values.map((value) => (value === null ? '-' : String(value))),
    ]),
  };
}

function figuresTable(items: readonly Compared[], settings: Settings): ShownTable {
  return {
    name: 'compared',
    caption: `${settings.length === 0 ? 'Figures' : 'Settings that differ, and figures'}; of several seeds their mean ± half of its 95 % interval`,
    columns: [
      { name: 'run' }, ...settings.map(([name]) => ({ name })), { name: 'seeds' },
      ...figures.map(({ short }) => ({ name: short })),
    ],
    rows: items.map(({ label, runs, means }, i): Cell[] => [
      label, ...settings.map(([, values]) => (typeof values[i] === 'number' ? String(values[i]) : values[i])), runs,
      ...figures.map(({ name, digits }) => withInterval(means[name] ?? null, digits)),
    ]),
  };
}

function compareDocument(
  items: readonly Compared[], pair: Pair | undefined, judged: Judged | undefined,
  missing: ReadonlyMap<string, string>,
): object {
  return {
    differing: Object.fromEntries(differingSettings(items)),
    runs: items.map(({ label, graph, sha256, version, runs, interrupted, readUpTo, means, experiment, records }) => ({
      label, graph, sha256, version, seeds: runs, interrupted, means, experiment,
      ...(readUpTo !== undefined && { incomplete: { readUpToSuperstep: readUpTo } }),
      replayHashes: records.map(({ run }) => run.replayHash),
    })),
    ...(pair && { pair: pairDocument(pair, judged, missing) }),
  };
}

/**
 * The runs with their curves, made again from their order and the graph; or why they cannot be. Ranks are computed
 * anew, and the area they give must be the one that was recorded.
 */
async function drawable(
  items: readonly Compared[], named: readonly string[], opened: OpenedGraphs,
): Promise<LabelledRun[] | string> {
  const alone = items.find(({ records }) => records.length === 0);
  if (alone !== undefined) return `${alone.label} is of a study, which keeps no record of each page`;
  if (new Set(items.map(({ sha256 }) => sha256)).size > 1) return 'the runs are of different graphs';
  const count = items.reduce((sum, { records }) => sum + records.length, 0);
  if (count > maxDrawn) return `${fixed(count, 0)} runs are too many to draw`;
  const [{ sha256 }] = items;
  const { found, missing } = await comparedGraphs(items, named, opened);
  const prepared = found.get(sha256);
  if (prepared === undefined) return `${missing.get(sha256) ?? 'their graph is not at hand'} (name it with --graph)`;
  return drawnRuns(items.map((item) => ({ ...item, label: withEnd(item.label, item) })), prepared);
}
