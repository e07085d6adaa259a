import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  htmlLinks, htmlText, MAX_ANCHOR_CHARS, MAX_TEXT_CHARS, plainText, runsOf, textFields, type CollectedText,
  type TextRun,
} from '../../../src/base/web/index.ts';
import { tries } from '../../sweep.ts';

// Goal: the text of a page is what its readers see, each piece in its field; and no page makes that costly.

const textOf = (html: string, isXhtml = false): CollectedText => htmlLinks(html, { text: true, isXhtml }).text!;
const runsIn = (html: string, isXhtml = false): TextRun[] => runsOf(textOf(html, isXhtml).lines)!;
/** `field: text`, per run. */
const shownRuns = (html: string, isXhtml = false): string[] =>
  runsIn(html, isXhtml).map(({ field, text }) => (field === 'other' ? text : `${field}: ${text}`));

describe('runs', () => {
  test.each([
    ['elements in a line do not break words', '<p>a<b>b</b>c <i>d</i> e', ['abc d e']],
    ['blocks, cells and items do', '<div>a<p>b</p>c</div><li>d<li>e<td>f<td>g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['br and images separate words of a run', 'a<br>b<br/>c<img alt=no>d', ['a b c d']],
    ['white space is collapsed', ' \n a \t\u00a0 b <b> c</b> \r\n ', ['a b c']],
    ['references are resolved', 'a&amp;b &lt;i&gt; &eacute;&#x1F600;&notit; &#0;', ['a&b <i> é😀¬it; \ufffd']],
    ['what looks like a tag and is none is text', 'a < b <3 & c', ['a < b <3 & c']],
    [
      'the title is the first one',
      '<title>A <b>&amp; B</title><p>x<title>no</title>y<svg><title>no</title></svg>', ['title: A <b>& B', 'x', 'y'],
    ],
    [
      'headings',
      '<h1>a</h1>b<h2>c<h3>d</h2>e<h4>f</h4><h5>g</h5><h6>h</h6>i',
      ['h1: a', 'b', 'h2: c', 'h3: d', 'e', 'h4: f', 'h5: g', 'h', 'i'],
    ],
    ['an unclosed heading ends with the next block', '<h1>a<b>b<p>c', ['h1: ab', 'c']],
    ['a block around the words of a heading is part of it', '<h1><div>a</div> b</h1>c', ['h1: a', 'h1: b', 'c']],
    ['a block that ends around a heading ends it', '<div><h1>a</div>b', ['h1: a', 'b']],
    [
      'scripts, styles, templates, noscript, textarea, frames and comments are no text',
      'a<script>if (a<b) x</script>b<style>p{}</style><template>t<template>t</template>t</template>c<!-- d <p> -->' +
        '<noscript>n<p>n</noscript><textarea>t<p></textarea><iframe>i<p></iframe>e',
      ['abc e'],
    ],
    ['svg is none, until a block', 'a<svg><text>no</text><svg/><svg>no</svg>no</svg>b<svg>no<p>c', ['a b', 'c']],
    [
      'the description is the own one, where it stands',
      '<meta property=og:description content=og><title>t</title><meta name=Description content=" d &amp;  d">' +
        '<meta name=description content=no>x',
      ['title: t', 'description: d & d', 'x'],
    ],
    [
      'or that for other sites',
      'x<p><meta property="og:description" content="og &quot;">y', ['x', 'description: og "', 'y'],
    ],
    ['an empty page has none', '<html><head><title> </title><meta name=description content=" "><body><p></p>', []],
    ['a tag that does not end is none', 'a<p title="b', ['a']],
  ])('%s', (_, html, runs) => {
    expect(shownRuns(html)).toEqual(runs);
  });

  test('XHTML has empty elements and CDATA', () => {
    const xhtml = '<title/><h1/>a<script/>b<template/><![CDATA[<c> &amp; d]]><svg:text>e</svg:text>';
    expect(shownRuns(xhtml, true)).toEqual(['ab<c> &amp; de']);
    expect(shownRuns('<h1>a</h1><![CDATA[c]]>')).toEqual(['h1: a']);
  });

  test('plain text is one run', () => {
    expect(plainText(' a <b>\n\n&amp; ').lines).toBe('6a <b> &amp;\n');
    expect(plainText(' \n').lines).toBe('');
  });
});

describe('language', () => {
  test.each([
    ['<html lang=" EN_gb ">', 'en-gb'], ['<html xml:lang=fr>', 'fr'],
    ['<html><meta http-equiv=Content-Language content=De>', 'de'],
    ['<html lang=it><meta http-equiv=content-language content=de>', 'it'], ['<html lang="">', ''],
    ['<html lang="a b"><meta http-equiv=content-language content="en, de">', ''], ['<p lang=en>', ''],
  ])('of %s is %j', (html, language) => {
    expect(textOf(html).language).toBe(language);
  });
});

describe('anchors', () => {
  test.each([
    ['<a href=x>a <b>b</b>&amp;</a> c <a href=y><p>d<p>e</a>', ['a b&', 'd e']],
    ['<a href=x>a<a href=y>b<a name=z>c', ['a', 'b']],
    ['<a href=x><img alt="a &lt; b"><img></a><a href=x></a>', ['a < b', '']],
    ['<area href=x alt=" a  b"><iframe src=y alt=no>no</iframe><a href=z>c', ['a b', '', 'c']],
    ['<a href=#x>no</a><a href=x rel=nofollow>no</a><a href=y>a</a><noscript><a href=z>no</a></noscript>', ['a', '']],
    ['<meta http-equiv=refresh content="0; url=r"><a href=x>a<script>no</script>', ['', 'a']],
    ['<meta name=robots content=nofollow><a href=x>a</a>', []],
  ])('of %s', (html, anchors) => {
    const { links, text } = htmlLinks(html, { text: true });
    expect(text!.anchors).toEqual(anchors);
    expect(links).toHaveLength(anchors.length);
  });

  test('of XHTML may be empty', () => {
    expect(textOf('<a href="x"/>a<a href="y">b</a>', true).anchors).toEqual(['', 'b']);
  });

  test('beyond the number that is asked for leave the text incomplete', () => {
    const { links, text } = htmlLinks('<a href=x>a<a href=y>b<a href=z>c', { text: true, most: 2 });
    expect(links).toEqual(['x', 'y']);
    expect(text).toEqual({ lines: '6abc\n', anchors: ['a', 'b'], isCut: true, language: '' });
  });
});

/** A document as a tree, of which the plainest walk makes the text. */
type Node = string | { readonly name: string; readonly children: readonly Node[] };
const inLine = ['b', 'i', 'span', 'em', 'unknown'];
const blocks = ['div', 'section', 'blockquote', 'ul'];
const skipped = ['script', 'style', 'noscript', 'template', 'svg', 'textarea'];
const words = fc.array(fc.constantFrom('a', 'bc', ' ', '\n', '&', '<', '😀', '\u00a0', 'é', '"'), { maxLength: 5 })
  .map((parts) => parts.join(''));
const { tree } = fc.letrec<{ inner: Node; tree: Node }>((tie) => ({
  inner: fc.oneof(
    { maxDepth: 3 }, words, fc.record({
      name: fc.constantFrom(...inLine, 'br'), children: fc.array(tie('inner'), { maxLength: 3 }),
    }),
  ),
  tree: fc.oneof(
    { maxDepth: 5 }, tie('inner'),
    fc.record({ name: fc.constantFrom(...blocks, ...inLine), children: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({
      name: fc.constantFrom('h1', 'h2', 'h3', 'h4', 'h5', 'h6'), children: fc.array(tie('inner'), { maxLength: 3 }),
    }),
    fc.record({ name: fc.constantFrom(...skipped), children: fc.array(fc.constantFrom('x', ' y')) }),
  ),
}));

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function written(node: Node): string {
  if (typeof node === 'string') return escaped(node);
  return node.name === 'br' ? '<br>' : `<${node.name}>${node.children.map(written).join('')}</${node.name}>`;
}

/** The text of a tree with `\0field\0` where a run of another field, or another run, begins. */
function walked(node: Node, field: string): string {
  if (typeof node === 'string') return node;
  const { name, children } = node;
  if (name === 'br') return ' ';
  if (skipped.includes(name)) return ['noscript', 'svg', 'textarea'].includes(name) ? ' ' : '';
  const of = /^h[1-5]$/.test(name) ? name : field;
  const text = children.map((child) => walked(child, of)).join('');
  return inLine.includes(name) ? text : `\0${of}\0${text}\0${field}\0`;
}

function dullRuns(nodes: readonly Node[]): { field: string; text: string }[] {
  const parts = `\0other\0${nodes.map((node) => walked(node, 'other')).join('')}`.split('\0');
  return parts.flatMap((field, i) => {
    const text = (parts.at(i + 1) ?? '').replace(/\s+/g, ' ').trim();
    return i % 2 === 1 && text !== '' ? [{ field, text }] : [];
  });
}

describe('any page', () => {
  test('has the text of its tree', () => {
    let runs = 0;
    fc.assert(fc.property(fc.array(tree, { maxLength: 8 }), (nodes) => {
      const found = runsIn(nodes.map(written).join(''));
      runs += found.length;
      expect(found).toEqual(dullRuns(nodes));
    }), { numRuns: tries(1000) });
    expect(runs).toBeGreaterThan(tries(1000));
  });

  const soup = fc.array(fc.oneof(
    fc.constantFrom(
      '<h1>', '</h1>', '<p>', '</p>', '<a href=x>', '</a>', '<title>', '</title>', '<svg>', '</svg>',
      '<template>', '</template>', '<script>', '</script>', '<div', '/>', '>', '<!--', '-->', '<![CDATA[', ']]>',
      '&amp;', '&#x', '  ',
      '<img alt="', '"', '<meta name=description content=', '<html lang=', '<br>', '<', '</', '\0',
    ), fc.string(),
  ), { maxLength: 40 }).map((parts) => parts.join(''));

  test('has clean runs, and the same links with its text and without, whatever it is', () => {
    fc.assert(fc.property(soup, fc.boolean(), (html, isXhtml) => {
      const { text, ...links } = htmlLinks(html, { text: true, isXhtml });
      expect(links).toEqual(htmlLinks(html, { isXhtml }));
      expect(text!.anchors).toHaveLength(links.links.length);
      for (const { field, text: words } of runsOf(text!.lines)!) {
        expect(textFields).toContain(field);
        expect(words).toBe(words.replace(/\s+/g, ' ').trim());
        expect(words).not.toBe('');
      }
    }), { numRuns: tries(1000) });
  });

  test('may be any bytes', () => {
    const types = [undefined, 'text/html; charset=utf-16le', 'text/html; charset=shift_jis', 'text/html; charset=no'];
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...types), (bytes, type) => {
      expect(textOf(htmlText(bytes, type).text).isCut).toBe(false);
    }), { numRuns: tries(500) });
  });
});

