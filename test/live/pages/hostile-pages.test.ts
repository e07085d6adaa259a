import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PageReader, readPage } from '../../../src/core/live/pages/read-page.ts';
import { isFullSweep } from '../../sweep.ts';
import { html, settingsOf } from './pages.ts';

// Goal: pages made to fill the memory or to take for ever have named outcomes, soon.

const settings = settingsOf();
const MiB = 1 << 20;
/** The pages below have some of these bytes, bombs 256 times as many. */
const unit = isFullSweep ? MiB : MiB / 8;

/** Gzip of the same MiB again and again, made piece by piece. */
async function bomb(mebibytes: number): Promise<Buffer> {
  const zip = createGzip({ level: 1 });
  const pieces: Buffer[] = [];
  zip.on('data', (piece: Buffer) => pieces.push(piece));
  const piece = Buffer.alloc(MiB);
  for (let i = 0; i < mebibytes; i++) if (!zip.write(piece)) await new Promise((resolve) => zip.once('drain', resolve));
  await new Promise((resolve) => zip.on('end', resolve).end());
  return Buffer.concat(pieces);
}

describe('bombs', () => {
  test('end when they pass a limit, whatever is in them', async () => {
    const once = await bomb(256 * unit / MiB);
    const before = process.memoryUsage().arrayBuffers;
    // 10 GB in 10 MB (or an eighth), as one file of many members.
    const large = Buffer.concat(Array<Buffer>(40).fill(once));
    for (const [body, coding] of [
      [once, 'gzip'], [large, 'gzip'], [gzipSync(once), 'gzip, gzip'], [gzipSync(gzipSync(once)), 'gzip,gzip,gzip'],
      [gzipSync(large), 'x-gzip, gzip'],
      [brotliCompressSync(Buffer.alloc(128 * unit), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), 'br'],
    ] as const) {
      expect(readPage(html(body, ['Content-Encoding', coding]), settings).fault).toBe('decoded body too long');
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * MiB);
  });
});

describe('pages of', () => {
  const of = (text: string, maxLinks = 10_000) => readPage(html(text), settingsOf({ maxLinks }));

  test('100,000 links: the first ones', () => {
    const text = Array.from({ length: 100_000 }, (_, i) => `<a href=${i}>`).join('');
    const { links, leftOut } = of(text, 1000);
    expect([links.length, links[999], leftOut.beyondLimit]).toEqual([1000, 'http://a.org/d/999', 99_000]);
    expect(of(text, 0)).toMatchObject({ links: [], leftOut: { beyondLimit: 100_000 } });
  });

  test('links that are all left out: so many are looked at and no more', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `<a href=mailto:${i}>`).join('');
    expect(of(text, 100)).toMatchObject({ links: [], leftOut: { notHttp: 800, beyondLimit: 19_200 } });
  });

  test.each<[string, string, number]>([
    ['elements in elements', '<div><b>'.repeat(unit / 4), 0],
    ['end tags', `${'<a href=x>'.repeat(unit / 8)}${'</p>'.repeat(unit / 4)}`, 1],
    ['<', '<'.repeat(16 * unit), 0],
    ['&', `<a href="${'&'.repeat(unit)}">`, 0],
    ['references', `<a href="${'&amp;'.repeat(unit / 4)}">`, 0],
    ['digits', `<a href="&#${'0'.repeat(4 * unit)}65;">`, 1],
    ['one attribute', `<a href="${'x'.repeat(16 * unit)}"><a href=y>`, 1],
    ['attributes', `<a ${'x '.repeat(unit)}href=y>`, 1],
    ['one name', `<a ${'x'.repeat(4 * unit)} href=y>`, 1],
    ['an open comment', `<!--${'-->x<!--'.repeat(unit / 4)}`, 0],
    ['an open quote', '<a href="'.repeat(unit), 0],
    ['blanks', `<a href="${' '.repeat(8 * unit)}x">`, 0],
    ['words', `<a rel="${'x '.repeat(unit)}" href=y>`, 1],
    ['refreshes', `<meta http-equiv=refresh content="${'0'.repeat(unit)}${' '.repeat(unit)};url=y">`, 1],
    ['bases', '<base href=x><a href=y>'.repeat(unit / 16), 1],
  ])('nothing but %s', (_, text, count) => {
    expect(of(text).links).toHaveLength(count);
  });

  test('the same folder, again and again, with ever other links: the cache stays bounded', () => {
    const reader = new PageReader(settings);
    for (let i = 0; i < 20; i++) {
      const text = Array.from({ length: 2000 }, (_, link) => `<a href=${i}-${link}>`).join('');
      expect(reader.read(html(text)).links[1999]).toBe(`http://a.org/d/${i}-1999`);
    }
  });
});
