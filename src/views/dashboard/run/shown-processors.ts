import type { RunView } from '../../service/dashboard/api.ts';
import type { ProcessorState, RunState } from '../../watch/contract.ts';

/** A processor of a run that goes on or has ended. */
export interface ShownProcessor extends Omit<ProcessorState, 'known'> {
  /** Null once the run has ended. */
  readonly known: number | null;
  /** When it last had an outcome, or at its end the last superstep in which it was not at rest; null: never. */
  readonly updatedAt: number | null;
  /** Its pages as a share of the mean of all processors; null before the first page. */
  readonly balance: number | null;
}

/** Those of the state, or where there is none, of the record. */
export function shownProcessors(state: RunState | null, view: RunView | null): ShownProcessor[] {
  const all = state === null
    ? (view?.processors ?? []).map((state) => ({ ...state, known: null, open: [], openCount: 0, lastOutcome: null }))
    : state.processors.map((processor) => ({ ...processor, updatedAt: processor.lastOutcome?.at ?? null }));
  const mean = all.reduce((sum, { fetched }) => sum + fetched, 0) / all.length;
  return all.map((processor) => ({ ...processor, balance: mean > 0 ? processor.fetched / mean : null }));
}
