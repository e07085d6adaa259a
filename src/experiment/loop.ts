import { noTraffic, type Transport } from '../bsp/index.ts';
import { Invariants, type Processor, type ProcessorState } from '../scheduler/index.ts';
import type { Recorder, RecorderMark, RunSummary } from '../measure/index.ts';

export interface CrawlSetup {
  /** Those that the crawl begins with; others stand in their places after a crash. */
  readonly processors: Processor[];
  /** Where their clocks stand; 0 unless the crawl goes on from a checkpoint. */
  readonly beginUs?: number | undefined;
  readonly transport: Transport;
  readonly recorder: Recorder;
  /** Longest superstep, microseconds; Infinity for none. */
  readonly superstepUs: number;
  /** Pages to fetch, Infinity for all. */
  readonly maxPages: number;
  /** When to stop, microseconds since the run began; Infinity for never. */
  readonly maxUs: number;
  /** When processors crash. */
  readonly crashes: { nextUs(processor: number, sinceUs: number): number };
  /** From a crash until all processors go on from the last checkpoint. */
  readonly restartUs: number;
  /** Supersteps between checkpoints; 0 for one at the start alone. */
  readonly checkpointSupersteps: number;
  /** Makes the processors of a checkpoint anew, with their clocks at `nowUs`. */
  readonly revive: (checkpoint: Checkpoint, nowUs: number) => Processor[];
  readonly observer?: CrawlObserver | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Lets other work run; awaited at every barrier. */
  readonly breathe: () => Promise<void>;
}

/** All processors at one moment between receiveMessages and run, when no message is under way, and how far the record had come. */
export interface Checkpoint {
  readonly processors: readonly ProcessorState[];
  readonly mark: RecorderMark;
}

/** Watches a crawl from outside; it must not change it. */
export interface CrawlObserver {
  /** All messages are received and insertions made: the state from which the superstep's pages are chosen. */
  superstepBegins?(superstep: number): void;
  /** The superstep's barrier is passed. */
  superstepEnded?(superstep: number, barrierUs: number): void;
}

/**
 * The crawl: bulk-synchronous supersteps of receiveMessages, run, sendMessages, bspSync on every processor (Marin, Paredes &
 * Bonacic, WIDM 2008, section 2), until nothing is left or a limit is reached. Drives simulated and live Worlds alike: it
 * awaits what they promise and asks them nothing else.
 *
 * A processor that crashes never arrives at its barrier. Then all go back to their last checkpoint, as in Pregel (Malewicz et al., SIGMOD
 * 2010, section 4.2): what others did since rests on its messages.
 */
export async function crawl(setup: CrawlSetup): Promise<RunSummary['ended']> {
  const { processors, transport, recorder, maxPages, maxUs, observer } = setup;
  let barrierUs = setup.beginUs ?? 0;
  let invariants = new Invariants(processors, transport, barrierUs);
  let checkpoint: { readonly superstep: number; readonly saved: Checkpoint } | undefined;
  for (let superstep = 0; ; superstep++) {
    invariants.checkClocks();
    const shares = sharesOf(setup);
    for (const processor of processors) processor.receiveMessages(transport.receive(processor.options.id));
    const crash = nextCrash(setup, barrierUs);
    if (crash.atUs < Infinity && isCheckpointDue(setup, superstep, checkpoint?.superstep)) {
      checkpoint = { superstep, saved: { processors: processors.map((processor) => processor.save()), mark: recorder.mark(processors.map(({ counts }) => counts)) } };
    }
    observer?.superstepBegins?.(superstep);

    const endUs = Math.min(barrierUs + setup.superstepUs, maxUs);
    await Promise.all(processors.map((processor, i) => processor.run(i === crash.processor ? Math.min(endUs, crash.atUs) : endUs, shares[i])));
    const arrivedUs = processors.map((processor) => processor.options.world.nowUs);
    if (checkpoint !== undefined && crash.atUs <= Math.max(...arrivedUs)) {
      barrierUs = Math.max(...arrivedUs) + setup.restartUs;
      processors.forEach((processor, i) => recorder.superstep(superstep, i, barrierUs, processor.abandon(barrierUs), noTraffic));
      recorder.crashed(checkpoint.saved.mark, { superstep, ...crash, resumedUs: barrierUs });
      processors.splice(0, processors.length, ...setup.revive(checkpoint.saved, barrierUs));
      invariants = new Invariants(processors, transport, barrierUs);
    } else {
      for (const processor of processors) processor.sendMessages(transport);
      const barrier = await transport.sync(arrivedUs);
      await Promise.all(processors.map((processor) => processor.drain(barrier.barrierUs)));
      invariants.checkSuperstep(barrier);
      barrierUs = barrier.barrierUs;
      processors.forEach(({ counts }, i) => recorder.superstep(superstep, i, barrierUs, counts, barrier.traffic[i]));
    }
    observer?.superstepEnded?.(superstep, barrierUs);
    await setup.breathe();

    if (processors.every((processor) => processor.isIdle && transport.waiting(processor.options.id) === 0)) return 'frontier dry';
    if (sum(processors, (processor) => processor.frontier.countOf('fetched')) >= maxPages) return 'page limit';
    if (barrierUs >= maxUs) return 'time limit';
    if (setup.signal?.aborted === true) return 'interrupted';
  }
}

/** The first crash after `sinceUs`, and whose it is; ties to the lowest. */
function nextCrash({ processors, crashes }: CrawlSetup, sinceUs: number): { processor: number; atUs: number } {
  let first = { processor: -1, atUs: Infinity };
  for (let processor = 0; processor < processors.length; processor++) {
    const atUs = crashes.nextUs(processor, sinceUs);
    if (atUs < first.atUs) first = { processor, atUs };
  }
  return first;
}

function isCheckpointDue({ checkpointSupersteps }: CrawlSetup, superstep: number, last: number | undefined): boolean {
  return last === undefined || (checkpointSupersteps > 0 && superstep - last >= checkpointSupersteps);
}

/**
 * What each processor may start in the coming superstep: the pages left (neither fetched nor in flight), shared as evenly as
 * integers allow, the remainder to the lowest numbers, among the processors that have something queued, pending or received.
 */
function sharesOf({ processors, transport, maxPages }: CrawlSetup): number[] {
  if (maxPages === Infinity) return processors.map(() => Infinity);
  const left =
    maxPages - sum(processors, ({ frontier }) => frontier.countOf('fetched') + frontier.countOf('inFlight'));
  const able = processors.map((processor) => processor.hasWork || transport.waiting(processor.options.id) > 0);
  const sharers = able.filter(Boolean).length;
  let rank = 0;
  return able.map((isAble) => {
    if (!isAble) return 0;
    return Math.floor(left / sharers) + (rank++ < left % sharers ? 1 : 0);
  });
}

function sum(processors: readonly Processor[], of: (processor: Processor) => number): number {
  return processors.reduce((total, processor) => total + of(processor), 0);
}
