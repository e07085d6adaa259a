import type { MemoryTransport, SavedMail } from '../../bsp/index.ts';
import type { RunSink } from '../../events/index.ts';
import type { RunEvents } from '../../measure/index.ts';
import { barrierOf, type Processor, type ProcessorState } from '../../scheduler/index.ts';
import type { SettledExperiment } from '../../settings/index.ts';
import type { SimulatedWorld, SimulatedWorldState } from '../../simulation/index.ts';
import { InputError } from '../../../base/index.ts';

/**
 * The exact state of a simulation as a superstep begins: downloads in flight, clocks of hosts, messages under way, and
 * the record so far. It can be cloned and stored. A run that goes on from it under the same settings has the
 * original's replay hash, and its queues compare as often.
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
  /** The run asks as each superstep begins. */
  isDue(superstep: number): boolean;
  /** The checkpoint is a copy: whoever takes it may store it. */
  take(checkpoint: ExactCheckpoint): void;
}

/** @throws InputError for a run that no exact checkpoint can be taken of. */
export function checkExact({ network: { crashSeconds } }: SettledExperiment): void {
  if (crashSeconds === 0) return;
  throw new InputError('exact checkpoints: not of runs whose processors crash (network.crashSeconds); set it to 0');
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
  { processors, worlds, transport }: {
    readonly processors: readonly Processor[]; readonly worlds: () => readonly SimulatedWorld[];
    readonly transport: Pick<MemoryTransport, 'save'>;
  },
  events: RunEvents,
): ExactCheckpoint {
  const { order, processors: processorOfPage, times } = events;
  return structuredClone({
    superstep, barrierUs: barrierOf(processors), graph: sha256, settings,
    processors: processors.map((processor) => processor.saveExactly()), worlds: worlds().map((world) => world.save()),
    mail: transport.save(),
    events: { ...events, order: order.slice(), processors: processorOfPage.slice(), times: times.slice() },
  });
}
