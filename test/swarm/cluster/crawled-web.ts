import type { WebGraph } from '../../../src/graphs/graph/index.ts';
import type { Outcome } from '../../../src/core/world/index.ts';
import { DrawStream } from '../../../src/base/index.ts';
import type { Machine } from './machines.ts';
import type { Surroundings } from './supervised.ts';

export interface WebSettings {
  readonly delayMs: number;
  readonly latencyMs: number;
  readonly errorShare: number;
  readonly missingShare: number;
  /** The most by which a process's clock may be fast. */
  readonly drift: number;
}

/** How a try of a page ends. */
export type Answered = Pick<Outcome, 'kind' | 'bytes' | 'waitUs' | 'links'>;

interface Request {
  readonly machine: Machine;
  readonly endsMs: number;
}

const none = new Uint32Array(0);

/** The hosts of a case, which note who asks them for what, and when. */
export class CrawledWeb {
  readonly graph: WebGraph;
  /** Requests of what had been asked for before. */
  repeats = 0;
  requests = 0;
  readonly #settings: WebSettings;
  readonly #answers: DrawStream;
  readonly #ofHost = new Map<number, Request>();
  readonly #ofDownload = new Map<string, Machine>();
  /** By slot: who has asked for anything, the last one last. */
  readonly #askers = new Map<number, Machine[]>();

  constructor(seed: number, graph: WebGraph, settings: WebSettings) {
    this.graph = graph;
    this.#settings = settings;
    this.#answers = new DrawStream(seed, 'cluster answers');
  }

  hostOf(page: number): number {
    return this.graph.hosts.ofPage[page];
  }

  urlOf(page: number): string {
    return `https://${this.graph.hosts.names.at(this.hostOf(page))}/${page}`;
  }

  pageAt(url: string): number {
    return Number(new URL(url).pathname.slice(1));
  }

  /** How a try of a page ends: the same whoever asks, and whenever. */
  answerOf(page: number, attempt: number): Answered {
    const { errorShare, missingShare } = this.#settings;
    const kind = this.#answers.uniform(page, 3 * attempt) < errorShare ? 'serverError'
      : this.#answers.uniform(page, 1) < missingShare ? 'notFound' : 'fetched';
    const { outOffsets, outTargets } = this.graph;
    const links = kind === 'fetched' ? new Set(outTargets.subarray(outOffsets[page], outOffsets[page + 1])) : none;
    return { kind, bytes: 100, waitUs: 0, links: Uint32Array.from(links) };
  }

  /**
   * A process asks for a page; the answer reaches it if it is there then.
   * @param isStored whether the node's disk has the answer already.
   */
  async ask(
    { machine, time, server, broken }: Pick<Surroundings, 'machine' | 'time' | 'server' | 'broken'>,
    page: number, attempt: number, isStored: boolean,
  ): Promise<Answered> {
    const { latencyMs, delayMs, drift } = this.#settings;
    const host = this.hostOf(page);
    const who = `process ${machine.number} of node ${machine.slot}`;
    this.requests++;
    if (server.hasRunOut(machine)) broken(`${who} asks for page ${page} though its lease has run out`);

    const last = this.#ofHost.get(host);
    // A process that is killed takes its connections with it.
    const freeMs = last === undefined ? -Infinity : Math.min(last.endsMs, last.machine.diedMs);
    const restMs = time.nowMs - freeMs;
    if (last !== undefined && restMs < delayMs / (1 + drift) - 0.01)
      broken(`${who} asks host ${host} ${restMs.toFixed(3)} ms after process ${last.machine.number}, not ${delayMs}`);
    const latency = latencyMs * (0.5 + this.#answers.uniform(page, 3 * attempt + 2));
    this.#ofHost.set(host, { machine, endsMs: time.nowMs + latency });

    const askers = this.#askers.get(machine.slot) ?? [];
    if (askers.includes(machine) && askers.at(-1) !== machine)
      broken(`${who} asks for pages though process ${askers.at(-1)?.number} has begun to`);
    if (!askers.includes(machine)) this.#askers.set(machine.slot, [...askers, machine]);

    const download = `${page} for the ${attempt + 1}th time`;
    const before = this.#ofDownload.get(download);
    if (before !== undefined) this.repeats++;
    if (before === machine) broken(`${who} asks for page ${download} twice`);
    if (before !== undefined && before.slot !== machine.slot)
      broken(`nodes ${before.slot} and ${machine.slot} ask for page ${page}`);
    if (isStored) broken(`${who} asks for page ${download}, though that is stored`);
    this.#ofDownload.set(download, machine);
    return new Promise((resolve) => {
      time.after(latency, () => { machine.reach(() => { resolve(this.answerOf(page, attempt)); }); });
    });
  }

  /** The pages that a crawl to its end fetches. */
  reachable(seedPages: readonly number[], retries: number): Set<number> {
    const known = new Set(seedPages);
    const fetched = new Set<number>();
    for (const page of known) {
      const tries = Array.from({ length: retries + 1 }, (_, attempt) => this.answerOf(page, attempt));
      const end = tries.find(({ kind }) => kind !== 'serverError');
      if (end?.kind !== 'fetched') continue;
      fetched.add(page);
      for (const link of end.links) known.add(link);
    }
    return fetched;
  }
}
