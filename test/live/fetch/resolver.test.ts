import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError, WorldError } from '../../../src/base/index.ts';
import { AddressGuard } from '../../../src/core/live/fetch/address-guard.ts';
import { Resolver, type Lookup } from '../../../src/core/live/fetch/resolver.ts';
import { reasonOf, type Stage } from '../../../src/core/live/fetch/fault-error.ts';
import { changingDns } from '../hostile-server.ts';

// Goal: a name leads where the user says, else where DNS says, and only where the guard lets it.

interface Mapping { readonly host: string; readonly address: string; readonly port?: number | undefined }

const never: Lookup = () => Promise.reject(new Error('not to be asked'));

function resolver(
  resolve: readonly Mapping[], lookup: Lookup = never, allowNetworks: readonly string[] = [],
): Resolver {
  return new Resolver({ resolve: [...resolve], connectTimeoutMs: 1000 }, new AddressGuard(allowNetworks), lookup);
}

describe('what is mapped', () => {
  const names = ['a.test', 'b.test', 'www.a.test', 'localhost'];
  const hosts = fc.oneof(fc.constantFrom(...names), fc.constantFrom('8.8.8.8', '[2600::1]'));
  const mappings = fc.uniqueArray(
    fc.record({
      host: fc.constantFrom(...names, '*'),
      address: fc.constantFrom('127.0.0.1', '::1', '93.184.216.34'),
      port: fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }),
    }), { selector: ({ host }) => host, maxLength: 5 });

  test('the name itself before *, the port where one is given, addresses never', () => {
    const ports = fc.constantFrom('', '8080');
    fc.assert(fc.property(mappings, hosts, fc.boolean(), fc.boolean(), ports, (entries, host, hasDot, isLoud, port) => {
      const isName = names.includes(host);
      const spelled = entries.map((entry) =>
        entry.host !== '*' && isLoud ? { ...entry, host: `${entry.host.toUpperCase()}.` } : entry,
      );
      const entry = isName
        ? (entries.find((one) => one.host === host) ?? entries.find((one) => one.host === '*'))
        : undefined;
      const asked = isName && hasDot ? `${host}.` : host;
      expect(resolver(spelled).target(asked, port)).toEqual({
        name: entry?.address ?? asked.replace(/[[\]]/g, ''),
        port: entry?.port === undefined ? port : String(entry.port),
      });
    }));
  });

  test.each([
    [{ host: 'a.test', address: 'b.test' }, /is not an address/],
    [{ host: 'a.test', address: '127.1' }, /is not an address/],
    [{ host: '127.0.0.1', address: '127.0.0.2' }, /is not a host name/],
    [{ host: '[::1]', address: '127.0.0.2' }, /is not a host name/],
    [{ host: 'a.test:80', address: '127.0.0.2' }, /is not a host name/],
    [{ host: 'http://a.test', address: '127.0.0.2' }, /is not a host name/],
    [{ host: '*.a.test', address: 'x' }, /is not an address/],
    [{ host: 'a b', address: '127.0.0.2' }, /is not a host name/],
    [{ host: '.', address: '127.0.0.2' }, /is not a host name/],
    [{ host: 'MAPPED.test.', address: '127.0.0.2' }, /mapped\.test appears twice/],
  ])('%j is refused', (entry, message) => {
    const make = () => resolver([{ host: 'mapped.test', address: '127.0.0.1' }, entry]);
    expect(make).toThrow(InputError);
    expect(make).toThrow(message);
  });
});

describe('addresses', () => {
  test('those allowed, in the order of DNS', async () => {
    const some = fc.array(
      fc.constantFrom('127.0.0.1', '10.0.0.1', '93.184.216.34', '2600::1', '::1', '169.254.169.254'), { maxLength: 6 },
    );
    await fc.assert(fc.asyncProperty(some, async (found) => {
      const allowed = found.filter((address) => ['93.184.216.34', '2600::1', '10.0.0.1'].includes(address));
      const given = resolver([], () => Promise.resolve(found), ['10.0.0.0/8']).addresses('a.test');
      if (allowed.length > 0) expect(await given).toEqual(allowed);
      else
        await expect(given).rejects.toMatchObject({
          reason: found.length === 0 ? 'no such name' : 'address not allowed',
        });
    }), { numRuns: 200 });
  });

  test('DNS is asked once for those who ask at the same time or soon after, and again after a failure', async () => {
    const dns = changingDns(['10.0.0.1'], ['93.184.216.34'], ['10.0.0.1']);
    const names = resolver([], dns.lookup);
    await expect(names.addresses('a.test')).rejects.toMatchObject({
      reason: 'address not allowed', message: '10.0.0.1',
    });
    expect(await Promise.all([names.addresses('a.test'), names.addresses('a.test')])).toEqual([
      ['93.184.216.34'], ['93.184.216.34'],
    ]);
    expect(await names.addresses('a.test')).toEqual(['93.184.216.34']);
    expect(dns.asked).toEqual(['a.test', 'a.test']);
  });

  test('addresses are their own, and are judged', async () => {
    expect(await resolver([]).addresses('93.184.216.34')).toEqual(['93.184.216.34']);
    await expect(resolver([]).addresses('127.0.0.1')).rejects.toMatchObject({ reason: 'address not allowed' });
  });
});

test.each<[string, Stage, boolean, string]>([
  ['ECONNREFUSED', 'connecting', false, 'connection refused'],
  ['EHOSTUNREACH', 'connecting', true, 'connection refused'], ['ETIMEDOUT', 'connecting', false, 'connect time-out'],
  ['ETIMEDOUT', 'body', false, 'connection reset'], ['ECONNRESET', 'connecting', true, 'connection refused'],
  ['EPIPE', 'head', false, 'connection reset'], ['CERT_HAS_EXPIRED', 'connecting', true, 'TLS not valid'],
  ['ERR_SSL_NO_PROTOCOLS_AVAILABLE', 'connecting', true, 'TLS not valid'],
  ['EPROTO', 'connecting', true, 'TLS not valid'], ['HPE_INVALID_EOF_STATE', 'body', false, 'wrong length'],
])('%s while %s, secure %s: %s', (code, stage, secure, reason) => {
  expect(reasonOf(Object.assign(new Error('x'), { code }), stage, secure)).toBe(reason);
});

test('that this machine can open no more connections is no fault of a host', () => {
  expect(() => reasonOf(Object.assign(new Error('x'), { code: 'EMFILE' }), 'connecting', false)).toThrow(WorldError);
});
