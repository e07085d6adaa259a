import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  ConsistentHashing, hostHash, jumpHash, largestProcessingTime, MemoryTransport, registrableDomain,
} from '../bsp/index.ts';
import {
  computedOnce, defaultSeeds, prepare, reach, type PreparedGraph, type Reach, type WebGraph,
} from '../graph/index.ts';
import { Recorder } from '../measure/index.ts';
import { createQueue, leastQueueMemoryBytes, type PriorityQueue, type QueueOptions } from '../queue/index.ts';
import { shippedPolicies, type PolicyInput, type PolicyRegistry } from '../policy/index.ts';
import { Processor, type ProcessorState } from '../scheduler/index.ts';
import { Crashes, Network, SimulatedWorld, type Visit } from '../simulation/index.ts';
import { InputError, PageIndex } from '../base/index.ts';
import type { World } from '../world/index.ts';
import type { CrewParts } from './crew.ts';
import type { CrawlSetup } from './loop.ts';
import {
  largestBlock, type CrawlSettings, type Experiment, type SettledCrawl, type SettledExperiment, type SimulationSettings,
} from '../settings/index.ts';
import { emptyScratchFolder } from './scratch-folder.ts';

/**
 * Seed pages of an experiment on a graph, and what they reach. Throws InputError for a page that the graph does not
 * have.
 */
export function settleSeeds(
  given: WebGraph | PreparedGraph, experiment: Pick<SimulationSettings, 'seedPages'>,
): Reach & { seedPages: number[] } {
  const prepared = prepare(given);
  const { graph } = prepared;
  const seedPages = experiment.seedPages ?? [...defaultSeeds(graph).seeds];
  const seen = new Set<number>();
  for (const page of seedPages) {
    if (page >= graph.pages) {
      throw new InputError(`seed page ${page} does not exist: ${graph.name} has pages 0 to ${graph.pages - 1}`);
    }
    if (seen.has(page)) throw new InputError(`seed page ${page} is named twice`);
    seen.add(page);
  }
  return { ...reach(prepared, seedPages), seedPages };
}

/** The settings of a crawl that follow from others. */
export function settleCrawl<S extends CrawlSettings>(settings: S): S & SettledCrawl {
  const { superstepLimit, queue, pending } = settings;
  const block = queue.block ?? Math.min(superstepLimit, largestBlock);
  return { ...settings, pending: pending ?? 4 * superstepLimit, queue: { ...queue, block } };
}

/**
 * The settings of an experiment that follow from others. Throws InputError where the queues' memory is too little for
 * the blocks that follow.
 */
export function settle(experiment: Experiment, superstepLimit: number, seedPages: number[]): SettledExperiment {
  const settled = settleCrawl({ ...experiment, superstepLimit });
  const queue = { ...experiment.queue, block: settled.queue.block };
  checkQueueMemory(queue);
  return { ...settled, queue, seedPages };
}

function checkQueueMemory({ kind, block, slices, memoryBytes }: SettledExperiment['queue']): void {
  if (memoryBytes === 0 || kind === 'binary-heap') return;
  const least = leastQueueMemoryBytes({ kind, block, slices });
  if (memoryBytes >= least) return;
  const blocks = kind === 'cbt' ? ` with blocks of ${Math.ceil(block / slices)} keys` : '';
  throw new InputError(
    `queue memory of ${memoryBytes} bytes (--queue-memory): too little for a ${kind}${blocks} in ${slices} ${slices === 1 ? 'slice' : 'slices'}; ` +
      `must be at least ${least}, or 0 for queues in memory`,
  );
}

type PartitionSettings = Pick<CrawlSettings, 'partition' | 'partitionPoints' | 'processors'>;

/**
 * Processor of each host. `lpt` knows from `reachable` what only a previous crawl could tell. Synthetic hosts have no
 * domains: for `domain` each is its own. A PreparedGraph holds the last answer: the runs of a study mostly share it,
 * and so do the trials of a tuning.
 */
export const partitionHosts = computedOnce(
  'partition', partitioned, ([a, itsReach], [b, otherReach]) =>
    a.partition === b.partition && a.partitionPoints === b.partitionPoints && a.processors === b.processors &&
    itsReach === otherReach,
);

