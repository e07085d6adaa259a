import { frontierSettings, newProcessor, snapshots, type RunControl } from '../../../core/engine/index.ts';
import type { Change, Sinks } from '../../../core/events/index.ts';
import { LiveWorld } from '../../../core/live/index.ts';
import type { PolicyRegistry } from '../../../core/policy/index.ts';
import { createQueue, LazyQueue } from '../../../core/queue/index.ts';
import type { Processor } from '../../../core/scheduler/index.ts';
import { assert, PageIndex } from '../../../base/index.ts';
import type { CrawlCheckpoint } from '../checkpoint/checkpoint.ts';
import { withRests } from '../checkpoint/rests.ts';
import type { Closing } from './live-parts.ts';
import type { OpenedCrawl } from './opened-crawl.ts';

export interface LiveProcessorParts
  extends Pick<OpenedCrawl, 'settings' | 'ids' | 'store' | 'web' | 'ownerOf' | 'scores'> {
  readonly policies: PolicyRegistry;
  readonly sinks: Sinks;
  readonly checkpoint: CrawlCheckpoint | undefined;
  /** Whether anything has happened since it, which is replayed: then hosts rest as they did. */
  readonly isReplayed: boolean;
}

export interface LiveProcessors {
  readonly processors: readonly Processor[];
  readonly worlds: readonly LiveWorld[];
}

/** Pages that a processor remembers to have sent. */
const maxSentPages = 2 ** 20;
const noLinks = new Uint32Array(0);

/** The processors of a live crawl over the live web, at its start or in the state of a checkpoint. */
export function liveProcessors(closing: Closing, parts: LiveProcessorParts): LiveProcessors {
  const { settings, policies, ids, store, web, ownerOf, sinks, scores, checkpoint, isReplayed } = parts;
  const { politenessUs } = frontierSettings(settings);
  const { seedPages } = settings;
  const beginUs = checkpoint?.barrierUs ?? 0;
  const rests = web.rests();
  const shared = {
    settings, policies, seedPages: seedPages.length, ranks: scores?.values, scores: scores?.values,
    exchange: { exchange: 'bulk', exchangeBatch: 1, maxSentPages } as const, pageIndex: new PageIndex(),
    ownerOf: ownerOf.page, onOutcome: sinks.outcome,
    onChange: (change: Omit<Change, 'superstep'>) => { sinks.changed(change); },
  };
  const worlds: LiveWorld[] = [];
  assert((checkpoint?.processors ?? ids).length === ids.length, 'a checkpoint has all processors of this machine');
  const processors = ids.map((id) => {
    const saved = checkpoint?.processors.find((processor) => processor.id === id);
    const isOwn = (host: number): boolean => ownerOf.host(host) === id;
    const state = isReplayed || saved === undefined
      ? saved?.frontier : withRests(saved.frontier, rests, isOwn, beginUs);
    const queue = new LazyQueue(() => createQueue({ ...settings.queue, seed: settings.seed }));
    closing.add({ close: () => { queue.dispose(); } });
    const world = new LiveWorld({ web, processor: id, politenessUs, nowUs: beginUs, open: saved?.downloads });
    worlds.push(world);
    const processor = newProcessor(shared, { id, world, queue, saved: state });
    if (saved !== undefined) {
      // What a control has changed ends with the session that it was in, but for the delays of hosts.
      processor.restoreExactly({ ...saved, robots: settings.robots, isPaused: false }, ({ page, kind }) => (
        kind === 'fetched' ? store.visit(page)?.links ?? noLinks : noLinks
      ));
    }
    return processor;
  });
  if (checkpoint !== undefined) return { processors, worlds };
  for (const page of seedPages)
    processors.find(({ options }) => options.id === ownerOf.page(page))?.frontier.seed(page);
  return { processors, worlds };
}

/** Ends a crawl before its limits: nothing more is started, on all processors at once. */
export class Ending {
  readonly #controller = new AbortController();
  readonly #processors: readonly Processor[];

  /** @param request when it aborts, the crawl ends; `closing` stops listening to it. */
  constructor(closing: Closing, processors: readonly Processor[], request: AbortSignal | undefined) {
    this.#processors = processors;
    const end = (): void => { this.end(); };
    if (request?.aborted === true) end();
    request?.addEventListener('abort', end);
    closing.add({ close: () => request?.removeEventListener('abort', end) });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Lets `control` inspect the crawl, and change it. A pause is a change of each processor: the clock continues. */
  attach(control: RunControl | undefined, sinks: Sinks): void {
    const processors = this.#processors;
    control?.attach({
      processors: processors.length,
      pause: (isPaused) => {
        for (const processor of processors) processor.steer({ setting: 'paused', value: isPaused ? 1 : 0 });
      },
      steer: (processor, change) => { processors[processor].steer(change); },
      stop: () => {
        sinks.changed({ processor: 0, observed: 0, setting: 'stop', value: 1 });
        this.end();
      },
      inspect: () => snapshots(processors),
    });
  }

  end(): void {
    this.#controller.abort();
    for (const processor of this.#processors) processor.stop();
  }
}
