import { InputError, WorldError } from '../../../base/index.ts';
import type { Crew, SharedCrawl, SharedRun } from '../../../core/engine/index.ts';
import { idsOf, othersOf, readySeq, resultSeq, taken } from '../crews/nodes.ts';
import { OwnOutcomes, publishedCrew } from '../crews/published-crew.ts';
import { peerCrew } from '../crews/peer-crew.ts';
import { Log, type LogOptions } from '../log/log.ts';
import type { Streams } from '../log/streams.ts';
import { putStandings } from '../records/crew-records.ts';
import { encodeRecord } from '../records/record.ts';
import { checkNodeNumber } from '../slots/slots.ts';
import { countedCrew, type CountedCrew } from '../status/counted-crew.ts';
import type { NodePages } from '../status/node-card.ts';
import { digestOf, identityOf, type Identity } from './identity.ts';

export interface SharedSimulationOptions extends Pick<LogOptions, 'node' | 'nodes' | 'onIdle'> {
  /** Connects to the streams of the run. @param digest differs for runs that differ in anything. */
  readonly connect: (digest: string, identity: Identity) => Promise<Streams>;
  /** Aborted, the node ends as if it was killed: the others wait for it. */
  readonly signal?: AbortSignal | undefined;
}

/** Nobody is fenced off: whoever writes for a node writes the same. */
const epoch = 1;

/**
 * A simulation on several nodes, as one of them sees it. A node that ends, however it ends, and is started again
 * computes its part from the start, reads from the log what the others did, and finds its own records there. This needs
 * every record until the run has ended: the log is not trimmed. Two processes for one node do no harm, as they write
 * the same.
 */
export class SharedSimulation implements SharedCrawl {
  readonly sink: OwnOutcomes;
  readonly #options: SharedSimulationOptions;
  #log: Log | undefined;
  #own: CountedCrew | undefined;

  /** @throws InputError for a node that there is not. */
  constructor(options: SharedSimulationOptions) {
    const { node, nodes } = options;
    checkNodeNumber(options);
    this.#options = options;
    this.sink = new OwnOutcomes((processor) => processor % nodes === node);
  }

  idsOf(processors: number): readonly number[] {
    const { node, nodes } = this.#options;
    if (nodes > processors)
      throw new InputError(`${nodes} nodes: each needs a processor, and there are ${processors}`, { field: 'nodes' });
    return idsOf(node, nodes, processors);
  }

  async join(crew: Crew, { settings, graph, sinks, fetchedOf }: SharedRun): Promise<readonly Crew[]> {
    const { node, nodes, connect, onIdle, signal } = this.#options;
    const identity = identityOf({ settings, graph }, nodes);
    const log = new Log({ streams: await connect(digestOf(identity), identity), node, nodes, epoch, onIdle });
    this.#log = log;
    const interrupt = (): void => {
      log.fail(new WorldError(`node ${node} was interrupted; the others wait until it is started again`));
    };
    if (signal?.aborted === true) interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });

    const { processors } = settings;
    const places = { nodeOf: (processor: number) => processor % nodes, processors, pages: graph.pages.pages };
    await log.put(readySeq, encodeRecord('ready', (writer) => { putStandings(writer, crew.standings); }));
    const peers = await Promise.all(othersOf(log).map((other) => peerCrew({
      ids: idsOf(other, nodes, processors), log, sinks, fetchedOf, places: { ...places, sender: other, reader: node },
    })));
    const counted = this.#own = countedCrew(crew);
    return [...peers, publishedCrew(counted, { log, outcomes: this.sink, places })];
  }

  /** How far this node is; undefined before it has joined. */
  get pages(): NodePages | undefined {
    return this.#own?.pages;
  }

  /** Waits until all nodes have ended. @throws WorldError if one of them ended with another replay hash. */
  async ended(replayHash: string): Promise<void> {
    const log = this.#log;
    if (log === undefined) return;
    await log.put(resultSeq, encodeRecord('result', (writer) => { writer.text(replayHash); }));
    for (const other of othersOf(log)) {
      const theirs = await taken(log, other, resultSeq, 'result', (bytes) => bytes.text());
      if (theirs !== replayHash)
        throw new WorldError(`node ${other} ended with replay hash ${theirs}, this node with ${replayHash}`);
    }
  }

  close(): void {
    this.#log?.close();
  }
}
