import { describe, expect, test } from 'vitest';
import { openFiles, openGraph } from '../../../src/graphs/catalogue/index.ts';
import { checkGraph, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { gzipped, response, wat, watInfo } from './warc-archive.ts';

// Goal: a WAT, whoever wrote it, gives the pages and links that the WARC of the same crawl gives.

const { file } = temporaryFolder();

interface Page {
  readonly base?: string;
  readonly metas?: readonly Readonly<Record<string, string>>[];
  readonly anchors: readonly Readonly<Record<string, string>>[];
  readonly frame?: string;
}

/** Attributes as they stand in the page, character references and all. */
const pages: Readonly<Record<string, Page>> = {
  'http://a.org/': {
    anchors: [
      '/plain?a=1', '/one?a=1&amp;b=2', '/twice?a=1&amp;amp;b=2', '/number?a&#61;1&#x26;b=2',
      '/legacy?a=1&copy=2&amp;reg=3', '/ends?x&amp;copy', '/name?q=&eacute;&quot;&lt;', '/bare?a&b', '&#35;top',
      '/six?a&ampb=1', '/semi?a=&amp;lt;',
    ].map((href) => ({ href })),
    frame: '/frame?a=1&amp;b=2',
  },
  'http://a.org/base': { base: '/dir?x=1&amp;y=/', anchors: [{ href: '?page&amp;no' }, { href: 'http&#58;//b.org/' }] },
  'http://a.org/nofollow': {
    anchors: [
      { href: '/no?a&amp;b', rel: 'no&#102;ollow' }, { href: '/yes?a&amp;b', rel: 'noopener' },
    ],
  },
  'http://a.org/robots': {
    metas: [{ name: 'rob&#111;ts', content: 'nofollow' }], anchors: [{ href: '/never?a&amp;b' }],
  },
  'http://a.org/refresh': {
    metas: [
      { 'http-equiv': 'Refresh', content: '0; url=/next?a=1&amp;b=2' }, { name: 'x', content: '0; url=/no' },
    ],
    anchors: [],
  },
  'http://a.org/cyrillic': { metas: [{ charset: 'windows-1251' }], anchors: [{ href: '/s?q=&#1087;#&#1087;' }] },
  'http://a.org/koi8': {
    metas: [{ 'http-equiv': 'Content-Type', content: 'text/html; charset=koi8-r' }], base: '/b?&#1087;',
    anchors: [{ href: '/s?q=&#1087;' }, { href: '' }],
  },
};

const html = ({ base, metas, anchors, frame }: Page): string => {
  const tag = (name: string, attributes: Readonly<Record<string, string>>): string =>
    `<${name} ${Object.entries(attributes).map(([attribute, value]) => `${attribute}="${value}"`).join(' ')}>`;
  const head = [
    ...(base === undefined ? [] : [tag('base', { href: base })]), ...(metas ?? []).map((meta) => tag('meta', meta)),
  ];
  return `<!doctype html>${head.join('')}${anchors.map((anchor) => `${tag('a', anchor)}x</a>`).join('')}${frame === undefined ? '' : tag('iframe', { src: frame })}`;
};

/** What webarchive-commons writes of a page; `attribute` is what it makes of an attribute. */
function watOf(url: string, { base, metas, anchors, frame }: Page, attribute: (value: string) => string): Buffer {
  const all = (record: Readonly<Record<string, string>>): object =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, attribute(value)]));
  const links = anchors.map(({ href, ...more }) => ({ path: 'A@/href', url: attribute(href), ...all(more) }));
  const frames = frame === undefined ? [] : [{ path: 'IFRAME@/src', url: attribute(frame) }];
  return wat(url, [...links, ...frames], { base: base && attribute(base), metas: metas?.map(all) });
}

function linksOf(graph: WebGraph): Record<string, string[]> {
  checkGraph(graph);
  const names = Array.from(
    { length: graph.pages },
    (_, page) => graph.hosts.names.at(graph.hosts.ofPage[page]) + String(graph.paths?.at(page)),
  );
  return Object.fromEntries(
    names.map((name, page) => [
      name,
      [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])]
        .map((target) => names[target])
        .sort(),
    ]),
  );
}

