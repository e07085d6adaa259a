import { isDeepStrictEqual } from 'node:util';
import type { SavedMail } from '../../bsp/index.ts';
import type { RunSink } from '../../events/index.ts';
import { laterColumns, type RunEvents } from '../../measure/index.ts';
import { barrierOf, type Processor, type ProcessorState } from '../../scheduler/index.ts';
import { withEarlierDefaults, type SettledExperiment } from '../../settings/index.ts';
import type { SimulatedWorld, SimulatedWorldState } from '../../simulation/index.ts';
import { InputError } from '../../../base/index.ts';

/**
 * A simulation as a superstep begins, exactly: downloads in flight, clocks of hosts, messages under way, and the record
 * so far. It can be cloned and stored. A run that goes on from it under the same settings has the original's replay
 * hash, and its queues compare as often.
 */
export interface ExactCheckpoint {
  /** The superstep that begins. */
  readonly superstep: number;
  readonly barrierUs: number;
  /** Checksum of the graph. */
  readonly graph: string;
  readonly settings: SettledExperiment;
  /** @internal */
  readonly processors: readonly ProcessorState[];
  /** @internal */
  readonly worlds: readonly SimulatedWorldState[];
  /** @internal */
  readonly mail: SavedMail;
  readonly events: RunEvents;
}

/** Takes exact checkpoints of a run. */
export interface ExactCheckpoints {
  /** Asked as each superstep begins. */
  isDue(superstep: number): boolean;
  /** The checkpoint is a copy: whoever takes it may store it. */
  take(checkpoint: ExactCheckpoint): void;
}

/** @throws InputError for a run that no exact checkpoint can be taken of. */
export function checkExact({ network: { crashSeconds } }: SettledExperiment): void {
  if (crashSeconds === 0) return;
  throw new InputError('exact checkpoints: not of runs whose processors crash (network.crashSeconds); set it to 0');
}

/**
 * A checkpoint, perhaps of an earlier version, as a run of these settings takes it up. Queues of another kind
 * cannot repeat what was done to its queues: they begin with the entries.
 */
export function takenUp(from: ExactCheckpoint, { queue }: Pick<SettledExperiment, 'queue'>): ExactCheckpoint {
  const rows = from.events.rows.map((row) => ({
    ...Object.fromEntries(laterColumns.map((name) => [name, 0])), ...row,
  }));
  const checkpoint = { ...from, settings: withEarlierDefaults(from.settings), events: { ...from.events, rows } };
  if (isDeepStrictEqual(queue, from.settings.queue)) return checkpoint;
  const processors = from.processors.map(({ frontier, ...processor }) => {
    const exact = frontier.exact && { ...frontier.exact, queue: { ...frontier.exact.queue, log: undefined } };
    return { ...processor, frontier: { ...frontier, exact } };
  });
  return { ...checkpoint, processors };
}

/** Settings that no fork changes. */
const forAll = ['processors', 'partition', 'partitionPoints', 'robots', 'seed', 'seedPages', 'deniedCost'] as const;

/**
 * @param sha256 checksum of the graph.
 * @throws InputError where a run cannot go on from a checkpoint, since its graph, processors or seed pages differ.
 * Other robots are a change while it runs (`changes`), so that each superstep's are known.
 */
export function checkFrom(sha256: string, settings: SettledExperiment, from: ExactCheckpoint): void {
  checkExact(settings);
  const differs = (what: string): InputError =>
    new InputError(`the checkpoint before superstep ${from.superstep} was taken ${what}`);
  if (sha256 !== from.graph) throw differs('on another graph');
  for (const name of forAll) {
    const [now, then] = [settings[name], from.settings[name]].map((value) => JSON.stringify(value));
    if (now !== then) throw differs(`with ${name} ${then}, not ${now}`);
  }
}

/** Whether the pages that a checkpoint's run knew have other keys under these settings. */
export function isOrderedOtherwise(settings: SettledExperiment, from: ExactCheckpoint): boolean {
  return (['policy', 'policyOptions', 'scores', 'pendingKeys'] as const).some((name) =>
    JSON.stringify(settings[name]) !== JSON.stringify(from.settings[name]));
}

/** A sink that takes checkpoints of a run as `copy` makes them. */
export function checkpointSink(
  checkpoints: ExactCheckpoints, copy: (superstep: number) => ExactCheckpoint,
): RunSink {
  let firstSuperstep = 0;
  return {
    started: (run) => { ({ firstSuperstep } = run); },
    superstepBegins: (superstep) => {
      if (superstep >= firstSuperstep && checkpoints.isDue(superstep)) checkpoints.take(copy(superstep));
    },
  };
}

/** A copy of a run at the barrier where `superstep` begins. @param sha256 checksum of the graph. */
export function exactCheckpoint(
  superstep: number, sha256: string, settings: SettledExperiment,
  { processors, worlds, mail, events }: {
    readonly processors: readonly Processor[]; readonly worlds: readonly SimulatedWorld[];
    readonly mail: SavedMail; readonly events: RunEvents;
  },
): ExactCheckpoint {
  return structuredClone({
    superstep, barrierUs: barrierOf(processors), graph: sha256, settings,
    processors: processors.map((processor) => processor.saveExactly()), worlds: worlds.map((world) => world.save()),
    mail,
    events: {
      ...events,
      order: events.order.slice(), processors: events.processors.slice(), times: events.times.slice(),
    },
  });
}
