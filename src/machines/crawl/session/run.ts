import { MemoryTransport } from '../../../core/bsp/index.ts';
import {
  breathe, crawl, crawlLimits, LocalCrew, reportHistory, type Crew,
} from '../../../core/engine/index.ts';
import type { RunEnd } from '../../../core/events/index.ts';
import { shippedPolicies } from '../../../core/policy/index.ts';
import type { CrawlCheckpoint } from '../checkpoint/checkpoint.ts';
import { Checkpoints } from '../checkpoint/checkpoints.ts';
import type { LiveResult } from '../live-crawl.ts';
import type { Closing } from './live-parts.ts';
import { Ending, liveProcessors, type LiveProcessors } from './live-processors.ts';
import type { OpenedCrawl } from './opened-crawl.ts';
import { observersOf } from './observers.ts';
import { resultOf, type EndedSession } from './result.ts';
import type { StoredEnd } from './stored-end.ts';

/** How long open downloads have to finish when a crawl ends, unless options say otherwise. */
export const GRACE_MS = 10_000;

export interface SharedRun {
  /** All crews of the crawl, with this machine's crew. */
  crews(crew: Crew, parts: LiveProcessors & { readonly checkpoints: Checkpoints }): Promise<readonly Crew[]>;
  /** Whether all machines take a checkpoint before this superstep. */
  isCheckpoint(superstep: number): boolean;
  /** Waits until the loop has ended on all of them. */
  beforeLast(): Promise<void>;
}

/** A run that has ended, and whose last checkpoint is stored. */
export interface EndedRun {
  readonly session: EndedSession;
  readonly checkpoints: Checkpoints;
  /** Pages that all machines have fetched; undefined if the end was stored by a version that did not store them. */
  readonly pagesOfAll: number | undefined;
  /** Whether the crawl had come to its end before. */
  readonly hadEnded: boolean;
}

/**
 * Runs a crawl from a checkpoint, or from its start, to its end. What it opens is closed with `parts`.
 * @param end its end if it has ended already: then it is reported again, and nothing is done.
 * @throws as `crawl`, and whatever `shared` throws.
 */
export async function runFrom(
  parts: Closing, opened: OpenedCrawl, checkpoint: CrawlCheckpoint | undefined, shared?: SharedRun,
  end?: Pick<StoredEnd, 'end' | 'pagesOfAll'>,
): Promise<EndedRun> {
  const { store, options, settings, origins, urls, ownerOf, scores, ids, web } = opened;
  const { maxPages = Infinity } = settings;
  const { barrierUs: beginUs, superstep: firstSuperstep } = checkpoint ?? { barrierUs: 0, superstep: 0 };
  const replay = web.replayFrom(beginUs);
  const { record, statistics, sinks, checkpointing, fetched } = observersOf(parts, opened, shared !== undefined);
  const crew = liveProcessors(parts, {
    settings, policies: shippedPolicies.with(options.policies), ids, store, web, ownerOf, sinks,
    scores, checkpoint, isReplayed: replay.size > 0,
  });
  const { processors } = crew;
  const ending = new Ending(parts, processors, shared === undefined ? options.signal : undefined);
  ending.attach(options.control, sinks);
  // The time that a barrier takes is on the clock already.
  const transport = new MemoryTransport(settings.processors, { barrierUs: 0, pairUs: 0, messageUs: 0 });
  if (checkpoint !== undefined) transport.restore(checkpoint.mail);
  const checkpoints = checkpointing.checkpoints = new Checkpoints({
    ...crew, store, beginUs, clock: web.clock, mail: () => transport.save(), events: () => record.events(),
    maxBytes: options.maxCheckpointBytes, onFailure: () => { ending.end(); },
    isTakenAt: shared && ((superstep) => shared.isCheckpoint(superstep)),
  });
  const ended = await sinks.during(
    { kind: 'live', settings, graph: undefined, names: urls, firstSuperstep, maxPages, mayRollBack: false },
    async (): Promise<RunEnd> => {
      if (checkpoint !== undefined) await reportHistory(sinks, checkpoint.events, (page) => store.visit(page));
      if (end !== undefined) return end.end;
      const localCrew = new LocalCrew({ processors: [...processors] }, beginUs);
      return crawl({
        crews: shared === undefined ? [localCrew] : await shared.crews(localCrew, { ...crew, checkpoints }),
        sinks, beginUs, firstSuperstep, ...crawlLimits(settings), signal: ending.signal, transport,
        closing: {
          graceUs: Math.round(1000 * (options.graceMs ?? GRACE_MS)),
          abandon: async () => web.abandon().then(() => web.clock.nowUs),
        },
        breathe: async () => {
          await checkpoints.written;
          await breathe();
        },
      });
    },
  );
  if (end === undefined) {
    await shared?.beforeLast();
    checkpoints.takeLast();
    await checkpoints.written;
  }
  return {
    checkpoints, hadEnded: end !== undefined,
    pagesOfAll: end === undefined ? fetched.byAll : end.pagesOfAll,
    session: {
      experiment: settings, origins, events: record.events(), processors, ended, scores: scores?.values,
      ids, statistics: statistics.result(),
    },
  };
}

/** The result of a run on this machine: graph and figures. */
export async function resultOfRun(
  opened: OpenedCrawl, { session, checkpoints, pagesOfAll, hadEnded }: EndedRun,
): Promise<LiveResult> {
  return { ...(await resultOf(opened.folder, opened, session)), pagesOfAll, hadEnded, failure: checkpoints.failure };
}
