import fc from 'fast-check';

// As fast-check's `unit: 'binary'` and `webUrl()`, which first take a second to make a map of all characters there are.

/** Any character of Unicode, for `fc.string({ unit: anyCharacter })`. */
export const anyCharacter = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

const urlCharacter = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...Array.from('abcXYZ089-._~!$&\'()*+,;=:@/')) },
  { weight: 1, arbitrary: anyCharacter.map(encodeURIComponent) },
);
const part = (mark: string): fc.Arbitrary<string> =>
  fc.oneof(fc.constant(''), fc.string({ unit: urlCharacter }).map((text) => mark + text));

/** Any URL of a page, with a query and a fragment now and then. */
export const anyUrl = fc
  .tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), part('/'), part('?'), part('#'))
  .map(([scheme, ...parts]) => `${scheme}://${parts.join('')}`);
