import { join } from 'node:path';
import { MemoryTransport } from '../bsp/index.ts';
import type { Change, Sinks } from '../events/index.ts';
import type { GraphPart, WebGraph } from '../../graphs/graph/index.ts';
import { shippedPolicies, type PolicyRegistry } from '../policy/index.ts';
import { createQueue, LazyQueue, LoggedQueue, type PriorityQueue, type QueueOptions } from '../queue/index.ts';
import type { Processor } from '../scheduler/index.ts';
import type { FrontierState } from '../frontier/index.ts';
import { Crashes, Network, SimulatedWorld, type NetworkFit } from '../simulation/index.ts';
import { PageIndex } from '../../base/index.ts';
import type { World } from '../world/index.ts';
import { LocalCrew, type CrewParts } from './crews/crew.ts';
import type { CrawlSetup } from './loop.ts';
import { processorsOfPages } from './setup/owners.ts';
import { breathe, crawlLimits, newProcessor, frontierSettings } from './processors.ts';
import { Recovery } from './recovery.ts';
import type { ExactCheckpoint } from './setup/exact-checkpoint.ts';
import type { SettledExperiment } from '../settings/index.ts';
import { emptyScratchFolder } from './setup/scratch-folder.ts';

/** Makes the queue of a processor, which must fulfil the contract of PriorityQueue. The crawl disposes of it. */
export type QueueMaker = (options: QueueOptions, processor: number) => PriorityQueue;

/** Makes the World of a processor from the default one. It may watch, delay or damage answers within the contract. */
export type WorldMaker = (world: SimulatedWorld, processor: number) => World;

/** The parts of a simulated crawl besides graph, experiment and partition. */
export interface AssemblyParts {
  readonly sinks: Sinks;
  /** Policies to choose from; by default those that come with Orbweaver. */
  readonly policies?: PolicyRegistry | undefined;
  /** True ranks of the pages, for policies that need them. */
  readonly ranks?: Float64Array | undefined;
  /** Scores from a file, for policies that need them. */
  readonly scores?: Float64Array | undefined;
  /** Facts about single hosts and pages of the network. */
  readonly fit?: NetworkFit | undefined;
  /** Default: `createQueue`, at the first entry. */
  readonly makeQueue?: QueueMaker | undefined;
  /** Whether queues log their operations, so that an exact checkpoint can repeat them. */
  readonly logsQueues?: boolean;
  readonly makeWorld?: WorldMaker | undefined;
  /** Folder for the files of queues of bounded memory. */
  readonly folder?: string | undefined;
  readonly onReceived?: CrewParts['onReceived'];
  /** Lets other work run; waits while the run is paused. */
  readonly breathe?: (() => Promise<void>) | undefined;
  readonly changesIn?: CrewParts['changesIn'];
  readonly from?: ExactCheckpoint | undefined;
  /** The processors to make; all by default. */
  readonly ids?: readonly number[] | undefined;
}

export interface CrewAssembly extends CrewParts {
  readonly revive: (saved: readonly FrontierState[], nowUs: number) => Processor[];
  /** The Worlds of the processors as they are now, in their order. */
  readonly worlds: () => readonly SimulatedWorld[];
  /** Disposes of the queues. The assembler of a crawl calls it at the end, in any case. */
  dispose(): void;
}

export interface Assembly extends CrawlSetup, CrewAssembly {
  readonly transport: MemoryTransport;
}

const lazyQueue: QueueMaker = (options) => new LazyQueue(() => createQueue(options));

/** Makes the queues of the processors `ids`; `make` disposes of the earlier ones, as after a crash. */
function newQueues(
  { queue, seed }: SettledExperiment, ids: readonly number[],
  { folder, makeQueue = lazyQueue, logsQueues = false }: AssemblyParts,
) {
  let queues: PriorityQueue[] = [];
  const dispose = (): void => {
    for (const old of queues) old.dispose();
    queues = [];
  };
  const make = (): readonly PriorityQueue[] => {
    dispose();
    if (folder !== undefined) emptyScratchFolder(folder);
    for (const id of ids) {
      const place = folder === undefined ? {} : { path: join(folder, String(id)) };
      const newQueue = makeQueue({ ...queue, seed, ...place }, id);
      queues.push(logsQueues ? new LoggedQueue(newQueue) : newQueue);
    }
    return queues;
  };
  return { make, dispose };
}

