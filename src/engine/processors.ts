import { setImmediate } from 'node:timers/promises';
import type { PolicyRegistry } from '../policy/index.ts';
import type { PriorityQueue } from '../queue/index.ts';
import { Frontier, type FrontierOptions, type FrontierState } from '../frontier/index.ts';
import { Processor, type ProcessorOptions } from '../scheduler/index.ts';
import type { SettledCrawl } from '../settings/index.ts';
import type { World } from '../world/index.ts';

const us = (ms: number): number => Math.round(1000 * ms);

/** Lets other work of this thread run. */
export const breathe = (): Promise<void> => setImmediate();

/** The limits of a crawl, in the units of its loop. */
export function crawlLimits({ superstepMs, maxPages = Infinity, maxSeconds }: SettledCrawl) {
  return {
    superstepUs: superstepMs === 0 ? Infinity : us(superstepMs),
    maxPages,
    maxUs: maxSeconds === undefined ? Infinity : Math.round(1e6 * maxSeconds),
  };
}

/** The settings of a crawl that each frontier needs. */
export function frontierSettings(settings: SettledCrawl) {
  const { pending, reinsert, retries } = settings;
  return {
    pending, reinsert, retries,
    politenessUs: us(settings.politenessMs),
    backoffUs: us(settings.backoffMs),
    maxBackoffUs: us(settings.backoffMostMs),
  };
}

/** What the processors of a crawl share. */
export interface ProcessorParts
  extends Pick<FrontierOptions, 'exchange' | 'pageIndex' | 'ownerOf'>, Pick<ProcessorOptions, 'onOutcome' | 'onChange'> {
  /** Lets other work run; waits while the run is paused. */
  readonly breathe?: (() => Promise<void>) | undefined;
  readonly settings: SettledCrawl;
  /** Policies to choose from. */
  readonly policies: PolicyRegistry;
  /** Seed pages of the whole run. */
  readonly seedPages: number;
  /** True ranks of the pages, for policies that need them. */
  readonly ranks?: Float64Array | undefined;
  /** Scores from a file, for policies that need them. */
  readonly scores?: Float64Array | undefined;
}

/**
 * A processor of a crawl, simulated or live.
 * @param saved a checkpoint to resume from; the queue is empty then.
 * @throws InputError if policies cannot be composed as the settings ask.
 */
export function newProcessor(
  {
    settings,
    policies,
    seedPages,
    ranks,
    scores,
    exchange,
    pageIndex,
    ownerOf,
    onOutcome,
    onChange,
    ...parts
  }: ProcessorParts,
  {
    id, world, queue, saved,
  }: {
    readonly id: number;
    readonly world: World;
    readonly queue: PriorityQueue;
    readonly saved?: FrontierState | undefined;
  },
): Processor {
  const { processors, seed, pending, reinsert, policyOptions } = settings;
  const policy = policies.make(
    settings.policy,
    { processor: id, processors, seed, seedPages, pending, reinsert, options: policyOptions, ranks, scores },
    saved?.policy,
  );
  const hostOf = (page: number): number => world.hostOf(page);
  const frontier = new Frontier(
    { id, ...frontierSettings(settings), exchange, queue, policy, pageIndex, ownerOf, hostOf }, saved, world.nowUs,
  );
  const { robots, superstepLimit } = settings;
  return new Processor({
    id, robots, superstepLimit, frontier, world, onOutcome, onChange, breathe: parts.breathe ?? breathe,
  });
}