function partitioned(
  { graph: { hosts } }: PreparedGraph, settings: PartitionSettings, reachable: Uint8Array,
): Uint32Array {
  if (settings.partition === 'lpt') {
    const weights = new Uint32Array(hosts.count);
    reachable.forEach((one, page) => (weights[hosts.ofPage[page]] += one));
    return largestProcessingTime(weights, settings.processors);
  }
  const processorOf = processorByName(settings, hosts.synthetic);
  return Uint32Array.from({ length: hosts.count }, (_, host) => processorOf(hosts.names.at(host)));
}

/**
 * Processor of a host by its name, for every partition that needs no more. Synthetic hosts have no domains: for
 * `domain` each is its own.
 * @throws InputError for `lpt`.
 */
export function processorByName(
  { partition, partitionPoints, processors }: PartitionSettings, areSynthetic = false,
): (hostName: string) => number {
  switch (partition) {
    case 'host-hash':
      return (name) => hostHash(name, processors);
    case 'consistent': {
      const circle = new ConsistentHashing(processors, partitionPoints);
      return (name) => circle.processorOf(name);
    }
    case 'jump':
      return (name) => jumpHash(name, processors);
    case 'domain':
      return (name) => hostHash(areSynthetic ? name : registrableDomain(name), processors);
    case 'lpt':
      throw new InputError(
        'partition lpt: needs the pages of each host beforehand, which a crawl of hosts not known yet has not',
      );
  }
}

const us = (ms: number): number => Math.round(1000 * ms);

export interface CrewAssembly extends CrewParts {
  /** Gives back what the processors' queues hold. Whoever assembled a crawl calls it at its end, however that came. */
  dispose(): void;
}

export interface Assembly extends CrawlSetup, CrewAssembly {
  readonly politenessUs: number;
}

/** What each processor needs to know of the settings of its crawl. */
export function processorSettings(settings: SettledCrawl) {
  const { robots, superstepLimit, pending, reinsert, retries } = settings;
  return {
    robots, superstepLimit, pending, reinsert, retries,
    politenessUs: us(settings.politenessMs),
    backoffUs: us(settings.backoffMs),
    backoffMostUs: us(settings.backoffMostMs),
  };
}

/** What policies are made of. */
export function policyContext(settings: SettledCrawl, processor: number, seedPages: number): PolicyInput {
  const { processors, seed, pending, reinsert, policyOptions } = settings;
  return { processor, processors, seed, seedPages, pending, reinsert, options: policyOptions };
}

/**
 * Makes the queue of a processor. What it makes must keep the contract of PriorityQueue: then it changes no crawl.
 * Disposed of with the crawl.
 */
export type QueueMaker = (options: QueueOptions, processor: number) => PriorityQueue;

/**
 * Puts something before the World of a processor: it may watch, and trouble the answers, as long as the contract of
 * World holds.
 */
export type WorldMaker = (world: World, processor: number) => World;

/** Told of each request that a processor made, when it has ended: the network's own log. */
export type VisitLog = (processor: number, visit: Visit) => void;

/** What a crawl is made of besides graph, experiment and partition. */
export interface AssemblyParts {
  /** True ranks of the pages, for policies that need them. */
  readonly ranks?: Float64Array | undefined;
  /** Given scores, for policies that need them. */
  readonly scores?: Float64Array | undefined;
  /** Policies to choose from; those that come with Orbweaver where nothing else is said. */
  readonly policies?: PolicyRegistry | undefined;
  /** `createQueue` where nothing else is asked for. */
  readonly queueOf?: QueueMaker | undefined;
  /** Where queues of bounded memory make their files. */
  readonly folder?: string | undefined;
  readonly worldOf?: WorldMaker | undefined;
  readonly onVisit?: VisitLog | undefined;
}

/** A table of its own, so that whoever asks page by page reads two bytes and not two tables. */
function processorsOfPages({ pages, hosts: { ofPage } }: WebGraph, processorOfHost: Uint32Array): Uint16Array {
  const processorOfPage = new Uint16Array(pages);
  for (let page = 0; page < pages; page++) processorOfPage[page] = processorOfHost[ofPage[page]];
  return processorOfPage;
}

