import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { InputError } from '../../../base/index.ts';
import type { LiveSettings } from '../settings.ts';
import type { AddressGuard } from './address-guard.ts';
import { FaultError } from './fault-error.ts';

/** All addresses of a name; rejects with an error of `node:dns`. */
export type Lookup = (name: string) => Promise<readonly string[]>;

const viaSystem: Lookup = async (name) =>
  (await systemLookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);

/**
 * How long the addresses of a name are cached: a delay between two requests, with the connection closed meanwhile,
 * should not cost a look-up.
 */
const CACHE_MS = 60_000;
const MAX_CACHED_NAMES = 10_000;

export interface Target {
  /** A name, or an address without brackets. */
  readonly name: string;
  readonly port: string;
}

type ResolverSettings = Pick<LiveSettings, 'resolve' | 'connectTimeoutMs'>;

/**
 * Resolves names to the addresses that may be connected to. The socket connects to exactly these: DNS is not asked a
 * second time, so a name whose address changes between the check and the connection (rebinding) gains nothing.
 *
 * Bounds   a look-up takes at most connectTimeoutMs; addresses of at most 10,000 names are cached, for a minute.
 */
export class Resolver {
  readonly #guard: AddressGuard;
  readonly #mapped: ReadonlyMap<string, LiveSettings['resolve'][number]>;
  readonly #timeoutMs: number;
  readonly #lookup: Lookup;
  readonly #cacheMs: number;
  readonly #cache = new Map<string, { readonly addresses: Promise<readonly string[]>; readonly untilMs: number }>();

  /**
   * @param speed of the crawl's clock.
   * @throws InputError for an invalid entry of `resolve`.
   */
  constructor(
    { resolve, connectTimeoutMs }: ResolverSettings, guard: AddressGuard, lookup: Lookup = viaSystem, speed = 1,
  ) {
    this.#cacheMs = CACHE_MS / speed;
    this.#mapped = mapping(resolve);
    this.#guard = guard;
    this.#timeoutMs = connectTimeoutMs;
    this.#lookup = lookup;
  }

  /** The target that `resolve` sets for a URL's host and port; without an entry, these. Addresses are never mapped. */
  target(hostname: string, port: string): Target {
    const name = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    if (isIP(name) !== 0) return { name, port };
    const to = this.#mapped.get(withoutDot(name)) ?? this.#mapped.get('*');
    return to === undefined
      ? { name, port }
      : { name: to.address, port: to.port === undefined ? port : String(to.port) };
  }

  /**
   * The addresses of a target that may be connected to, at least one, in the order of DNS.
   *
   * Errors   FaultError: 'address not allowed', 'no such name', 'name lookup failed', 'connect time-out' (as of the
   *          connection that waits for it).
   */
  addresses(name: string): Promise<readonly string[]> {
    if (isIP(name) !== 0) return Promise.resolve([name]).then((literal) => this.#allowed(name, literal));
    const cached = this.#cache.get(name);
    if (cached !== undefined && performance.now() < cached.untilMs) return cached.addresses;
    const addresses = this.#ask(name).then((answers) => this.#allowed(name, answers));
    this.#cache.delete(name);
    this.#cache.set(name, { addresses, untilMs: performance.now() + this.#cacheMs });
    addresses.catch(() => { if (this.#cache.get(name)?.addresses === addresses) this.#cache.delete(name); });
    if (this.#cache.size > MAX_CACHED_NAMES)
      for (const oldest of this.#cache.keys()) { this.#cache.delete(oldest); break; }
    return addresses;
  }

  /** The same, in the form that a socket calls. */
  readonly forSocket: LookupFunction = (name, options, callback) => {
    this.addresses(name).then((addresses) => {
      const targets = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all === true) callback(null, targets);
      else callback(null, targets[0].address, targets[0].family);
    }, (error: unknown) => { callback(error as NodeJS.ErrnoException, ''); });
  };

  async #ask(name: string): Promise<readonly string[]> {
    let timer: NodeJS.Timeout | undefined;
    // The system's look-up cannot be cancelled: it continues in the background, and its result is discarded.
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new FaultError('connect time-out', `DNS gave no answer within ${this.#timeoutMs} ms`));
      }, this.#timeoutMs);
    });
    try {
      return await Promise.race([this.#lookup(name), late]);
    } catch (error) {
      if (error instanceof FaultError) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      throw new FaultError(code === 'ENOTFOUND' || code === 'ENODATA' ? 'no such name' : 'name lookup failed', message);
    } finally {
      clearTimeout(timer);
    }
  }

  #allowed(name: string, addresses: readonly string[]): readonly string[] {
    if (addresses.length === 0) throw new FaultError('no such name', `${name} has no address`);
    const allowed = addresses.filter((address) => this.#guard.allows(address));
    if (allowed.length === 0) throw new FaultError('address not allowed', addresses.join(', '));
    return allowed;
  }
}

export function withoutDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

function mapping(resolve: LiveSettings['resolve']): Map<string, LiveSettings['resolve'][number]> {
  const mapped = new Map<string, LiveSettings['resolve'][number]>();
  for (const entry of resolve) {
    const host = entry.host === '*' ? '*' : nameOf(entry.host);
    const fault = host === undefined
      ? `${JSON.stringify(entry.host)} is not a host name: it must be a name, like example.org, or *`
      : isIP(entry.address) === 0
        ? `${JSON.stringify(entry.address)}, for ${host}, is not an address: examples: 127.0.0.1, ::1`
        : mapped.has(host) ? `${host} appears twice` : undefined;
    if (host === undefined || fault !== undefined) throw new InputError(`resolve: ${fault}`, { field: 'live.resolve' });
    mapped.set(host, entry);
  }
  return mapped;
}

/** The name as spelled in a URL; undefined for an address and for anything else. */
function nameOf(host: string): string | undefined {
  if (/[/?#@:\\\s]/.test(host) || !URL.canParse(`http://${host}/`)) return undefined;
  const name = withoutDot(new URL(`http://${host}/`).hostname);
  return name === '' || name === '*' || isIP(name) !== 0 ? undefined : name;
}
