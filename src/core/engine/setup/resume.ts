import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../../../base/index.ts';
import { laterColumns } from '../../measure/index.ts';
import { withEarlierDefaults, type SettledExperiment } from '../../settings/index.ts';
import { frontierSettings } from '../processors.ts';
import type { ExactCheckpoint } from './exact-checkpoint.ts';
import type { CrawledGraph, LoadedGraph } from './graph/crawled-graph.ts';
import { taught, type TeachingParts } from './taught.ts';

/** What a run has settled before it resumes. */
export interface ResumingRun {
  readonly source: Pick<CrawledGraph, 'sha256'>;
  readonly settings: SettledExperiment;
  readonly processorOfHost: Uint32Array;
  readonly loaded: Pick<LoadedGraph, 'graph'>;
  readonly parts: TeachingParts;
}

/**
 * The checkpoint under the settings of the run that goes on from it: a new policy has seen what happened, and hosts
 * wait for a longer delay.
 *
 * @throws InputError if the run cannot go on from it, since its graph, processors or seed pages differ. The number of
 * robots changes while a run goes on (`changes`), so that the record has it for each superstep.
 */
export function resumeFrom(
  checkpoint: ExactCheckpoint, { source, settings, processorOfHost, loaded, parts }: ResumingRun,
): ExactCheckpoint {
  const from = upgraded(checkpoint, settings);
  const differs = (name: keyof SettledExperiment): boolean =>
    JSON.stringify(settings[name]) !== JSON.stringify(from.settings[name]);
  const refuse = (how: string): InputError =>
    new InputError(`the checkpoint before superstep ${from.superstep} was taken ${how}`);
  if (source.sha256 !== from.graph) throw refuse('on another graph');
  const name = fixedSettings.find(differs);
  if (name !== undefined)
    throw refuse(`with ${name} ${JSON.stringify(from.settings[name])}, not ${JSON.stringify(settings[name])}`);
  const state = keySettings.some(differs) ? taught(loaded.graph, settings, processorOfHost, from, parts) : from;
  const waitsLonger = settings.politenessMs > from.settings.politenessMs;
  return waitsLonger ? withDelay(state, frontierSettings(settings).politenessUs) : state;
}

/** Settings that no fork changes, and settings that change the keys of the pages that wait. */
const fixedSettings = [
  'processors', 'partition', 'partitionPoints', 'robots', 'seed', 'seedPages', 'deniedCost',
] as const;
const keySettings = ['policy', 'policyOptions', 'scores', 'pendingKeys'] as const;

/**
 * The checkpoint, perhaps of an earlier version, in the form of this version. Queues of another kind cannot repeat what
 * was done to its queues: they begin with the entries.
 */
function upgraded(from: ExactCheckpoint, { queue }: SettledExperiment): ExactCheckpoint {
  const laterCells = Object.fromEntries(laterColumns.map((name) => [name, 0]));
  const rows = from.events.rows.map((row) => ({ ...laterCells, ...row }));
  const checkpoint = { ...from, settings: withEarlierDefaults(from.settings), events: { ...from.events, rows } };
  if (isDeepStrictEqual(queue, from.settings.queue)) return checkpoint;
  const processors = from.processors.map(({ frontier, ...processor }) => {
    const exact = frontier.exact && { ...frontier.exact, queue: { ...frontier.exact.queue, log: undefined } };
    return { ...processor, frontier: { ...frontier, exact } };
  });
  return { ...checkpoint, processors };
}

/**
 * The checkpoint where hosts at rest wait for a longer delay, from the end of their last download on. A shorter delay
 * needs no change: it applies from the next download of each host on.
 */
function withDelay(from: ExactCheckpoint, politenessUs: number): ExactCheckpoint {
  const processors = from.processors.map((state, id) => {
    const { exact } = state.frontier;
    if (exact === undefined) return state;
    const { nowUs } = exact.pending;
    const slots = new Map(exact.pending.slots.map((slot) => [slot.host, slot]));
    for (const [host, { endedAtUs, waitUs }] of from.worlds[id].hosts) {
      const readyAtUs = endedAtUs + Math.max(politenessUs, waitUs);
      const slot = slots.get(host) ??
        { host, entries: new Float64Array(0), readyAtUs, failures: 0, isResting: false, place: 'idle' as const };
      if (slot.place === 'open' || readyAtUs <= nowUs) continue;
      const place = slot.place === 'ready' ? 'waiting' : slot.place;
      slots.set(host, { ...slot, place, readyAtUs: Math.max(slot.readyAtUs, readyAtUs) });
    }
    const pending = { ...exact.pending, slots: [...slots.values()] };
    return { ...state, frontier: { ...state.frontier, exact: { ...exact, pending } } };
  });
  return { ...from, processors };
}