/**
 * Makes the processors `ids` of a simulated crawl. It is the only place where a simulation chooses its World.
 * @throws InputError if policies cannot be composed as the experiment asks.
 */
export function assembleCrew(
  graph: WebGraph | GraphPart, experiment: SettledExperiment, processorOfHost: Uint32Array, ids: readonly number[],
  parts: AssemblyParts,
): CrewAssembly {
  const { makeWorld = (world: World) => world } = parts;
  const { seedPages } = experiment;
  const network = new Network(graph, experiment.network, experiment.seed, seedPages, parts.fit, processorOfHost);
  const { politenessUs } = frontierSettings(experiment);
  const processorOfPage = processorsOfPages(graph, processorOfHost);
  const ownerOf = (page: number): number => processorOfPage[page];
  const { make, dispose } = newQueues(experiment, ids, parts);
  let worlds = ids.map(() => new SimulatedWorld(network, politenessUs));
  const { from } = parts;
  if (from !== undefined) worlds.forEach((world, i) => { world.restore(from.worlds[ids[i]]); });
  const newProcessors = (saved?: readonly FrontierState[]): Processor[] => {
    const shared = {
      settings: experiment,
      policies: parts.policies ?? shippedPolicies,
      seedPages: seedPages.length,
      ranks: parts.ranks,
      scores: parts.scores,
      exchange: experiment,
      pageIndex: new PageIndex(graph.pages),
      ownerOf,
      onOutcome: parts.sinks.outcome,
      onChange: (change: Omit<Change, 'superstep'>) => { parts.sinks.changed(change); },
      breathe: parts.breathe ?? breathe,
    };
    const queues = make();
    return ids.map((id, i) =>
      newProcessor(shared, { id, world: makeWorld(worlds[i], id), queue: queues[i], saved: saved?.[i] }));
  };
  const revive: CrewAssembly['revive'] = (saved, nowUs) => {
    worlds = worlds.map((world) => new SimulatedWorld(network, politenessUs, nowUs, world));
    return newProcessors(saved);
  };
  try {
    const processors = newProcessors(from && ids.map((id) => from.processors[id].frontier));
    if (from !== undefined) {
      const linksOf = worlds[0].linksOf.bind(worlds[0]);
      processors.forEach((processor, i) => { processor.restoreExactly(from.processors[ids[i]], linksOf); });
    } else
      for (const page of seedPages) processors.find(({ options }) => options.id === ownerOf(page))?.frontier.seed(page);
    const { onReceived, changesIn } = parts;
    return { dispose, processors, revive, worlds: () => worlds, onReceived, changesIn };
  } catch (error) {
    dispose();
    throw error;
  }
}

/**
 * Puts the parts of a simulated crawl together, all processors of this machine in one crew.
 * @throws as assembleCrew.
 */
export function assemble(
  graph: WebGraph | GraphPart, experiment: SettledExperiment, processorOfHost: Uint32Array, parts: AssemblyParts,
): Assembly {
  const { ids = Array.from({ length: experiment.processors }, (_, id) => id) } = parts;
  const crew = assembleCrew(graph, experiment, processorOfHost, ids, parts);
  const joint = jointParts(experiment);
  const { from, sinks, breathe = joint.breathe } = parts;
  if (from !== undefined) joint.transport.restore(from.mail);
  const going = from && { beginUs: from.barrierUs, firstSuperstep: from.superstep };
  return { ...crew, ...joint, ...going, crews: [new LocalCrew(crew, from?.barrierUs)], sinks, breathe };
}

/** The parts that all crews of a simulated crawl share. */
export function jointParts(experiment: SettledExperiment): Pick<
  Assembly, 'transport' | 'recovery' | 'superstepUs' | 'maxPages' | 'maxUs' | 'breathe'
> {
  const { crashSeconds, restartSeconds } = experiment.network;
  return {
    transport: new MemoryTransport(experiment.processors, experiment),
    recovery: crashSeconds === 0 ? undefined : new Recovery({
      crashes: new Crashes(Math.round(1e6 * crashSeconds), experiment.seed),
      // Like a barrier it takes a microsecond at least, so that nothing after it has the time of what came before it.
      restartUs: Math.max(1, Math.round(1e6 * restartSeconds)),
      checkpointSupersteps: experiment.checkpointSupersteps,
    }),
    ...crawlLimits(experiment),
    breathe,
  };
}
