import { useEffect, useState } from 'preact/hooks';
import type { ListedRun, RunFigures } from '../../../service/dashboard/api.ts';
import type { RunPhase } from '../../../watch/contract.ts';
import { live } from '../../parts/hooks.ts';
import { RunStore } from '../../run/run-store.ts';
import { isStarted, type RunData } from '../../run/run-data.ts';

/** The figures of a run that goes on, as far as they are known. */
export interface RunNow extends Partial<Omit<RunFigures, 'replayHash' | 'pagerankArea'>> {
  readonly phase: RunPhase;
  /** The part of a job that is done. */
  readonly share?: number | null;
}

/** Runs that the list follows at most; the others say only that they go on. */
const most = 12;

/** What the running ones of the list have reached, by id; drawn twice a second. */
export function useRunning(runs: readonly ListedRun[]): ReadonlyMap<string, RunNow> {
  const [now, setNow] = useState<ReadonlyMap<string, RunNow>>(new Map());
  const ids = runs.filter(({ state }) => state === 'running').slice(0, most).map(({ id }) => id);
  useEffect(() => {
    const stores = ids.map((id) => new RunStore(id));
    const stops = stores.map((store) => store.join(live()));
    const timer = setInterval(() => {
      if (document.hidden) return;
      setNow((last) => {
        const after = new Map(stores.flatMap(({ id, data }) => {
          const reached = nowOf(data);
          return reached === null ? [] : [[id, reached] as const];
        }));
        return JSON.stringify([...after]) === JSON.stringify([...last]) ? last : after;
      });
    }, 500);
    return () => {
      clearInterval(timer);
      for (const stop of stops) stop();
    };
  }, [ids.join(' ')]);
  return now;
}

function nowOf({ card, state, job, curves }: RunData): RunNow | null {
  if (job !== null) return { phase: job.phase, share: job.progress?.share ?? null };
  if (state === null) return null;
  const rank = curves.rank.at(-1) ?? null;
  return {
    phase: state.phase, pages: state.pagesFetched, seconds: state.seconds, supersteps: state.superstep, rank,
    ...(card !== null && isStarted(card) && {
      processors: card.processors, policy: card.settings['policy'] as string,
    }),
    ...(state.processors.length > 0 && { robots: state.processors[0].robots }),
  };
}
