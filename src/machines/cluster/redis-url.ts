import { isIP } from 'node:net';
import { InputError } from '../../base/index.ts';

/** The parts of a URL of Redis. */
export interface RedisPlace {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: number;
  readonly isTls: boolean;
}

/** The URL without its password, for messages and records. @throws InputError */
export function shownRedis(url: string): string {
  const { isTls, user, host, port, database } = placeOf(url);
  const name = user === '' ? '' : `${encodeURIComponent(user)}@`;
  return `${isTls ? 'rediss' : 'redis'}://${name}${hostInUrl(host)}:${port}${database === 0 ? '' : `/${database}`}`;
}

/** A word of a command line as records show it: without the password, if it is a URL of Redis or a flag with one. */
export function wordWithoutPassword(word: string): string {
  const parts = /^(?<flag>--[\w-]+=)?(?<url>rediss?:.*)$/is.exec(word)?.groups;
  if (parts === undefined) return word;
  const { flag = '', url } = parts;
  try {
    return flag + shownRedis(url);
  } catch {
    // The password may be in any part of a malformed URL.
    return `${flag}redis://...`;
  }
}

/** The message does not quote the URL: the password may be in any part of a malformed one. @throws InputError */
export function placeOf(text: string): RedisPlace {
  const refused = (): InputError => new InputError(
    'the URL of Redis must be redis://[user:password@]host[:port][/database], or rediss:// for TLS; ' +
    'write characters such as @ and / in a password as %40 and %2F',
  );
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refused();
  }
  const { protocol, hostname, port, pathname, search, hash } = url;
  const isKnown = protocol === 'redis:' || protocol === 'rediss:';
  const database = /^\/?([0-9]{0,5})$/.exec(pathname);
  if (!isKnown || hostname === '' || database === null || search !== '' || hash !== '') throw refused();
  try {
    return {
      isTls: protocol === 'rediss:', host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 6379),
      user: decodeURIComponent(url.username), password: decodeURIComponent(url.password),
      database: Number(database[1]),
    };
  } catch {
    throw refused();
  }
}

const hostInUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

export const shownPlace = ({ host, port }: RedisPlace): string => `Redis at ${hostInUrl(host)}:${port}`;
