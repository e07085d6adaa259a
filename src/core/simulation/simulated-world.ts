import { assert, LargeMap } from '../../base/index.ts';
import type {
  AddressRest, FetchRequest, HostTrouble, OpenDownload, Outcome, OutcomeKind, World,
} from '../world/index.ts';
import { FluidLink, type FluidLinkState } from './fluid-link.ts';
import type { Answer, HostTies, Network } from './network.ts';

/** A request as the network saw it; of kind `busy`, it saw none. */
export type Visit = Readonly<Pick<Outcome, 'page' | 'kind' | 'startedAtUs' | 'finishedAtUs' | 'waitUs'>> & {
  readonly host: number;
};

/** What a World remembers of a host, to check politeness independently. */
interface Host extends HostTies {
  /** When its last download ended; Infinity while one is open. */
  endedAtUs: number;
  /** How long it then asked not to be contacted. */
  waitUs: number;
}

/** What a World remembers of an address that hosts may share. */
interface Place {
  isOpen: boolean;
  readyAtUs: number;
}

/** When the bytes of a download begin to come in, and how long that takes if nothing but its host slows it down. */
interface Transfer {
  readonly beginsAtUs: number;
  readonly hostUs: number;
}

/** A request under way, as a copy; its links follow from its page. */
type SavedDownload =
  Readonly<
    Pick<
      Outcome,
      'page' | 'sequence' | 'kind' | 'bytes' | 'waitUs' | 'hostTrouble' | 'addressRest' | 'startedAtUs' | 'finishedAtUs'
    >
  > & Partial<Transfer>;

/** A World at one moment, exactly: it can be cloned. */
export interface SimulatedWorldState {
  readonly nowUs: number;
  readonly hosts: readonly (readonly [id: number, host: Host])[];
  /** Earlier versions had none. */
  readonly addresses?: readonly (readonly [name: string, place: Place])[] | undefined;
  /** As the World has them. */
  readonly known: readonly SavedDownload[];
  /** Undefined where each download keeps the rate that it began with. */
  readonly link: FluidLinkState<SavedDownload> | undefined;
}

const noLinks = new Uint32Array(0);

/**
 * A request and its outcome. A class rather than a literal: V8 pretenures long-lived literals into old space, where
 * they are expensive to collect.
 */
class Download implements Outcome {
  readonly page: number;
  readonly sequence: number;
  readonly kind: OutcomeKind;
  readonly startedAtUs: number;
  /** Infinity while it depends on the processor's other downloads. */
  finishedAtUs = Infinity;
  readonly bytes: number;
  readonly waitUs: number;
  readonly hostTrouble: HostTrouble | undefined;
  readonly addressRest: AddressRest | undefined;
  readonly links: Uint32Array;
  readonly host: Host;
  readonly beginsAtUs: number;
  readonly hostUs: number;

  constructor(
    { page, sequence }: FetchRequest,
    { kind, bytes, waitUs, hostTrouble }: Pick<Answer, 'kind' | 'bytes' | 'waitUs' | 'hostTrouble'>,
    startedAtUs: number, links: Uint32Array, host: Host, addressRest: AddressRest | undefined,
    { beginsAtUs, hostUs }: Transfer,
  ) {
    this.page = page;
    this.sequence = sequence;
    this.kind = kind;
    this.startedAtUs = startedAtUs;
    this.bytes = bytes;
    this.waitUs = waitUs;
    this.hostTrouble = hostTrouble;
    this.links = links;
    this.host = host;
    this.addressRest = addressRest;
    this.beginsAtUs = beginsAtUs;
    this.hostUs = hostUs;
  }

  get transferUs(): number {
    return Math.max(0, this.finishedAtUs - this.beginsAtUs);
  }

  get throttledUs(): number {
    return Math.max(0, this.transferUs - this.hostUs);
  }
}

/**
 * A processor's World over a simulated network: a virtual clock that jumps from event to event. Answers at once.
 * It checks politeness independently: a request before its host's delay or requested pause has passed, or while the
 * host has a download open, is a breach, whatever the scheduler believed.
 */
export class SimulatedWorld implements World {
  nowUs: number;
  politenessBreaches = 0;
  readonly #network: Network;
  readonly #politenessUs: number;
  readonly #keepAliveUs: number;
  /** The network's own log: called with each request when it has ended, in the order of the outcomes. */
  onVisit: ((visit: Visit) => void) | undefined;
  /** Outcomes whose time is known, by falling (finishedAtUs, sequence): the next is last. At most one per robot. */
  readonly #known: Download[] = [];
  /** Downloads whose end is not known yet; undefined if rates are fixed at the start. */
  readonly #link: FluidLink<Download> | undefined;
  readonly #hosts = new LargeMap<number, Host>();
  readonly #addresses = new LargeMap<string, Place>();
  readonly denies: World['denies'];

