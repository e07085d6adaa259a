import { createHash, randomUUID } from 'node:crypto';
import { join as pathOf } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  countedCrew, LiveNode, settingsByName, systemClock, type Agreement, type CountedCrew, type Identity, type LiveEpoch,
  type NodeState, type NodeStore,
} from '../../cluster/index.ts';
import { crawlLimits } from '../../../core/engine/index.ts';
import type { CrawlStore } from '../../../core/live/index.ts';
import { assert, packageVersion, WorldError } from '../../../base/index.ts';
import { decodeCheckpoint, type CrawlCheckpoint } from '../checkpoint/checkpoint.ts';
import type { LiveCrawlOptions, LiveResult, StoredCrawl } from '../live-crawl.ts';
import { Closing } from '../session/live-parts.ts';
import { latestUs, openCrawl, type OpenedCrawl } from '../session/opened-crawl.ts';
import { atItsEnd } from '../session/session.ts';
import { GRACE_MS, resultOfRun, runFrom, type EndedRun, type SharedRun } from '../session/run.ts';
import { forgetEnd, storedEnd, storeEnd, type StoredEnd } from '../session/stored-end.ts';
import { fallingBehind } from './falling-behind.ts';
import { longestDelayMs, type NodeOptions } from './node-options.ts';

/** Names of marks in the store: the highest epoch, and the ids of all nodes' folders. */
const EPOCH = 'epoch';
const PEERS = 'peers';

/**
 * Runs this node's part of a crawl to the end of the crawl, however often other nodes end and come back. What it opens
 * it closes; the store stays open.
 *
 * @throws RestartError if another process has taken the node's slot; InputError where the nodes' settings or folders do
 * not belong together; WorldError if the disk fails, or the node is interrupted.
 */
export async function runNode(
  folder: string, store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions, part: NodeOptions,
): Promise<LiveResult> {
  const session = new NodeSession(store, stored, options, part);
  const parts = new Closing();
  try {
    await session.enter();
    const opened = await openCrawl(parts, folder, store, stored, options, {
      node: part.node, nodes: part.nodes, permit: () => session.permit(),
    });
    return await session.run(opened);
  } finally {
    await session.leave();
    await parts.close();
  }
}

