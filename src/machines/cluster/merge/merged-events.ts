import { join } from 'node:path';
import { InputError } from '../../../base/index.ts';
import { replayHash, type Failure, type RunEvents, type SuperstepRow } from '../../../core/measure/index.ts';
import type { MergedPages } from './merged-pages.ts';
import type { NodeFolder } from './node-folder.ts';

/** The outcomes in a node's record, in their order: pages fetched, and failures among them. */
class Outcomes {
  readonly #events: NodeFolder['events'];
  #fetched = 0;
  #failed = 0;

  constructor(events: NodeFolder['events']) {
    this.#events = events;
  }

  get isOver(): boolean {
    return this.#fetched === this.#events.order.length && this.#failed === this.#events.failures.length;
  }

  /** The failure that is next; undefined if a page is. */
  get failure(): Failure | undefined {
    const next = this.#events.failures.at(this.#failed);
    return next?.position === this.#fetched + this.#failed || this.#fetched === this.#events.order.length
      ? next : undefined;
  }

  /** The page that is next, where no failure is. */
  get page(): { readonly page: number; readonly startedUs: number; readonly finishedUs: number } {
    const { order, times } = this.#events;
    const at = this.#fetched;
    return { page: order[at], startedUs: times[2 * at], finishedUs: times[2 * at + 1] };
  }

  pass(): void {
    if (this.failure === undefined) this.#fetched++;
    else this.#failed++;
  }
}

/** What comes next of a node. */
interface Head {
  readonly node: number;
  readonly processor: number;
  readonly finishedUs: number;
}

/**
 * The events of all nodes as events of one crawl, in the total order (finishedAtUs, processor, sequence), with the page
 * ids of the merged graph.
 * @param processorOf the processor that fetches a page.
 * @throws InputError if the barriers of the nodes differ: they belong to several crawls.
 */
export function mergedEvents(
  nodes: readonly NodeFolder[], pages: MergedPages, processorOf: (page: number) => number,
): RunEvents {
  const size = nodes.reduce((sum, { events }) => sum + events.order.length, 0);
  const [order, processors, times] = [new Uint32Array(size), new Uint32Array(size), new Float64Array(2 * size)];
  const failures: Failure[] = [];
  const outcomes = nodes.map(({ events }) => new Outcomes(events));
  const headOf = (node: number): Head | undefined => {
    const { isOver, failure, page } = outcomes[node];
    if (isOver) return undefined;
    if (failure !== undefined) return { node, processor: failure.processor, finishedUs: failure.finishedUs };
    return { node, processor: processorOf(pages.idOf[node][page.page]), finishedUs: page.finishedUs };
  };
  const heads = nodes.map((_, node) => headOf(node));
  let fetched = 0;
  for (let head = firstOf(heads); head !== undefined; head = firstOf(heads)) {
    const { node, processor } = head;
    const { failure, page } = outcomes[node];
    if (failure === undefined) {
      order[fetched] = pages.idOf[node][page.page];
      processors[fetched] = processor;
      times.set([page.startedUs, page.finishedUs], 2 * fetched++);
    } else failures.push({ ...failure, page: pages.idOf[node][failure.page], position: fetched + failures.length });
    outcomes[node].pass();
    heads[node] = headOf(node);
  }
  const changes = nodes.flatMap((node) => (node.run.changes ?? []).filter(({ processor }) => isOwn(node, processor)));
  return { order, processors, times, failures, rows: mergedRows(nodes), crashes: [], changes };
}

/** The earliest; at equal times the lowest processor's. */
function firstOf(heads: readonly (Head | undefined)[]): Head | undefined {
  let first: Head | undefined;
  for (const head of heads) {
    if (head === undefined) continue;
    const us = first === undefined ? -1 : head.finishedUs - first.finishedUs;
    if (us < 0 || (us === 0 && head.processor < first!.processor)) first = head;
  }
  return first;
}

/** Node n of N has the processors p with p mod N = n. */
const isOwn = ({ node, nodes }: NodeFolder, processor: number): boolean => processor % nodes === node;

/** The rows of each node's own processors: it may also have recorded others. */
function mergedRows(nodes: readonly NodeFolder[]): SuperstepRow[] {
  const barriers = new Map<number, { readonly barrierUs: number; readonly path: string }>();
  const all: SuperstepRow[] = [];
  for (const node of nodes) {
    for (const row of node.events.rows) {
      const { superstep, barrierUs, processor } = row;
      const other = barriers.get(superstep);
      if (other === undefined) barriers.set(superstep, { barrierUs, path: node.path });
      else if (other.barrierUs !== barrierUs) {
        throw new InputError(
          `${join(node.path, 'supersteps.csv')}: superstep ${superstep} ends at ${barrierUs} us, and at ` +
          `${other.barrierUs} us in ${other.path}: the folders belong to several crawls`,
        );
      }
      if (isOwn(node, processor)) all.push(row);
    }
  }
  return all.sort((a, b) => a.superstep - b.superstep || a.processor - b.processor);
}

/**
 * Checks that each record has the replay hash in its run.json: one that was changed since, or belongs to another crawl,
 * would be merged into figures that nobody measured.
 *
 * Cost  O(outcomes). @throws InputError naming the folder.
 */
export function checkHashes(nodes: readonly NodeFolder[], pages: MergedPages): void {
  for (const { path, node, events, run } of nodes) {
    const ids = pages.idOf[node];
    const checkPage = (file: string, page: number): void => {
      if (page >= ids.length)
        throw new InputError(`${join(path, file)}: names page ${page}, and its store has ${ids.length} pages`);
    };
    for (const page of events.order) checkPage('order.u32', page);
    for (const { page } of events.failures) checkPage('failures.csv', page);
    const processors = Uint32Array.from(events.order, (page) => pages.processorOf(ids[page]));
    const hash = replayHash({ ...events, processors, crashes: [], changes: [] });
    if (hash === run.replayHash) continue;
    throw new InputError(
      `${path}: its record has the replay hash ${hash}, and run.json says ${run.replayHash}: one of them was changed ` +
        'since, or is of another crawl',
    );
  }
}