const asItStands = (value: string): string => value;
/** What Common Crawl's resolves: by the same rules as ours, written out for the references above. */
const resolved = (value: string): string =>
  value.replace(
    /&amp(;|(?![a-z0-9=]))|&#(61|35|58|102|111|1087);|&#x26;|&eacute;|&quot;|&lt;/g,
    (reference, _end, code?: string) =>
      code === undefined
        ? ({ '&eacute;': 'é', '&quot;': '"', '&lt;': '<' }[reference] ?? '&')
        : String.fromCharCode(Number(code)),
  );

describe('a WAT and the WARC of one crawl', () => {
  test.each<[string, readonly Buffer[], (value: string) => string]>([
    ['without a warcinfo', [], asItStands],
    ['by webarchive-commons', [watInfo('software', 'ia-web-commons.3.0.4-20260602090000')], asItStands],
    [
      'by webarchive-commons up to 2015', [watInfo('Software-Info', 'ia-web-commons.1.0-SNAPSHOT-20130329074037')],
      asItStands,
    ],
    [
      'by Common Crawl up to 2019', [watInfo('Software-Info', 'ia-web-commons.1.1.9-SNAPSHOT-20190612074037')],
      asItStands,
    ],
    ['by Common Crawl since', [watInfo('Software-Info', 'ia-web-commons.1.1.10-SNAPSHOT-20240513074037')], resolved],
  ])('have the same pages and links: %s', async (_, head, attribute) => {
    const warc = await openGraph(
      file('one.warc.gz', gzipped(Object.entries(pages).map(([url, page]) => response(url, html(page))))),
    );
    const records = Object.entries(pages).map(([url, page]) => watOf(url, page, attribute));
    const expected = linksOf(warc);
    expect(linksOf(await openGraph(file('one.wat.gz', gzipped([...head, ...records]))))).toEqual(expected);
    expect(expected['a.org/']).toEqual(
      expect.arrayContaining([
        'a.org/one?a=1&b=2', 'a.org/twice?a=1&amp;b=2', 'a.org/legacy?a=1&copy=2&reg=3', 'a.org/ends?x&copy',
      ]),
    );
    expect(expected['a.org/refresh']).toEqual(['a.org/next?a=1&b=2']);
    expect([expected['a.org/cyrillic'], expected['a.org/koi8']]).toEqual(
      [['a.org/s?q=%EF'], ['a.org/b?%D0', 'a.org/s?q=%D0']],
    );
  });

  test('are distinguished file by file, and warcinfo by warcinfo', async () => {
    const one = wat('http://a.org/', [{ path: 'A@/href', url: '/x?a&amp;b' }]);
    const two = wat('http://b.org/', [{ path: 'A@/href', url: '/x?a&amp;b' }]);
    const resolving = watInfo('Software-Info', 'ia-web-commons.1.1.10-SNAPSHOT-20240513074037');
    const leaving = watInfo('software', 'ia-web-commons.1.3.0-20241220090000');
    const expected = { 'a.org/': ['a.org/x?a&amp;b'], 'b.org/': ['b.org/x?a&b'] };
    expect(linksOf(await openGraph(file('both.wat', Buffer.concat([resolving, one, leaving, two]))))).toMatchObject(
      expected,
    );
    const files = [file('a.wat', Buffer.concat([resolving, one])), file('b.wat', two)];
    expect(linksOf((await openFiles(files))!)).toMatchObject(expected);
  });

  test('have the same pages if the target URI is in <>, as wget writes it', async () => {
    const links = [{ path: 'A@/href', url: '/next' }];
    const expected = { 'a.org/x?y': ['a.org/next'] };
    expect(linksOf(await openGraph(file('wget.wat', wat('<http://a.org/x?y>', links))))).toMatchObject(expected);
    expect(linksOf(await openGraph(file('wget.warc', response('<http://a.org/x?y>', '<a href=/next>'))))).toMatchObject(
      expected,
    );
  });
});
