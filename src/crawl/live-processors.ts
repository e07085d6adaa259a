import { frontierSettings, newProcessor, snapshots, type RunControl } from '../engine/index.ts';
import type { Change, Sinks } from '../events/index.ts';
import { LiveWorld, type CrawlStore, type LiveWeb, type UrlTable } from '../live/index.ts';
import type { PolicyRegistry } from '../policy/index.ts';
import { createQueue, LazyQueue } from '../queue/index.ts';
import type { Processor } from '../scheduler/index.ts';
import { PageIndex } from '../base/index.ts';
import type { CrawlCheckpoint } from './checkpoint/checkpoint.ts';
import type { owners } from './known-pages.ts';
import type { LiveExperiment } from './live-crawl.ts';
import type { Closing } from './live-parts.ts';
import type { PageScores } from './page-scores.ts';
import { restsSince, withRests } from './checkpoint/rests.ts';

export interface LiveProcessorParts {
  readonly settings: LiveExperiment;
  readonly policies: PolicyRegistry;
  readonly store: CrawlStore;
  readonly urls: UrlTable;
  readonly web: LiveWeb;
  readonly ownerOf: ReturnType<typeof owners>;
  readonly sinks: Sinks;
  readonly scores: PageScores | undefined;
  /** The checkpoint to continue from. */
  readonly checkpoint: CrawlCheckpoint | undefined;
}

/** The processors of a live crawl over the live web, at its start or in the state of a checkpoint. */
export function liveProcessors(closing: Closing, parts: LiveProcessorParts): Processor[] {
  const { settings, policies, store, urls, web, ownerOf, sinks, scores, checkpoint } = parts;
  const { politenessUs } = frontierSettings(settings);
  const { seedPages } = settings;
  const beginUs = checkpoint?.barrierUs ?? 0;
  const rests = checkpoint && restsSince(store, urls, beginUs, politenessUs, web.rests());
  const shared = {
    settings, policies, seedPages: seedPages.length, ranks: scores?.values, scores: scores?.values,
    exchange: { exchange: 'bulk', exchangeBatch: 1 } as const, pageIndex: new PageIndex(), ownerOf: ownerOf.page,
    onOutcome: sinks.outcome, onChange: (change: Omit<Change, 'superstep'>) => { sinks.changed(change); },
  };
  const processors = Array.from({ length: settings.processors }, (_, id) => {
    const saved =
      checkpoint &&
      rests &&
      withRests(checkpoint.processors[id], rests, (host) => ownerOf.host(host) === id, beginUs);
    const queue = new LazyQueue(() => createQueue({ ...settings.queue, seed: settings.seed }));
    closing.add({ close: () => { queue.dispose(); } });
    return newProcessor(shared, { id, world: new LiveWorld(web, politenessUs, beginUs), queue, saved });
  });
  if (checkpoint === undefined) for (const page of seedPages) processors[ownerOf.page(page)].frontier.seed(page);
  return processors;
}

/** Ends a crawl before its limits: nothing more is started, on all processors at once. */
export class Ending {
  readonly #controller = new AbortController();
  readonly #processors: readonly Processor[];

  /** @param asked when it aborts, the crawl ends; `closing` stops listening to it. */
  constructor(closing: Closing, processors: readonly Processor[], asked: AbortSignal | undefined) {
    this.#processors = processors;
    const end = (): void => { this.end(); };
    if (asked?.aborted === true) end();
    asked?.addEventListener('abort', end);
    closing.add({ close: () => asked?.removeEventListener('abort', end) });
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