/**
 * Makes the processors `ids` of a simulated crawl, a crew. It is the only place where a simulation chooses its World.
 * @throws InputError where policies cannot be composed as the experiment asks.
 */
export function assembleCrew(
  graph: WebGraph, experiment: SettledExperiment, processorOfHost: Uint32Array, ids: readonly number[],
  parts: AssemblyParts,
): CrewAssembly {
  const {
    ranks, scores, policies = shippedPolicies, queueOf = createQueue, folder, worldOf = (world: World) => world,
    onVisit,
  } = parts;
  const { seed, seedPages } = experiment;
  const network = new Network(graph, experiment.network, seed, seedPages);
  const politenessUs = us(experiment.politenessMs);
  const recorder = new Recorder(experiment.processors);
  const processorOfPage = processorsOfPages(graph, processorOfHost);
  const ownerOf = (page: number): number => processorOfPage[page];
  const queues: PriorityQueue[] = [];
  let pageIndex = new PageIndex(graph.pages);
  const dispose = (): void => { for (const queue of queues) queue.dispose(); };
  const newQueues = (): void => {
    dispose();
    queues.length = 0;
    if (folder !== undefined) emptyScratchFolder(folder);
    for (const id of ids) {
      queues.push(
        queueOf({ ...experiment.queue, seed, ...(folder !== undefined && { path: join(folder, String(id)) }) }, id),
      );
    }
  };
  const newProcessor = (world: SimulatedWorld, i: number, saved?: ProcessorState): Processor =>
    new Processor(
      {
        id: ids[i],
        ...processorSettings(experiment),
        exchange: experiment,
        world: worldOf(world, ids[i]),
        queue: queues[i],
        policy: policies.make(
          experiment.policy, { ...policyContext(experiment, ids[i], seedPages.length), ranks, scores }, saved?.policy,
        ),
        pageIndex,
        ownerOf,
        onOutcome: (processor, outcome) => recorder.outcome(processor, outcome),
        breathe,
      },
      saved,
    );
  const newWorld = (id: number, nowUs?: number, before?: SimulatedWorld): SimulatedWorld =>
    new SimulatedWorld(network, politenessUs, nowUs, before, onVisit && ((visit) => onVisit(id, visit)));
  let worlds = ids.map((id) => newWorld(id));
  let processors: Processor[];
  try {
    newQueues();
    processors = worlds.map((world, i) => newProcessor(world, i));
  } catch (error) {
    dispose();
    throw error;
  }
  for (const page of seedPages) processors.find(({ options }) => options.id === ownerOf(page))?.seed(page);
  const revive: CrewParts['revive'] = ({ processors: saved }, nowUs) => {
    newQueues();
    pageIndex = new PageIndex(graph.pages);
    worlds = worlds.map((world, i) => newWorld(ids[i], nowUs, world));
    return worlds.map((world, i) => newProcessor(world, i, saved[i]));
  };
  return { dispose, processors, recorder, revive };
}

const breathe = (): Promise<void> => setImmediate();

/**
 * Puts the parts of a simulated crawl together.
 * @param ids the processors of the loop's own crew: all, unless other crews have the rest.
 * @throws as assembleCrew.
 */
export function assemble(
  graph: WebGraph, experiment: SettledExperiment, processorOfHost: Uint32Array, parts: AssemblyParts,
  ids: readonly number[] = Array.from({ length: experiment.processors }, (_, id) => id),
): Assembly {
  return {
    ...assembleCrew(graph, experiment, processorOfHost, ids, parts),
    transport: new MemoryTransport(experiment.processors, experiment),
    politenessUs: us(experiment.politenessMs),
    crashes: new Crashes(Math.round(1e6 * experiment.network.crashSeconds), experiment.seed),
    restartUs: Math.round(1e6 * experiment.network.restartSeconds),
    checkpointSupersteps: experiment.checkpointSupersteps,
    superstepUs: experiment.superstepMs === 0 ? Infinity : us(experiment.superstepMs),
    maxPages: experiment.maxPages ?? Infinity,
    maxUs: experiment.maxSeconds === undefined ? Infinity : Math.round(1e6 * experiment.maxSeconds),
    breathe,
  };
}
