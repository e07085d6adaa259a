import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { graphChecksum, checkGraph, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { readWarc, type WarcOptions } from '../../../src/graphs/formats/index.ts';
import { DrawStream, InputError } from '../../../src/base/index.ts';
import { orbweaver } from '../../cli/command.ts';
import { tries } from '../../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { gzipped, linking, record, response } from './warc-archive.ts';

// Goal: what is damaged in an archive is left out and reported with its place, and all that is sound is stored.

const { file, folder } = temporaryFolder();

async function read(bytes: Uint8Array, options: WarcOptions = {}): Promise<{ graph: WebGraph; notes: string[] }> {
  const notes: string[] = [];
  const path = file('crawl.warc', bytes);
  const graph = await readWarc([path], { ...options, onNote: (note) => notes.push(note.replace(`${folder}/`, '')) });
  checkGraph(graph);
  return { graph, notes };
}

/** Fetched pages `a`, `b` and so on of a damaged archive, and what is said of the damage. */
async function survivors(bytes: Uint8Array): Promise<{ pages: string; faults: string[] }> {
  const { graph, notes } = await read(bytes, { fetchedOnly: true });
  const pages = Array.from({ length: graph.pages }, (_, page) => graph.paths?.at(page).slice(1)).join('');
  return {
    pages,
    faults: notes.filter((note) => note.startsWith('crawl.warc: ')).map((note) => note.slice('crawl.warc: '.length)),
  };
}

/** Pages a, b, c ... of one host, each linking to the next. */
const records = 'abcdef'.split('').map((name, i) => response(`http://h.org/${name}`, linking(`/${'bcdefg'[i]}`)));
const [a, b, c] = records;

const withLength = (length: string): Buffer =>
  Buffer.from(b.toString('latin1').replace(/Content-Length: \d+/, `Content-Length: ${length}`), 'latin1');
const trueLength = Number(/Content-Length: (\d+)/.exec(b.toString('latin1'))?.[1]);

describe('records that are broken', () => {
  test.each<[string, Buffer, string, string]>([
    [
      'too short a length',
      Buffer.concat([a, withLength(String(trueLength - 3)), c]),
      'abc',
      `byte ${a.length + withLength(String(trueLength - 3)).length - 7}: no record begins here, but "/a>\\x0d\\x0a"`,
    ],
    [
      'too long a length',
      Buffer.concat([a, withLength(String(trueLength + 40)), c, a]),
      'ab',
      `byte ${a.length + withLength(String(trueLength + 40)).length + 36}: no record begins here, but `,
    ],
    [
      'a length beyond the end',
      Buffer.concat([a, withLength('99999999999'), c]),
      'ac',
      `record at byte ${a.length}: its Content-Length of 99999999999 leads beyond the end of the file`,
    ],
    [
      'an absurd length',
      Buffer.concat([a, withLength('9'.repeat(400)), c]),
      'ac',
      `record at byte ${a.length}: its Content-Length is "999999999`,
    ],
    [
      'a negative length',
      Buffer.concat([a, withLength('-1'), c]),
      'ac',
      `record at byte ${a.length}: its Content-Length is "-1"`,
    ],
    ['no length', Buffer.concat([a, withLength(''), c]), 'ac', `record at byte ${a.length}: its Content-Length is ""`],
    [
      'no type',
      Buffer.concat([a, Buffer.from('WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n'), c]),
      'ac',
      `record at byte ${a.length}: names no WARC-Type`,
    ],
    [
      'a header broken off',
      Buffer.concat([a, b.subarray(0, 30), Buffer.from('\n'), c]),
      'ac',
      `record at byte ${a.length}: its header is broken off by the next record`,
    ],
    [
      'a huge header',
      Buffer.concat([a, Buffer.from('WARC/1.0\r\nX: '), Buffer.alloc(1 << 20, 'y'), Buffer.from('\r\n\r\n'), c]),
      'ac',
      `record at byte ${a.length}: its header is longer than 65536 bytes`,
    ],
    [
      'bytes between records',
      Buffer.concat([a, Buffer.alloc(200_000, 'z'), Buffer.from('\n'), c]),
      'ac',
      `byte ${a.length}: no record begins here, but "zzz`,
    ],
    [
      'a cut file',
      Buffer.concat([a, b, c]).subarray(0, -30),
      'ab',
      `record at byte ${a.length + b.length}: its Content-Length of ${trueLength} leads beyond the end of the file`,
    ],
    [
      'a cut header',
      Buffer.concat([a, b, c.subarray(0, 40)]),
      'ab',
      `record at byte ${a.length + b.length}: is truncated by the end of the file, within its header`,
    ],
    [
      'no HTTP',
      Buffer.concat([a, record('response', { 'WARC-Target-URI': 'http://h.org/x' }, '<html>'), c]),
      'ac',
      `record at byte ${a.length}: its block is not an HTTP response`,
    ],
    [
      'a target that is no URL',
      Buffer.concat([a, response('http://[', ''), c]),
      'ac',
      `record at byte ${a.length}: its WARC-Target-URI is not a URL of http or https`,
    ],
  ])('%s', async (_, bytes, pages, fault) => {
    const found = await survivors(bytes);
    expect(found.pages).toBe(pages);
    expect(found.faults).toHaveLength(1);
    expect(found.faults[0].slice(0, fault.length)).toBe(fault);
  });

  test('five faults are reported one by one, the others counted', async () => {
    const { faults } = await survivors(Buffer.concat([a, ...Array.from({ length: 9 }, () => withLength('x'))]));
    expect(faults).toHaveLength(6);
    expect(faults[5]).toBe('4 more faults like these');
  });

  test('names that are not UTF-8 are read as Latin-1', async () => {
    const { graph } = await read(Buffer.from(response('http://h.org/café', '').toString('utf8'), 'latin1'));
    expect(graph.paths?.at(0)).toBe('/caf%C3%A9');
  });

  test('files without a page give one message', async () => {
    expect(await inputErrorOf(read(record('warcinfo', {}, 'x')))).toMatch(
      /crawl\.warc: no record is an HTTP response with a page \(records: 1 warcinfo\)$/,
    );
    expect(await inputErrorOf(read(Buffer.alloc(0)))).toMatch(/crawl\.warc: contains no WARC record that can be read$/);
    expect(await inputErrorOf(readWarc([folder]))).toMatch(/is a folder, not a file/);
    expect(await inputErrorOf(readWarc([`${folder}/nothing`]))).toMatch(/there is no such file/);
  });
});

describe('a file whose only record is damaged', () => {
  const at = (place: string): string => `contains no WARC record that can be read: ${place}: `;
  const noPage = (what: string): string =>
    `no record is an HTTP response with a page (records: 1 ${what}). The first fault: `;
  test.each<[string, string, Uint8Array, string]>([
    [
      'a header truncated',
      'x.warc',
      Buffer.from('WARC/1.0\r\n'),
      `${at('record at byte 0')}is truncated by the end of the file, within its header`,
    ],
    [
      'a wrong length',
      'x.warc',
      withLength('9999'),
      `${at('record at byte 0')}its Content-Length of 9999 leads beyond the end of the file`,
    ],
    [
      'blanks before it',
      'x.warc',
      Buffer.concat([Buffer.from('\r\n\r\n'), withLength('x')]),
      `${at('record at byte 4')}its Content-Length is "x"`,
    ],
    ['a member truncated', 'x.warc.gz', gzipSync(a).subarray(0, 60), `${at('byte 0')}the gzip member is truncated`],
    [
      'a record cut within its member',
      'x.warc.gz',
      gzipSync(a.subarray(0, -20)),
      `${at('record at byte 0 of the gzip member at byte 0')}is truncated by the end of the file: 16 of`,
    ],
    ['no record', 'x.warc', Buffer.from('<html>\n'), `${at('byte 0')}no record begins here, but "<html>`],
    [
      'no HTTP',
      'x.warc',
      record('response', { 'WARC-Target-URI': 'http://h.org/x' }, '<html>'),
      `${noPage('response')}%: record at byte 0: its block is not an HTTP response`,
    ],
    [
      'no URL',
      'x.warc',
      response('http://[', ''),
      `${noPage('response')}%: record at byte 0: its WARC-Target-URI is not a URL of http or https`,
    ],
    [
      'no JSON',
      'x.wat',
      record('metadata', { 'Content-Type': 'application/json' }, '{"Envelope":'),
      `${noPage('metadata')}%: record at byte 0: its block is not JSON`,
    ],
  ])('is refused with the fault and its place: %s', async (_, name, bytes, fault) => {
    const path = file(name, bytes);
    const message = await inputErrorOf(openGraph(path));
    expect(message.slice(0, path.length + 2 + fault.length + (fault.includes('%') ? path.length - 1 : 0))).toBe(
      `${path}: ${fault.replace('%', path)}`,
    );
  });

  test('is refused so by import, which prints no notes then', async () => {
    const { code, stderr } = await orbweaver(['import', file('x.warc', withLength('9999')), '--out', 'x.owg'], folder);
    expect(code).toBe(2);
    expect(stderr).toContain('record at byte 0: its Content-Length of 9999 leads beyond the end of the file');
  });
});

describe('gzip that is damaged', () => {
  const members = records.map((bytes) => gzipSync(bytes));
  const memberStarts = members.map((_, i) => Buffer.concat(members.slice(0, i)).length);

  test('costs the member, and nothing before or behind it', async () => {
    const whole = Buffer.concat(members);
    const flipped = Buffer.from(whole);
    flipped[memberStarts[2] + 40] ^= 0xff;
    const wrongSum = Buffer.from(whole);
    wrongSum[memberStarts[3] - 6] ^= 1;
    for (const bytes of [flipped, wrongSum]) {
      const { pages, faults } = await survivors(bytes);
      expect(pages).toBe('abdef');
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(new RegExp(`^byte ${memberStarts[2]}: the gzip member is damaged`));
    }
    const inserted = Buffer.concat([...members.slice(0, 2), Buffer.from('rubbish'), ...members.slice(2)]);
    expect(await survivors(inserted)).toEqual({
      pages: 'abcdef',
      faults: [`byte ${memberStarts[2]}: no gzip member begins here`],
    });
    expect(await survivors(whole.subarray(0, -20))).toEqual({
      pages: 'abcde',
      faults: [`byte ${memberStarts[5]}: the gzip member is truncated`],
    });
    expect(await survivors(whole.subarray(0, -4))).toEqual({
      pages: 'abcde',
      faults: [`byte ${memberStarts[5]}: the gzip member is truncated`],
    });
  });

  test('a record that its member cuts short does not swallow the next', async () => {
    const { pages, faults } = await survivors(gzipped([a, b.subarray(0, -20), c]));
    expect(pages).toBe('ac');
    expect(faults).toEqual([
      expect.stringMatching(
        new RegExp(
          `^record at byte 0 of the gzip member at byte ${memberStarts[1]}: is truncated by the end of its gzip member: 16 of`,
        ),
      ),
    ]);
  });

  test('a member with many records is read up to the damage', async () => {
    const filler = new DrawStream(7, 'filler');
    const long = 'abcdef'
      .split('')
      .map((name) =>
        response(
          `http://h.org/${name}`,
          Buffer.from(Uint32Array.from({ length: 30_000 }, (_, i) => filler.uint32(i)).buffer),
        ),
      );
    const one = gzipSync(Buffer.concat(long));
    const { pages, faults } = await survivors(one.subarray(0, Math.floor(one.length * 0.6)));
    expect(pages).toBe('abc');
    expect(faults).toEqual(['byte 0: the gzip member is truncated']);
  });

  test('a gzip bomb is left as soon as it shows', async () => {
    const bomb = gzipSync(record('response', { 'WARC-Target-URI': 'http://h.org/b' }, Buffer.alloc(70 << 20)));
    const found = await survivors(Buffer.concat([members[0], bomb, members[2]]));
    expect(found).toEqual({
      pages: 'ac',
      faults: [`byte ${memberStarts[1]}: the gzip member grows more than 250 times: not read further`],
    });
  });

  test('a file of nothing but beginnings is given up', async () => {
    const beginnings = Buffer.from(
      Array.from({ length: 2000 }, () => [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 7, 7]).flat(),
    );
    const { pages, faults } = await survivors(Buffer.concat([members[0], beginnings, members[1]]));
    expect(pages).toBe('a');
    expect(faults).toHaveLength(2);
    expect(faults[1]).toMatch(/^byte \d+: the 1000th fault: the rest of the file is not read$/);
  });
});

describe('archives damaged at random', () => {
  const plain = Buffer.concat(records);
  const zipped = gzipped(records);
  const ends = records.map((_, i) => gzipped(records.slice(0, i + 1)).length);

  /** The graph of damaged bytes and the faults reported, or the message that refused them. */
  async function outcome(bytes: Uint8Array): Promise<{ graph?: WebGraph; faults: number }> {
    try {
      const { graph, notes } = await read(bytes);
      return { graph, faults: notes.filter((note) => note.startsWith('crawl.warc: ')).length };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      expect(error.message).not.toMatch(/\n|undefined|NaN/);
      return { faults: 1 };
    }
  }

  test('give a graph or one message, never anything else', async () => {
    const draws = new DrawStream(2026, 'damaged archives');
    for (let i = 0; i < tries(160); i++) {
      const bytes = Buffer.from(plain);
      const flips = 1 + (draws.uint32(i, 1) % 8);
      for (let flip = 0; flip < flips; flip++)
        bytes[draws.uint32(i, 2 + 2 * flip) % bytes.length] ^= 1 + (draws.uint32(i, 3 + 2 * flip) % 255);
      await outcome(i % 4 === 0 ? bytes.subarray(0, draws.uint32(i, 40) % bytes.length) : bytes);
    }
  });

  test('are the same graph or have a fault reported, where gzip has checksums', async () => {
    const expected = graphChecksum((await read(zipped)).graph);
    const draws = new DrawStream(2027, 'damaged archives');
    for (let i = 0; i < tries(120); i++) {
      const bytes = Buffer.from(zipped);
      bytes[draws.uint32(i, 0) % bytes.length] ^= 1 << (draws.uint32(i, 1) % 8);
      const { graph, faults } = await outcome(bytes);
      if (faults === 0) expect(graphChecksum(graph!)).toBe(expected);
    }
  });

  test('keep every member before a cut', async () => {
    const draws = new DrawStream(2028, 'damaged archives');
    for (let i = 0; i < tries(60); i++) {
      const length = 2 + (draws.uint32(i) % (zipped.length - 2));
      const whole = ends.filter((end) => end <= length).length;
      const { graph, faults } = await outcome(zipped.subarray(0, length));
      expect(graph?.bytes?.filter((bytes) => bytes > 0).length ?? 0).toBe(whole);
      expect(faults).toBe(ends.includes(length) ? 0 : 1);
    }
  });
});