class NodeSession {
  readonly #store: CrawlStore;
  readonly #part: NodeOptions;
  readonly #options: LiveCrawlOptions;
  readonly #stored: StoredCrawl;
  readonly #identity: Identity;
  #node: LiveNode | undefined;
  /** The open parts of the epoch. */
  #parts = new Closing();
  /** Its own crew. */
  #counted: CountedCrew | undefined;
  #isInterrupted = false;
  readonly #interrupt = (): void => {
    this.#isInterrupted = true;
    this.#node?.end(this.#interruption());
  };

  constructor(store: CrawlStore, stored: StoredCrawl, options: LiveCrawlOptions, part: NodeOptions) {
    this.#store = store;
    this.#stored = stored;
    this.#options = options;
    this.#part = part;
    this.#identity = identityOf(stored, part.nodes, options);
  }

  #interruption(): WorldError {
    return new WorldError(
      `node ${this.#part.node} was interrupted; the others wait until it is started again, with --resume`,
    );
  }

  async enter(): Promise<void> {
    const { node, nodes, meeting, onIdle, clock = systemClock } = this.#part;
    await meeting.hold(this.#identity);
    const { signal } = this.#options;
    signal?.addEventListener('abort', this.#interrupt);
    this.#node = await LiveNode.enter({
      node, nodes, onIdle, clock, token: randomUUID(), slots: meeting.slots, connect: () => meeting.connect(),
      delayMs: longestDelayMs(this.#stored), store: this.#nodeStore,
      onWait: () => { if (signal?.aborted === true) throw this.#interruption(); },
    });
    meeting.show?.(() => this.#counted?.pages);
    if (signal?.aborted === true) this.#interrupt();
  }

  async permit(): Promise<void> {
    await this.#node?.permit();
  }

  async leave(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#interrupt);
    await this.#node?.leave();
  }

  /** Epoch by epoch, until the crawl has ended. */
  async run(opened: OpenedCrawl): Promise<LiveResult> {
    return this.#node!.run({
      run: async (agreement, epoch) => this.#run(agreement, epoch, opened), ended: async () => this.#again(opened),
      result: async (run) => resultOfRun(opened, run),
      letGo: async () => {
        if (this.#isInterrupted) await this.#downloadsEnd(opened);
        await opened.web.letGo();
        await setImmediate();
        await this.#parts.close();
        this.#parts = new Closing();
      },
    });
  }

  /** As when a crawl on one machine is interrupted: open downloads have some time to end, and are stored. */
  async #downloadsEnd({ web }: OpenedCrawl): Promise<void> {
    const { clock = systemClock } = this.#part;
    await Promise.race([web.whenIdle(), clock.sleep(this.#options.graceMs ?? GRACE_MS)]);
  }

  async #run({ checkpoint, clockUs }: Agreement, epoch: LiveEpoch, opened: OpenedCrawl): Promise<EndedRun> {
    opened.web.goOnAt(clockUs);
    this.#part.onAgreed?.(checkpoint ?? 0, epoch.number);
    const { settings, web, options } = opened;
    const behind = fallingBehind(
      crawlLimits(settings).superstepUs, () => web.clock.nowUs, (...facts) => this.#part.onBehind?.(...facts),
    );
    const watched = { ...opened, options: { ...options, sinks: [...options.sinks ?? [], behind] } };
    const run = await runFrom(this.#parts, watched, this.#checkpoint(checkpoint, opened), this.#shared(epoch, opened));
    const { session: { ended }, pagesOfAll } = run;
    await storeEnd(this.#store, this.#stored.experiment, { end: ended, where: 'here', pagesOfAll });
    return run;
  }

  #checkpoint(superstep: number | undefined, { folder }: OpenedCrawl): CrawlCheckpoint | undefined {
    if (superstep === undefined) return undefined;
    const saved = this.#store.checkpointOf(superstep);
    assert(saved !== undefined, () => `the nodes agreed on superstep ${superstep}, of which there is no checkpoint`);
    return decodeCheckpoint(saved, pathOf(folder, 'store'));
  }

  #shared(epoch: LiveEpoch, { settings: { processors }, urls, web }: OpenedCrawl): SharedRun {
    return {
      crews: async (crew, { worlds, checkpoints }) => {
        const counted = this.#counted = countedCrew(crew);
        return epoch.crews(counted, {
          processors, addresses: web.addresses, isDue: () => checkpoints.isDue,
          numbers: {
            numbered: async (pages) => web.numbered(pages),
            pageOf: (page) => ({
              url: urls.urlOf(page), depth: urls.depthOf(page), redirects: urls.redirectsOf(page),
              hops: urls.hopsOf(page),
            }),
          },
          onOver: (error) => { for (const world of worlds) world.fail(error); },
        });
      },
      isCheckpoint: (superstep) => epoch.isCheckpoint(superstep),
      beforeLast: async () => epoch.loopEnded(),
    };
  }

  /** The run that has ended, from its last checkpoint. */
  async #again(opened: OpenedCrawl): Promise<EndedRun> {
    const last = this.#checkpoint(this.#store.checkpoints().at(-1), opened);
    return runFrom(this.#parts, opened, last && atItsEnd(last), undefined, this.#end);
  }

  get #nodeStore(): NodeStore {
    const store = this.#store;
    return {
      epoch: Number(store.marked(EPOCH) ?? 0), storeEpoch: async (epoch) => store.mark(EPOCH, String(epoch)),
      state: () => this.#state(),
      goBackTo: async ({ checkpoint, peers }) => {
        if (store.marked(PEERS) === undefined) await store.mark(PEERS, JSON.stringify(peers));
        await forgetEnd(store);
        await store.goBackTo(checkpoint ?? -1);
      },
      storeEndOfAll: async () => {
        await storeEnd(store, this.#stored.experiment, { ...this.#end!, where: 'everywhere' });
      },
    };
  }

  #state(): NodeState {
    const store = this.#store;
    return {
      identity: this.#identity, id: this.#stored.cluster!.id,
      peers: JSON.parse(store.marked(PEERS) ?? '[]') as string[],
      checkpoints: store.checkpoints(), clockUs: latestUs(store), ended: this.#end?.where ?? 'nowhere',
    };
  }

  get #end(): StoredEnd | undefined {
    return storedEnd(this.#store, this.#stored.experiment);
  }
}

/** All that nodes must agree in, by name. */
function identityOf(
  { experiment, live, seeds }: StoredCrawl, nodes: number, { scores }: Pick<LiveCrawlOptions, 'scores'>,
): Identity {
  return {
    version: packageVersion(), nodes: String(nodes), ...settingsByName({ ...experiment, live, seeds }),
    ...(scores !== undefined && { scores: `sha256 ${digestOf(scores)}` }),
  };
}

function digestOf(scores: ReadonlyMap<string, number>): string {
  const hash = createHash('sha256');
  for (const [url, score] of scores) hash.update(`${url}\t${score}\n`);
  return hash.digest('hex').slice(0, 12);
}
