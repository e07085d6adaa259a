import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { InputError } from '../../base/index.ts';
import type { LiveSettings } from '../settings.ts';
import type { AddressGuard } from './address-guard.ts';
import { Trouble } from './trouble.ts';

/** All addresses of a name; rejects with an error of `node:dns`. */
export type Lookup = (name: string) => Promise<readonly string[]>;

const viaSystem: Lookup = async (name) =>
  (await systemLookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);

/**
 * How long the addresses of a name are kept: a delay between two requests and a connection closed meanwhile should not
 * cost a look-up.
 */
const CACHE_MS = 60_000;
const MAX_CACHED_NAMES = 10_000;

/** Where to connect to. */
export interface Target {
  /** A name, or an address without brackets. */
  readonly name: string;
  readonly port: string;
}

type ResolverSettings = Pick<LiveSettings, 'resolve' | 'connectTimeoutMs'>;

/**
 * Names to the addresses that may be connected to. What it gives is what the socket connects to: nobody asks DNS a
 * second time, so that a name whose address changes between the check and the connection (rebinding) gains nothing.
 *
 * Bounds   a look-up takes at most connectTimeoutMs; addresses of at most 10,000 names are kept, for a minute.
 */
export class Resolver {
  readonly #guard: AddressGuard;
  readonly #mapped: ReadonlyMap<string, LiveSettings['resolve'][number]>;
  readonly #timeoutMs: number;
  readonly #lookup: Lookup;
  readonly #cache = new Map<string, { readonly addresses: Promise<readonly string[]>; readonly untilMs: number }>();

  /** Errors: InputError for a setting of `resolve` that cannot be. */
  constructor({ resolve, connectTimeoutMs }: ResolverSettings, guard: AddressGuard, lookup: Lookup = viaSystem) {
    this.#mapped = mapping(resolve);
    this.#guard = guard;
    this.#timeoutMs = connectTimeoutMs;
    this.#lookup = lookup;
  }

  /** What `resolve` says of a URL's host and port: itself where it says nothing. Addresses are never mapped. */
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
   * Errors   Trouble: 'address not allowed', 'no such name', 'name lookup failed', 'connect time-out' (as of the
   *          connection that waits for it).
   */
  addresses(name: string): Promise<readonly string[]> {
    if (isIP(name) !== 0) return Promise.resolve([name]).then((literal) => this.#allowed(name, literal));
    const cached = this.#cache.get(name);
    if (cached !== undefined && performance.now() < cached.untilMs) return cached.addresses;
    const addresses = this.#ask(name).then((found) => this.#allowed(name, found));
    this.#cache.delete(name);
    this.#cache.set(name, { addresses, untilMs: performance.now() + CACHE_MS });
    addresses.catch(() => { if (this.#cache.get(name)?.addresses === addresses) this.#cache.delete(name); });
    if (this.#cache.size > MAX_CACHED_NAMES)
      for (const oldest of this.#cache.keys()) { this.#cache.delete(oldest); break; }
    return addresses;
  }

  /** The same, as a socket asks for it. */
  readonly forSocket: LookupFunction = (name, options, callback) => {
    this.addresses(name).then((addresses) => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all === true) callback(null, found);
      else callback(null, found[0].address, found[0].family);
    }, (trouble: unknown) => { callback(trouble as NodeJS.ErrnoException, ''); });
  };

  async #ask(name: string): Promise<readonly string[]> {
    let timer: NodeJS.Timeout | undefined;
    // A look-up of the system cannot be called off: it goes on behind our back, and what it brings is dropped.
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Trouble('connect time-out', `DNS gave no answer within ${this.#timeoutMs} ms`));
      }, this.#timeoutMs);
    });
    try {
      return await Promise.race([this.#lookup(name), late]);
    } catch (error) {
      if (error instanceof Trouble) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Trouble(code === 'ENOTFOUND' || code === 'ENODATA' ? 'no such name' : 'name lookup failed', message);
    } finally {
      clearTimeout(timer);
    }
  }

  #allowed(name: string, addresses: readonly string[]): readonly string[] {
    if (addresses.length === 0) throw new Trouble('no such name', `${name} has no address`);
    const allowed = addresses.filter((address) => this.#guard.allows(address));
    if (allowed.length === 0) throw new Trouble('address not allowed', addresses.join(', '));
    return allowed;
  }
}

export function withoutDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

function mapping(resolve: LiveSettings['resolve']): Map<string, LiveSettings['resolve'][number]> {
  const field = 'live.resolve';
  const mapped = new Map<string, LiveSettings['resolve'][number]>();
  for (const entry of resolve) {
    const host = entry.host === '*' ? '*' : nameOf(entry.host);
    if (host === undefined) {
      throw new InputError(
        `resolve: ${JSON.stringify(entry.host)} is no name of a host: it must be a name, like example.org, or *`,
        { field },
      );
    }
    if (isIP(entry.address) === 0) {
      throw new InputError(
        `resolve: ${JSON.stringify(entry.address)}, for ${host}, is no address: it must be one, like 127.0.0.1 or ::1`,
        { field },
      );
    }
    if (mapped.has(host)) throw new InputError(`resolve: ${host} is named twice`, { field });
    mapped.set(host, entry);
  }
  return mapped;
}

/** A name as it stands in a URL; undefined for what is none, or an address. */
function nameOf(host: string): string | undefined {
  if (/[/?#@:\\\s]/.test(host) || !URL.canParse(`http://${host}/`)) return undefined;
  const name = withoutDot(new URL(`http://${host}/`).hostname);
  return name === '' || name === '*' || isIP(name) !== 0 ? undefined : name;
}
