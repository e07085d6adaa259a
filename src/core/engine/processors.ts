import { setImmediate } from 'node:timers/promises';
import type { PolicyRegistry } from '../policy/index.ts';
import type { PriorityQueue } from '../queue/index.ts';
import { Frontier, PendingTarget, type FrontierOptions, type FrontierState } from '../frontier/index.ts';
import { Processor, type ProcessorOptions } from '../scheduler/index.ts';
import { firstPending, grownPending, superstepLimitOf, type SettledCrawl } from '../settings/index.ts';
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
  const { reinsert, retries, pendingKeys, superstepMs } = settings;
  const hostPatienceUs = us(settings.hostPatienceMs);
  const rekeysPending = pendingKeys === 'follow';
  return {
    reinsert, retries, hostPatienceUs, rekeysPending,
    horizonUs: rekeysPending && superstepMs > 0 ? us(superstepMs) : Infinity,
    politenessUs: us(settings.politenessMs),
    backoffUs: us(settings.backoffMs),
    maxBackoffUs: Math.min(us(settings.maxBackoffMs), hostPatienceUs === 0 ? Infinity : hostPatienceUs / 5),
  };
}

/** The parts that the processors of a crawl share. */
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
  { settings, policies, seedPages, ranks, scores, exchange, pageIndex, ownerOf, ...parts }: ProcessorParts,
  { id, world, queue, saved }: {
    readonly id: number; readonly world: World; readonly queue: PriorityQueue;
    readonly saved?: FrontierState | undefined;
  },
): Processor {
  const { processors, seed, reinsert, policyOptions, pending } = settings;
  const target = pending === undefined
    ? new PendingTarget(saved?.pendingTarget ?? firstPending(settings), grownPending) : new PendingTarget(pending);
  const policy = policies.make(
    settings.policy,
    {
      processor: id, processors, seed, seedPages, pendingTarget: () => target.jobs, reinsert, options: policyOptions,
      ranks, scores,
    },
    saved?.policy,
  );
  const frontierOptions = {
    id, ...frontierSettings(settings), pendingTarget: target, exchange, queue, policy, pageIndex, ownerOf,
    hostOf: (page: number): number => world.hostOf(page),
    denies: settings.deniedCost === 'none' ? world.denies : undefined,
  };
  return new Processor({
    ...parts, breathe: parts.breathe ?? breathe, id, robots: settings.robots,
    superstepLimit: (fetched) => superstepLimitOf(settings, fetched),
    frontier: new Frontier(frontierOptions, saved, world.nowUs), world,
  });
}
