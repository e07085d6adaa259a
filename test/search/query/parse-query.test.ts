import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/index.ts';
import { MAX_QUERY_CHARS, onHost, parseQuery, wordsOf, type ParsedQuery } from '../../../src/search/index.ts';
import { anyCharacter } from '../../any-text.ts';
import { tries } from '../../sweep.ts';

// Goal: a query means what people mean by it, and no text breaks it.

const nothing: ParsedQuery = { words: [], required: [], excluded: [], sites: [], excludedSites: [], ignored: [] };
const phrase = (words: string, isInTitle = false): ParsedQuery['required'][number] =>
  ({ words: words.split(' '), isInTitle });

test.each<[string, Partial<ParsedQuery>]>([
  ['Web  search', { words: ['web', 'search'] }],
  ['"Web search" engine', { words: ['web', 'search', 'engine'], required: [phrase('web search')] }],
  ['"web search', { words: ['web', 'search'], required: [phrase('web search')] }],
  ['orb -weaver -"orb web"', { words: ['orb'], excluded: [phrase('weaver'), phrase('orb web')] }],
  ['title:orb title:"web search"', {
    words: ['orb', 'web', 'search'], required: [phrase('orb', true), phrase('web search', true)],
  }],
  ['orb -title:web', { words: ['orb'], excluded: [phrase('web', true)] }],
  ['orb site:Example.org -site:*.b.example.org.', {
    words: ['orb'], sites: ['example.org'], excludedSites: ['b.example.org'],
  }],
  ['orb site:https://Bücher.example/path?x', { words: ['orb'], sites: ['xn--bcher-kva.example'] }],
  ['orb site:"a b" site:', { words: ['orb', 'site'], sites: ['a b'] }],
  ['e-mail C++ don\'t', { words: ['e', 'mail', 'c', 'don', 't'] }],
  ['SITE:a.example TITLE:b', { words: ['b'], required: [phrase('b', true)], sites: ['a.example'] }],
  ['inurl:x OR y AND (z)', { words: ['inurl', 'x', 'or', 'y', 'and', 'z'] }],
  ['"a"b', { words: ['a', 'b'], required: [phrase('a')] }],
  ['a - b -- c', { words: ['a', 'b', 'c'] }],
  ['git commit --amend -m', { words: ['git', 'commit', 'amend'], excluded: [phrase('m')] }],
])('%j', (query, parsed) => {
  expect(parseQuery(query)).toEqual({ ...nothing, ...parsed });
});

describe('on one host', () => {
  test.each([
    ['orb', 'orb site:a.example'], ['orb site:b.example SITE:"c"', 'orb site:a.example'],
    ['"orb web', '"orb web" site:a.example'],
    ['-site:b.example "x" title:"y', '-site:b.example "x" title:"y" site:a.example'],
    ['x "', 'x "" site:a.example'],
  ])('%j is %j', (query, narrowed) => {
    expect(onHost(query, 'a.example')).toBe(narrowed);
  });

  test('any query means the same', () => {
    const unit = fc.oneof(anyCharacter, fc.constantFrom('"', '-', ' ', 'site:', 'title:', 'a', 'É'));
    fc.assert(fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
      let parsed: ParsedQuery;
      try {
        parsed = parseQuery(text);
      } catch {
        return;
      }
      expect(parseQuery(onHost(text, 'a.example'))).toEqual({ ...parsed, sites: ['a.example'] });
    }), { numRuns: tries(5_000) });
  });
});

describe('bad input', () => {
  test.each(['', '   ', '"', '-a', 'site:example.org', '--- ""', '-"a b" site:x', '\u0000'])('%j', (query) => {
    expect(() => parseQuery(query)).toThrow(/^query: .*; expected a word, a "phrase" or title:word; site: and - narrow/);
  });

  test('a query that is too long is refused, and words beyond 32 are ignored', () => {
    expect(() => parseQuery('a '.repeat(5000))).toThrow(`query: has 10000 characters; at most ${MAX_QUERY_CHARS}`);
    const all = Array.from({ length: 40 }, (_, i) => `w${i}`);
    const { words, ignored } = parseQuery(all.join(' '));
    expect([...words, '|', ...ignored]).toEqual([...all.slice(0, 32), '|', ...all.slice(32)]);
  });

  test('any text is parsed to its own words, or refused', () => {
    const unit = fc.oneof(anyCharacter, fc.constantFrom('"', '-', ' ', 'site:', 'title:', 'a', 'É'));
    fc.assert(fc.property(fc.string({ unit }), (text) => {
      let parsed: ParsedQuery;
      try {
        parsed = parseQuery(text);
      } catch (error) {
        return error instanceof InputError;
      }
      const { words, required, excluded, ignored } = parsed;
      const own = wordsOf(text);
      return [...words, ...ignored, ...[...required, ...excluded].flatMap((one) => one.words)]
        .every((word) => own.includes(word));
    }), { numRuns: tries(20_000) });
  });
});