describe('a hostile page', () => {
  const times = (piece: string, chars: number): string => piece.repeat(Math.ceil(chars / piece.length));
  const size = ({ lines, anchors }: CollectedText): number =>
    [...runsOf(lines)!.map(({ text }) => text), ...anchors].reduce((sum, { length }) => sum + length, 0);

  test('of 100 MB in one word is cut', () => {
    // Each is a line, with its field and a line feed.
    const { lines, isCut } = textOf(times('a', 1e8));
    expect([lines, isCut]).toEqual([`6${'a'.repeat(MAX_TEXT_CHARS)}\n`, true]);
    const plain = plainText(times('😀', 1e7));
    expect([plain.lines, plain.isCut]).toEqual([`6${'😀'.repeat(MAX_TEXT_CHARS / 2)}\n`, true]);
    // Half a character is left out.
    expect(textOf(`a${times('😀', 3e6)}`).lines.length).toBe(MAX_TEXT_CHARS - 1 + 2);
  });

  test.each([
    ['pieces in one run', 'a<b>'], ['runs', 'a<p>'], ['references', '&CounterClockwiseContourIntegral;'],
    ['white space', 'a \n \t'], ['headings', '<h1>a<div>'], ['open svg', '<svg>a'], ['open templates', '<template>'],
    ['open links', '<a href=x>a'], ['descriptions', '<meta name=description content="a a">b'],
    ['ends', '</h1></p></a></svg>a'], ['titles', '<title>a</title>'], ['open tags', '<a '], ['ampersands', '&'],
    ['images in a link', '<img alt="a b c d e f g h">a'], ['less-than signs', '<'],
  ])('of 2 MB of %s is bounded', (_, piece) => {
    const text = textOf(`<a href=y>${times(piece, 2e6)}`);
    expect(size(text)).toBeLessThanOrEqual(2 * MAX_TEXT_CHARS);
    expect(text.anchors.every(({ length }) => length <= MAX_ANCHOR_CHARS)).toBe(true);
  });

  test('of many long links has the words of the first ones', () => {
    const { anchors, isCut } = textOf(times(`<a href=x>${times('a', 300)}</a>`, 8e6));
    expect([anchors[0].length, anchors.at(-1), isCut]).toEqual([MAX_ANCHOR_CHARS, '', true]);
  });
});