  /**
   * @param predecessor the World whose processor crashed: its downloads end at its current time, and its hosts remember
   * them; the processor has lost their answers.
   */
  constructor(network: Network, politenessUs: number, nowUs = 0, predecessor?: SimulatedWorld) {
    this.#network = network;
    this.#politenessUs = politenessUs;
    this.#keepAliveUs = Math.round(1e6 * network.options.keepAliveSeconds);
    if (network.options.bandwidthModel === 'fluid') this.#link = new FluidLink(network.processorBytesPerUs);
    this.nowUs = nowUs;
    if (network.hasRules) {
      this.denies = (page) => {
        const host = this.#hosts.get(this.hostOf(page));
        return host !== undefined && network.denies(page, host);
      };
    }
    if (predecessor === undefined) return;
    predecessor.#breakOff();
    for (const [host, { endedAtUs }] of predecessor.#hosts)
      this.#hosts.set(host, newHost(Math.min(endedAtUs, predecessor.nowUs)));
    const restUs = Math.round(1000 * network.options.addressDelayMs);
    for (const [name, { isOpen, readyAtUs }] of predecessor.#addresses)
      this.#addresses.set(name, { isOpen: false, readyAtUs: isOpen ? predecessor.nowUs + restUs : readyAtUs });
  }

  hostOf(page: number): number {
    return this.#network.hostOf(page);
  }

  /** All that it needs to go on from here as if it had never been left. */
  save(): SimulatedWorldState {
    const saved = ({
      page, sequence, kind, bytes, waitUs, hostTrouble, addressRest, startedAtUs, finishedAtUs, beginsAtUs, hostUs,
    }: Download): SavedDownload =>
      ({
        page, sequence, kind, bytes, waitUs, hostTrouble, addressRest, startedAtUs, finishedAtUs, beginsAtUs, hostUs,
      });
    return {
      nowUs: this.nowUs, hosts: Array.from(this.#hosts, ([id, host]) => [id, { ...host }]),
      addresses: Array.from(this.#addresses, ([name, place]) => [name, { ...place }]),
      known: this.#known.map(saved), link: this.#link?.save(saved),
    };
  }

  /** Takes up what `save` of a World of the same network gave; nothing may have been asked of this one before. */
  restore({ nowUs, hosts, addresses = [], known, link }: SimulatedWorldState): void {
    assert(this.#hosts.size === 0, 'a World is restored before it is used');
    this.nowUs = nowUs;
    for (const [id, host] of hosts) this.#hosts.set(id, { ...host });
    for (const [name, place] of addresses) this.#addresses.set(name, { ...place });
    const restored = (saved: SavedDownload): Download => {
      const host = this.#hosts.get(this.hostOf(saved.page));
      assert(host !== undefined, 'a download under way has its host');
      const links = this.linksOf(saved);
      const download = new Download(
        { ...saved, attempt: 0 }, saved, saved.startedAtUs, links, host, saved.addressRest,
        { beginsAtUs: saved.beginsAtUs ?? Infinity, hostUs: saved.hostUs ?? 0 },
      );
      download.finishedAtUs = saved.finishedAtUs;
      return download;
    };
    for (const outcome of known) this.#known.push(restored(outcome));
    if (link !== undefined) this.#link?.restore(link, restored);
  }

  /** Links that an outcome brings. */
  linksOf({ page, kind }: Pick<Outcome, 'page' | 'kind'>): Uint32Array {
    return kind === 'fetched' ? this.#network.linksOf(page) : noLinks;
  }

  openDownloads(): readonly OpenDownload[] {
    return [...this.#known, ...(this.#link?.downloads ?? [])].map(({ page, startedAtUs }) => ({ page, startedAtUs }));
  }

  deny({ page, sequence }: FetchRequest): Outcome | undefined {
    if (this.denies?.(page) !== true) return undefined;
    const { nowUs } = this;
    const nothing = { bytes: 0, waitUs: 0, links: noLinks };
    return { page, sequence, kind: 'robotsDenied', startedAtUs: nowUs, finishedAtUs: nowUs, ...nothing };
  }

  start(request: FetchRequest): void {
    const id = this.hostOf(request.page);
    let host = this.#hosts.get(id);
    if (host === undefined) this.#hosts.set(id, (host = newHost(-Infinity)));
    if (host.endedAtUs + Math.max(this.#politenessUs, host.waitUs) > this.nowUs) this.politenessBreaches++;
    const addressRest = this.#network.addressRest(id);
    if (addressRest !== undefined && !this.#enters(addressRest)) {
      this.#foresee(this.#refused(request, host, addressRest), this.nowUs);
      return;
    }
    const answer = this.#network.answer(request, this.nowUs, host);
    host.endedAtUs = Infinity;
    host.isResolved = true;

    const links = this.linksOf({ page: request.page, kind: answer.kind });
    const beginsAtUs = this.nowUs + answer.beginsAfterUs;
    const hostUs = Math.round(answer.bytes / answer.bytesPerUs);
    const download = new Download(request, answer, this.nowUs, links, host, addressRest, { beginsAtUs, hostUs });
    if (this.#link !== undefined && answer.bytes > 0) {
      this.#link.add(download, beginsAtUs, answer.bytes, answer.bytesPerUs);
      return;
    }
    // An even share of the processor's bandwidth among the downloads open now, this one included.
    const bytesPerUs = Math.min(answer.bytesPerUs, this.#network.processorBytesPerUs / (this.#known.length + 1));
    this.#foresee(download, beginsAtUs + Math.round(answer.bytes / bytesPerUs));
  }

  /** Whether an address is free: then it is at work until the download ends. */
  #enters({ address }: AddressRest): boolean {
    let place = this.#addresses.get(address);
    if (place === undefined) this.#addresses.set(address, (place = { isOpen: false, readyAtUs: -Infinity }));
    if (place.isOpen || place.readyAtUs > this.nowUs) return false;
    place.isOpen = true;
    return true;
  }

  /** Nobody is asked, since another host has the address, or it rests: that is how its address becomes known. */
  #refused(request: FetchRequest, host: Host, { address, restUs }: AddressRest): Download {
    const { isOpen, readyAtUs } = this.#addresses.get(address)!;
    const busy = { kind: 'busy', bytes: 0, waitUs: 0 } as const;
    const leftUs = isOpen ? restUs : readyAtUs - this.nowUs;
    return new Download(request, busy, this.nowUs, noLinks, host, { address, restUs: leftUs }, {
      beginsAtUs: this.nowUs, hostUs: 0,
    });
  }

  next(untilUs: number): Outcome | undefined {
    if (this.#link !== undefined) this.#letFlow(this.#link, untilUs);
    const first = this.#known.at(-1);
    assert(first !== undefined || untilUs !== Infinity, 'waiting forever with nothing in flight');
    if (first === undefined || first.finishedAtUs > untilUs) {
      this.nowUs = Math.max(this.nowUs, untilUs);
      return undefined;
    }
    this.#known.pop();
    this.nowUs = Math.max(this.nowUs, first.finishedAtUs);
    this.#end(first);
    return first;
  }

  /** Processes the link's events up to the first outcome, with all of its microsecond. */
  #letFlow(link: FluidLink<Download>, untilUs: number): void {
    for (;;) {
      const atUs = link.nextUs;
      if (atUs === Infinity || atUs > Math.min(untilUs, this.#known.at(-1)?.finishedAtUs ?? Infinity)) return;
      const ended = link.step();
      if (ended !== undefined) this.#foresee(ended, atUs);
    }
  }

  #foresee(download: Download, finishedAtUs: number): void {
    download.finishedAtUs = finishedAtUs;
    const outcomes = this.#known;
    let position = outcomes.push(download) - 1;
    for (; position > 0; position--) {
      const later = outcomes[position - 1];
      if (
        later.finishedAtUs > finishedAtUs ||
        (later.finishedAtUs === finishedAtUs && later.sequence > download.sequence)
      )
        break;
      outcomes[position] = later;
    }
    outcomes[position] = download;
  }

  /** Updates the ties between processor and host when the outcome is reported. */
  #end({ page, kind, startedAtUs, finishedAtUs, waitUs, addressRest, host }: Download): void {
    this.onVisit?.({ page, host: this.hostOf(page), kind, startedAtUs, finishedAtUs, waitUs });
    // Its host knows nothing of it.
    if (kind === 'busy') return;
    host.endedAtUs = finishedAtUs;
    if (addressRest !== undefined) {
      const { address, restUs } = addressRest;
      this.#addresses.set(address, { isOpen: false, readyAtUs: finishedAtUs + restUs });
    }
    host.waitUs = waitUs;
    if (kind === 'robotsFetched') host.knowsRobotsTxt = true;
    if (kind === 'timeout' || kind === 'refused') host.connectedUntilUs = -Infinity;
    else if (kind !== 'robotsDenied') host.connectedUntilUs = finishedAtUs + this.#keepAliveUs;
  }

  /** The processor has crashed: its open downloads end now, but still count as visits. */
  #breakOff(): void {
    if (this.onVisit === undefined) return;
    const open = [...this.#known, ...(this.#link?.downloads ?? [])];
    for (const { page, kind, startedAtUs, finishedAtUs } of open) {
      this.onVisit({
        page, host: this.hostOf(page), kind, startedAtUs, finishedAtUs: Math.min(finishedAtUs, this.nowUs), waitUs: 0,
      });
    }
  }
}

function newHost(endedAtUs: number): Host {
  return { endedAtUs, waitUs: 0, isResolved: false, knowsRobotsTxt: false, connectedUntilUs: -Infinity };
}
