import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { RawPage } from '../../../src/core/live/pages/page.ts';
import { readPage } from '../../../src/core/live/pages/read-page.ts';
import type { LiveInput } from '../../../src/core/live/settings.ts';
import { unpackText, type PageText } from '../../../src/base/web/index.ts';
import { html, settingsOf } from './pages.ts';

// Goal: a page brings its text if it is asked for, and may be indexed; with the links that the crawl may follow.

const textOf = (page: RawPage, some: Partial<LiveInput> = {}): PageText | undefined => {
  const { text } = readPage(page, settingsOf({ text: true, ...some }));
  return text && unpackText(text);
};

test('text, and links as the crawl spells them, repeated ones too', () => {
  const page = html(
    '<html lang=en><base href="/b/"><title>T</title><a href=x>one</a> <a href="./x#part">two</a> <a href=x>three</a>' +
      '<a href="http://no.org/">no</a><a href="mailto:a@b">no</a>',
  );
  expect(textOf(page, { denyDomains: ['no.org'] })).toEqual({
    runs: [{ field: 'title', text: 'T' }, { field: 'other', text: 'one two threenono' }],
    language: 'en',
    anchors: ['one', 'two', 'three'].map((text) => ({ url: 'http://a.org/b/x', text })),
    isCut: false,
  });
});

test('links beyond the limit are left out of the text as well', () => {
  const page = html('<a href=x>a</a><a href=y>b</a><a href=x>c</a>');
  expect(textOf(page, { maxLinks: 1 })!.anchors.map(({ text }) => text)).toEqual(['a', 'c']);
  expect(textOf(html('<a href=x>a', ['X-Robots-Tag', 'nofollow']))!.anchors).toEqual([]);
});

test('plain text is text; other types, and empty pages, have none or an empty one', () => {
  const types = ['text/*', 'application/pdf'];
  const of = (type: string): RawPage => ({ ...html('a <b> \n c'), rawHeaders: ['content-type', type] });
  expect(textOf(of('text/plain'), { types })!.runs).toEqual([{ field: 'other', text: 'a <b> c' }]);
  expect(textOf(of('text/css'), { types })).toBeUndefined();
  expect(textOf(of('application/pdf'), { types })).toBeUndefined();
  expect(textOf(html(''))).toEqual({ runs: [], language: '', anchors: [], isCut: false });
});

test.each<[string, RawPage]>([
  ['asks by meta', html('<meta name=robots content=noindex>a')],
  ['asks this crawler', html('<meta name=orbweaver content=none>a')],
  ['asks by header', html('a', ['X-Robots-Tag', 'noindex'])],
  ['is plain text and asks', { ...html('a'), rawHeaders: ['content-type', 'text/plain', 'x-robots-tag', 'noindex'] }],
  ['cannot be read', html(gzipSync('a').fill(255, 10), ['content-encoding', 'gzip'])],
])('a page that %s has none', (_, page) => {
  expect(readPage(page, settingsOf({ text: true, types: ['text/*'] })).text).toBeUndefined();
});

test('nor has any page, unless it is asked for', () => {
  const { text, ...rest } = readPage(html('<a href=x>a'), settingsOf({ text: true }));
  expect(readPage(html('<a href=x>a'), settingsOf())).toEqual(rest);
  expect(text).toBeDefined();
});
