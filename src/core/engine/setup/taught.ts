import { Sinks } from '../../events/index.ts';
import { stateCode, type Frontier } from '../../frontier/index.ts';
import { bySuperstep, type RunEvents } from '../../measure/index.ts';
import { entryIndex, packEntry } from '../../queue/index.ts';
import type { ProcessorState } from '../../scheduler/index.ts';
import type { Outcome, OutcomeKind } from '../../world/index.ts';
import { assert } from '../../../base/index.ts';
import { assemble, type AssemblyParts } from '../assembly.ts';
import type { ExactCheckpoint } from './exact-checkpoint.ts';
import type { SettledExperiment } from '../../settings/index.ts';
import { linksOf, type GraphPart, type WebGraph } from '../../../graphs/graph/index.ts';

/** An outcome in the record, and whether it is the last of its page. */
type Recorded = Pick<Outcome, 'page' | 'kind'> & { readonly isLast: boolean };

const none = new Uint32Array(0);

export type TeachingParts = Pick<AssemblyParts, 'policies' | 'ranks' | 'scores' | 'fit'>;

/**
 * The checkpoint as if another policy had watched the run. The policy sees the recorded outcomes, superstep by
 * superstep, and its messages reach the other processors. Then all pages that wait get its keys, pending ones too,
 * since keys of two policies cannot be compared. Downloads go on.
 *
 * Cost  the links of the pages fetched, and the policy's own work; no network and no robots.
 */
export function taught(
  graph: WebGraph | GraphPart, settings: SettledExperiment, processorOfHost: Uint32Array, from: ExactCheckpoint,
  parts: TeachingParts,
): ExactCheckpoint {
  // Nothing leaves these queues, so that they need no files.
  const inMemory = { ...settings, queue: { ...settings.queue, memoryBytes: 0 } };
  const assembly = assemble(graph, inMemory, processorOfHost, { ...parts, sinks: new Sinks([]) });
  const { processors, transport } = assembly;
  try {
    const outcomes = outcomesOf(from.events, processors.length, failedPages(from));
    const frontiers = processors.map(({ frontier }) => frontier);
    for (const rows of bySuperstep(from.events.rows)) {
      for (const row of rows) {
        const frontier = frontiers[row.processor];
        const next = outcomes[row.processor];
        frontier.options.pendingTarget.jobs = row.pendingTarget;
        for (let i = 0; i < row.drained; i++) show(graph, frontier, next());
        for (const { pages, amounts, first, size } of transport.receive(row.processor))
          for (let i = first; i < first + size; i++) frontier.credit(frontier.know(pages[i]), amounts[i]);
        frontier.insert();
        for (let i = row.drained; i < row.pages + row.failures; i++) show(graph, frontier, next());
      }
      for (const row of rows) frontiers[row.processor].outboxes.send(row.processor, transport);
      transport.sync([0]);
    }
    return {
      ...from, mail: transport.save(),
      processors: from.processors.map((state, id) => rekeyed(state, frontiers[id])),
    };
  } finally {
    assembly.dispose();
  }
}

/** Pages that had failed for good. */
function failedPages({ processors }: ExactCheckpoint): Set<number> {
  return new Set(processors.flatMap(({ frontier: { frontier: { pages, states } } }) =>
    Array.from(pages).filter((_, local) => states[local] === stateCode.failed)));
}

/** A function per processor that returns its outcomes one after the other. */
function outcomesOf(
  { order, processors, failures }: RunEvents, count: number, isFailed: ReadonlySet<number>,
): (() => Recorded)[] {
  const lastFailure = new Map(failures.map(({ page }, at) => [page, at]));
  const lists = Array.from({ length: count }, (): Recorded[] => []);
  let failed = 0;
  for (let i = 0; i < order.length; i++) {
    for (; failed < failures.length && failures[failed].position === i + failed; failed++) add(failed);
    lists[processors[i]].push({ page: order[i], kind: 'fetched', isLast: true });
  }
  for (; failed < failures.length; failed++) add(failed);
  return lists.map((list) => {
    let next = 0;
    return () => {
      const outcome = list.at(next++);
      assert(outcome !== undefined, 'a superstep observed more than is recorded');
      return outcome;
    };
  });

  function add(at: number): void {
    const { page, kind, processor } = failures[at];
    const isLast = isFailed.has(page) && lastFailure.get(page) === at;
    lists[processor].push({ page, kind: kind as OutcomeKind, isLast });
  }
}

/** The frontier observes an outcome, though it might have downloaded another page. */
function show(graph: WebGraph | GraphPart, frontier: Frontier, { page, kind, isLast }: Recorded): void {
  const links = kind === 'fetched' ? linksOf(graph, page) : none;
  frontier.states.move(frontier.states.find(page), 'inFlight');
  const outcome = { page, kind, links, sequence: -1, startedAtUs: 0, finishedAtUs: 0, bytes: 0, waitUs: 0 };
  frontier.complete(outcome, !isLast);
}

/** A processor's state with the knowledge and the keys of the policy of `by`. */
function rekeyed(state: ProcessorState, by: Frontier): ProcessorState {
  const { frontier: saved } = state;
  const { exact, frontier: { pages, states } } = saved;
  const { policy } = by.options;
  assert(exact !== undefined, 'a fork goes on from an exact checkpoint');
  assert(
    by.states.count === pages.length && pages.every((page, local) => by.states.pageAt(local) === page),
    'whatever the policy, pages become known in the order of the outcomes',
  );
  const queuedKeys = saved.frontier.queuedKeys.slice();
  const queuedScores = saved.frontier.queuedScores.slice();
  const queued: number[] = [];
  for (let local = 0; local < states.length; local++) {
    if (states[local] < stateCode.queued || states[local] > stateCode.inFlight) continue;
    queuedKeys[local] = policy.key(local);
    queuedScores[local] = policy.score(local);
    if (states[local] === stateCode.queued) queued.push(local);
  }
  const entryOf = (local: number): number => packEntry(queuedKeys[local], local);
  const slots = exact.pending.slots.map((slot) => ({
    ...slot, entries: slot.entries.map((entry) => entryOf(entryIndex(entry))),
  }));
  return {
    ...state,
    frontier: {
      ...saved, frontier: { pages, states, queuedKeys, queuedScores }, policy: policy.save(),
      outboxes: by.outboxes.save(),
      exact: {
        ...exact,
        pending: { ...exact.pending, slots },
        queue: {
          entries: Float64Array.from(queued, entryOf), foundFrom: exact.queue.foundFrom, touched: new Uint32Array(0),
        },
      },
    },
  };
}
