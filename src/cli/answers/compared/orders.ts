import { stat } from 'node:fs/promises';
import {
  comparedIn, orderComparison, type Compared, type ComparedOrders, type LoggedOrder,
} from '../../../questions/compare/index.ts';
import { readCrawlOrder } from '../../../graphs/formats/index.ts';
import { InputError } from '../../../base/index.ts';
import { printableShort } from '../../text/printable.ts';
import { comparedGraphs, OpenedGraphs } from './graphs.ts';
import { measuring } from '../incomplete-runs.ts';

/** The files among `names` that are logs of other crawlers, and the rest. */
export async function logsAmong(names: readonly string[]): Promise<{ logs: LoggedOrder[]; others: string[] }> {
  const [logs, others]: [LoggedOrder[], string[]] = [[], []];
  for (const name of names) {
    const isFile = await stat(name).then((stats) => stats.isFile(), () => false);
    const order = isFile ? await readCrawlOrder(name) : undefined;
    if (order === undefined) others.push(name);
    else logs.push({ ...order, label: name });
  }
  return { logs, others };
}

/**
 * Runs and the orders of other crawlers on the graph of the runs.
 * @throws InputError if there is no run, a record without an order, several graphs, or the graph is not available.
 */
export async function runsAgainst(
  logs: readonly LoggedOrder[], folders: readonly string[], graphs: readonly string[],
): Promise<ComparedOrders> {
  const opened = new OpenedGraphs();
  const items: Compared[] = [];
  for (const folder of folders) items.push(...await comparedIn(folder, measuring(opened, graphs)));
  const [first] = items as readonly (Compared | undefined)[];
  if (first === undefined) {
    const labels = logs.map(({ label }) => label).join(', ');
    throw new InputError(`${labels}: name a run too, whose graph the logs are held to`);
  }
  const study = items.find(({ records }) => records.length === 0);
  if (study !== undefined)
    throw new InputError(`${study.label}: is of a study, which stores no order of pages; name runs of simulate`);
  if (items.some(({ sha256 }) => sha256 !== first.sha256))
    throw new InputError(`${folders.join(', ')}: are of different graphs; a log is held to one`);
  const { found: graphsBySum, missing } = await comparedGraphs(items, graphs, opened);
  const prepared = graphsBySum.get(first.sha256);
  if (prepared === undefined) {
    const why = missing.get(first.sha256) ?? 'their graph is not at hand';
    throw new InputError(`${printableShort(first.label)}: ${why} (name it with --graph)`);
  }
  const runs = items.flatMap(({ label, records }) => records.map((record) => ({
    ...record, label: records.length === 1 ? label : `${label}, seed ${record.run.experiment.seed}`,
  })));
  return orderComparison(runs, logs, prepared);
}
