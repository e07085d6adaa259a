import { assert } from '../std/index.ts';
import type { FetchRequest, Outcome, OutcomeKind, World } from '../world/index.ts';
import { FluidLink } from './fluid-link.ts';
import type { Answer, HostTies, Network } from './network.ts';

/** A request as the network saw it. */
export type Visit = Readonly<Pick<Outcome, 'page' | 'kind' | 'startedAtUs' | 'finishedAtUs' | 'waitUs'>> & { readonly host: number };

/** What a World remembers of a host, to watch politeness on its own account. */
interface Host extends HostTies {
  /** When its last download ended; Infinity while one is open. */
  endedAtUs: number;
  /** How long it then asked to be left alone. */
  waitUs: number;
}

/** A request under way whose end depends on what else the processor downloads. */
interface Begun {
  readonly request: FetchRequest;
  readonly answer: Answer;
  readonly startedAtUs: number;
}

const noLinks = new Uint32Array(0);

/**
 * The World of one processor over a simulated network: a virtual clock that jumps from event to event. Answers at once.
 * It watches politeness on its own account: a request before its host's delay has passed, or the pause that the host asked this World
 * for, or while the host has a download open, is a breach, whatever the scheduler believed.
 */
export class SimulatedWorld implements World {
  nowUs: number;
  politenessBreaches = 0;
  readonly #network: Network;
  readonly #politenessUs: number;
  readonly #keepAliveUs: number;
  readonly #onVisit: ((visit: Visit) => void) | undefined;
  /** Outcomes whose time is known, by falling (finishedAtUs, sequence): the next is last. At most one a robot. */
  readonly #known: Outcome[] = [];
  /** Downloads whose end is not known yet; undefined where each keeps the rate that it began with. */
  readonly #link: FluidLink<Begun> | undefined;
  readonly #hosts = new Map<number, Host>();

  /**
   * @param before the World whose processor crashed: its downloads end where its clock stands, and its hosts remember them; the processor
   * has forgotten what they said.
   * @param onVisit told of each request when it has ended, in the order of the outcomes.
   */
  constructor(network: Network, politenessUs: number, nowUs = 0, before?: SimulatedWorld, onVisit?: (visit: Visit) => void) {
    this.#network = network;
    this.#politenessUs = politenessUs;
    this.#keepAliveUs = Math.round(1e6 * network.options.keepAliveSeconds);
    this.#onVisit = onVisit;
    if (network.options.bandwidthModel === 'fluid') this.#link = new FluidLink(network.processorBytesPerUs);
    this.nowUs = nowUs;
    if (before === undefined) return;
    before.#breakOff();
    for (const [host, { endedAtUs }] of before.#hosts) this.#hosts.set(host, newHost(Math.min(endedAtUs, before.nowUs)));
  }

  hostOf(page: number): number {
    return this.#network.hostOf(page);
  }

  start(request: FetchRequest): void {
    const id = this.hostOf(request.page);
    let host = this.#hosts.get(id);
    if (host === undefined) this.#hosts.set(id, (host = newHost(-Infinity)));
    if (host.endedAtUs + Math.max(this.#politenessUs, host.waitUs) > this.nowUs) this.politenessBreaches++;
    const answer = this.#network.answer(request, this.nowUs, host);
    host.endedAtUs = Infinity;
    host.isResolved = true;

    const beginsAtUs = this.nowUs + answer.beginsAfterUs;
    if (this.#link !== undefined && answer.bytes > 0) {
      this.#link.add({ request, answer, startedAtUs: this.nowUs }, beginsAtUs, answer.bytes, answer.bytesPerUs);
      return;
    }
    // An even share of the processor's bandwidth among the downloads open now, this one included.
    const bytesPerUs = Math.min(answer.bytesPerUs, this.#network.processorBytesPerUs / (this.#known.length + 1));
    this.#foresee(request, answer, this.nowUs, beginsAtUs + Math.round(answer.bytes / bytesPerUs));
  }

  next(untilUs: number): Outcome | undefined {
    if (this.#link !== undefined) this.#letFlow(this.#link, untilUs);
    const first = this.#known.at(-1);
    assert(first !== undefined || untilUs !== Infinity, 'waiting for ever with nothing in flight');
    if (first === undefined || first.finishedAtUs > untilUs) {
      this.nowUs = Math.max(this.nowUs, untilUs);
      return undefined;
    }
    this.#known.pop();
    this.nowUs = Math.max(this.nowUs, first.finishedAtUs);
    this.#end(first);
    return first;
  }

  /** What happens on the link until the first outcome, those of its own microsecond included. */
  #letFlow(link: FluidLink<Begun>, untilUs: number): void {
    for (;;) {
      const atUs = link.nextUs;
      if (atUs === Infinity || atUs > Math.min(untilUs, this.#known.at(-1)?.finishedAtUs ?? Infinity)) return;
      const begun = link.step();
      if (begun !== undefined) this.#foresee(begun.request, begun.answer, begun.startedAtUs, atUs);
    }
  }

  #foresee({ page, sequence }: FetchRequest, { kind, bytes, waitUs }: Answer, startedAtUs: number, finishedAtUs: number): void {
    const links = kind === 'fetched' ? this.#network.linksOf(page) : noLinks;
    let position = this.#known.length;
    for (; position > 0; position--) {
      const later = this.#known[position - 1];
      if (later.finishedAtUs > finishedAtUs || (later.finishedAtUs === finishedAtUs && later.sequence > sequence)) break;
    }
    this.#known.splice(position, 0, { page, sequence, kind, startedAtUs, finishedAtUs, bytes, waitUs, links });
  }

  /** The outcome is told: what it changes between processor and host. */
  #end(outcome: Outcome): void {
    const { page, kind, finishedAtUs, waitUs } = outcome;
    const host = this.#hosts.get(this.hostOf(page));
    assert(host !== undefined, 'a download ends on a host that it began on');
    host.endedAtUs = finishedAtUs;
    host.waitUs = waitUs;
    if (kind === 'robotsFetched') host.knowsRobotsTxt = true;
    if (kind === 'timeout' || kind === 'refused') host.connectedUntilUs = -Infinity;
    else if (kind !== 'robotsDenied') host.connectedUntilUs = finishedAtUs + this.#keepAliveUs;
    this.#onVisit?.({ page, host: this.hostOf(page), kind, startedAtUs: outcome.startedAtUs, finishedAtUs, waitUs });
  }

  /** The processor is gone: what it has open ends now, and was a visit all the same. */
  #breakOff(): void {
    if (this.#onVisit === undefined) return;
    const visit = (page: number, kind: OutcomeKind, startedAtUs: number, finishedAtUs: number): void =>
      this.#onVisit?.({ page, host: this.hostOf(page), kind, startedAtUs, finishedAtUs: Math.min(finishedAtUs, this.nowUs), waitUs: 0 });
    for (const { page, kind, startedAtUs, finishedAtUs } of this.#known) visit(page, kind, startedAtUs, finishedAtUs);
    for (const { request, answer, startedAtUs } of this.#link?.downloads ?? []) visit(request.page, answer.kind, startedAtUs, Infinity);
  }
}

function newHost(endedAtUs: number): Host {
  return { endedAtUs, waitUs: 0, isResolved: false, knowsRobotsTxt: false, connectedUntilUs: -Infinity };
}
