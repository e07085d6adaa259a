import type { Transport } from '../bsp/index.ts';
import { Invariants, type Processor } from '../scheduler/index.ts';
import type { Recorder, RunSummary } from '../measure/index.ts';

export interface CrawlSetup {
  readonly processors: readonly Processor[];
  readonly transport: Transport;
  readonly recorder: Recorder;
  /** Longest superstep, microseconds; Infinity for none. */
  readonly superstepUs: number;
  /** Pages to fetch, Infinity for all. */
  readonly maxPages: number;
  /** When to stop, microseconds since the run began; Infinity for never. */
  readonly maxUs: number;
  readonly observer?: CrawlObserver | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Lets other work run; awaited at every barrier. */
  readonly breathe: () => Promise<void>;
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
 */
export async function crawl(setup: CrawlSetup): Promise<RunSummary['ended']> {
  const { processors, transport, recorder, maxPages, maxUs, observer } = setup;
  const invariants = new Invariants(processors, transport);
  let barrierUs = 0;
  for (let superstep = 0; ; superstep++) {
    invariants.checkClocks();
    const shares = sharesOf(setup);
    for (const processor of processors) processor.receiveMessages(transport.receive(processor.options.id));
    observer?.superstepBegins?.(superstep);

    const endUs = Math.min(barrierUs + setup.superstepUs, maxUs);
    await Promise.all(processors.map((processor, i) => processor.run(endUs, shares[i])));
    for (const processor of processors) processor.sendMessages(transport);
    const barrier = await transport.sync(processors.map((processor) => processor.options.world.nowUs));
    await Promise.all(processors.map((processor) => processor.drain(barrier.barrierUs)));

    invariants.checkSuperstep(barrier);
    barrierUs = barrier.barrierUs;
    processors.forEach(({ counts }, processor) => {
      const pairs = { pairsSent: barrier.sent[processor], pairsReceived: barrier.received[processor] };
      recorder.rows.push({ superstep, processor, barrierUs, ...counts, ...pairs });
    });
    observer?.superstepEnded?.(superstep, barrierUs);
    await setup.breathe();

    if (processors.every((processor) => processor.isIdle && transport.waiting(processor.options.id) === 0)) return 'frontier dry';
    if (sum(processors, (processor) => processor.frontier.countOf('fetched')) >= maxPages) return 'page limit';
    if (barrierUs >= maxUs) return 'time limit';
    if (setup.signal?.aborted === true) return 'interrupted';
  }
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
