import { WorldError } from '../../../base/index.ts';
import { allowAll, type RobotsRules } from '../../../base/web/index.ts';
import type { OpenDownloads } from '../fetch/open-downloads.ts';
import type { LiveWebParts } from '../live-web-parts.ts';
import type { PageDenials } from '../live-world.ts';
import type { Replay } from '../store/replay.ts';
import type { RobotsCache } from './robots-cache.ts';

export interface DenialParts extends Pick<LiveWebParts, 'clock' | 'urls' | 'store' | 'log'> {
  readonly robots: RobotsCache;
  readonly open: Pick<OpenDownloads, 'has' | 'isOver'>;
  /** What happened since the checkpoint that the session went on from, if any of it is left. */
  readonly replay: () => Replay | undefined;
}

type Asking = Parameters<PageDenials['deny']>[1];

interface Refusal {
  readonly reason: string;
  readonly rules: RobotsRules;
}

/**
 * Questions about links are asked at once, as pages are found, and a hostile robots.txt makes each of them take 5 ms.
 * So they have a tenth of the time: so many steps for each microsecond that passes, and at most so many at once, some
 * 50 ms. A link that nobody has asked about is queued, and costs its host's delay if it is denied.
 */
const stepsPerUs = 16;
const maxSteps = 8_000_000;

const atOnce = Promise.resolve();

/**
 * Pages that known rules of robots.txt deny: nobody is asked for them, and each is noted like a download.
 *
 * A session that replays an earlier one denies a page when that did, though the rules are known by now.
 */
export class Denials implements PageDenials {
  /** Fulfilled when everything denied so far is stored, or cannot be. */
  stored: Promise<unknown> = Promise.resolve();
  readonly #parts: DenialParts;
  #stepsLeft = maxSteps;
  #askedUs = 0;

  constructor(parts: DenialParts) {
    this.#parts = parts;
  }

  /** Whether rules that are known deny a page; they may still decide about another one. */
  denies(page: number, { processor, nowUs }: Asking): boolean {
    const { open, urls, store } = this.#parts;
    const replay = this.#parts.replay();
    const areKnown = replay?.readsRulesAfter(urls.hostOf(page), nowUs) !== true;
    const then = replay?.peek(processor, page);
    if (then !== undefined) return then.kind === 'robotsDenied' && (areKnown || then.startedAtUs <= nowUs);
    if (!areKnown || open.has(page) || !this.#hasSteps) return false;
    return this.#refusalOf(page) !== undefined && store.visit(page) === undefined;
  }

  /**
   * Denies a page. Resolves when that is stored; undefined if no rule denies it any more.
   * @throws WorldError if the crawl has ended.
   */
  deny(page: number, { processor, nowUs }: Asking): Promise<void> | undefined {
    const { open } = this.#parts;
    const replay = this.#parts.replay();
    const then = replay?.peek(processor, page);
    if (then !== undefined) return then.kind === 'robotsDenied' && replay?.take(processor, page) ? atOnce : undefined;
    if (open.isOver) throw new WorldError('the crawl has ended');
    const refusal = this.#refusalOf(page);
    if (refusal === undefined) return undefined;
    const noted = this.#note(page, { processor, nowUs }, refusal);
    // Notes are stored in their order.
    this.stored = noted.catch(() => undefined);
    return noted;
  }

  async #note(page: number, { processor, nowUs }: Asking, { reason, rules }: Refusal): Promise<void> {
    const { clock, store, urls, log } = this.#parts;
    await store.note({
      firstPage: urls.count, pages: [],
      outcome: {
        processor, page, kind: 'robotsDenied', bytes: 0, waitUs: 0, startedAtUs: nowUs, finishedAtUs: nowUs,
      },
    });
    log.add({
      atMs: clock.wallMs, url: urls.urlOf(page), kind: 'robotsDenied', status: 0, bytes: 0, type: '',
      depth: urls.depthOf(page), reason, digest: '', times: undefined, pauseUs: rules.crawlDelayUs,
    });
  }

  #refusalOf(page: number): Refusal | undefined {
    const { urls, robots, clock } = this.#parts;
    // A canonical URL, which is read faster than parsed: there are as many as links.
    const url = urls.urlOf(page);
    const pathAt = url.indexOf('/', url.indexOf('//') + 2);
    const rules = robots.peek(url.slice(0, pathAt), clock.wallMs);
    if (rules === undefined || rules === allowAll) return undefined;
    const queryAt = url.indexOf('?', pathAt);
    const pathEnd = queryAt < 0 ? url.length : queryAt;
    const { refusal, steps } = rules.judge({ pathname: url.slice(pathAt, pathEnd), search: url.slice(pathEnd) });
    this.#stepsLeft -= steps;
    return refusal === undefined ? undefined : { reason: refusal, rules };
  }

  get #hasSteps(): boolean {
    const { nowUs } = this.#parts.clock;
    this.#stepsLeft = Math.min(maxSteps, this.#stepsLeft + stepsPerUs * (nowUs - this.#askedUs));
    this.#askedUs = nowUs;
    return this.#stepsLeft > 0;
  }
}
