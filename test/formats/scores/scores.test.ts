import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  checkScoresFile, readScores, readUrlScores, scoresChecksum, writeScores, type Scores, type ScoresForm,
} from '../../../src/graphs/formats/index.ts';
import { buildGraph, hostsFromNames, StringTable, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { DrawStream, InputError } from '../../../src/base/index.ts';
import { isFullSweep, tries } from '../../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';
import { docsWeb } from '../../docs-web.ts';

// Goal: files of scores are read in every form, what is written reads back, and whatever is wrong is reported with its
// place.

const { file, folder } = temporaryFolder();

function graphOf(urls: readonly (readonly [host: string, path: string])[]): WebGraph {
  return buildGraph({
    name: 'urls',
    pages: urls.length,
    sources: Uint32Array.of(0),
    targets: Uint32Array.of(0),
    hosts: hostsFromNames(urls.map(([host]) => host)),
    paths: StringTable.from(urls.map(([, path]) => path)),
  });
}

const three = graphOf([['a.org', '/'], ['a.org', '/b?q=1'], ['c.org:81', '/']]);
const withoutUrls = buildGraph({ name: 'numbers', pages: 3, sources: Uint32Array.of(0), targets: Uint32Array.of(0) });

const read = (name: string, content: string | Uint8Array, graph = three): Promise<Scores> =>
  readScores(file(name, content), graph);

function float64(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => bytes.writeDoubleLE(value, 8 * i));
  return bytes;
}

describe('scores', () => {
  test.each<[string, string | Uint8Array, ScoresForm, number[]]>([
    ['values.f64', float64(0.5, 0, 1e-300), 'float64 values', [0.5, 0, 1e-300]],
    ['numbers.txt', '# mine\r\n0.5\r\n\r\n+1e-3\r\n.25', 'a number a line', [0.5, 0.001, 0.25]],
    ['numbers.gz', gzipSync('3\n-0\n1\n'), 'a number a line', [3, 0, 1]],
    [
      'ids.tsv', '#page\tscore\tURL\n2\t7\tc.org:81/\n0\t1\n1\t2.5\tanything\tat all\n', 'page ids and scores',
      [1, 2.5, 7],
    ],
    ['urls.tsv', 'HTTPS://A.org/b?q=1#there\t2\na.org\t1\nhttp://c.org:81\t4\n', 'URLs and scores', [1, 2, 4]],
    ['rank.txt', 'http://a.org/b?q=1 1\na.org/   4\nhttp://c.org:81/ 100\n', 'URLs and precedences', [0.25, 1, 0.01]],
  ])('are read from %s', async (name, content, form, expected) => {
    const { scores, ...rest } = await read(name, content);
    expect([...scores]).toEqual(expected);
    expect(Object.is(scores[1], -0)).toBe(false);
    expect(rest).toEqual({ form, pagesLeftOut: 0 });
  });

  test('by URL may leave pages out, which score 0', async () => {
    const { scores, pagesLeftOut } = await read('some.tsv', 'http://a.org/b?q=1\t2\n');
    expect([...scores]).toEqual([0, 2, 0]);
    expect(pagesLeftOut).toBe(2);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['short.f64', float64(1, 2), /short\.f64: has 16 bytes, but urls has 3 pages, 8 bytes each: 24$/],
    ['long.f64', float64(1, 2, 3, 4), /long\.f64: has 32 bytes/],
    ['odd.f64', float64(1, 2, 3).subarray(0, 23), /odd\.f64: has 23 bytes/],
    ['nan.f64', float64(1, NaN, 3), /nan\.f64: page 1, at byte 8: the score is NaN: not a number/],
    ['negative.f64', float64(1, 2, -3), /negative\.f64: page 2, at byte 16: the score is -3: negative/],
    ['infinite.f64', float64(Infinity, 2, 3), /page 0, at byte 0: the score is Infinity: larger than 3\.4e38/],
    ['zero.f64', float64(0, 0, 0), /zero\.f64: all scores are 0/],
    ['empty.txt', '', /empty\.txt: contains no scores; expected a number, /],
    ['comments.txt', '# 1\n\n', /comments\.txt: contains no scores/],
    ['few.txt', '1\n2\n', /few\.txt: has scores for 2 of the 3 pages of urls; the first without one is page 2/],
    ['many.txt', '1\n2\n3\n4\n', /many\.txt: line 4: is the first with more numbers than the 3 pages of urls/],
    ['word.txt', '1\nNaN\n3\n', /word\.txt: line 2: "NaN": the score "NaN" is not a number/],
    ['first.txt', 'NaN\n', /first\.txt: line 1: "NaN": expected a number, `page TAB score`/],
    ['minus.txt', '1\n-2\n3\n', /minus\.txt: line 2: "-2": the score "-2" is negative; the minimum is 0/],
    ['huge.txt', '1\n1e999\n', /huge\.txt: line 2: "1e999": the score "1e999" is larger than 3\.4e38/],
    ['unknown.tsv', '0\t1\n3\t1\n', /unknown\.tsv: line 2: page id 3 is not one of the 3 pages of urls/],
    ['twice.tsv', '0\t1\n1\t1\n0\t2\n', /twice\.tsv: line 3: "0\\t2": page 0 appears a second time/],
    [
      'missing.tsv', '2\t1\n0\t1\n',
      /missing\.tsv: has scores for 2 of the 3 pages of urls; the first without one is page 1/,
    ],
    [
      'cut.tsv', '0\t1\n1\t1\n2',
      /cut\.tsv: line 3: "2": expected a page id, a tab and a score, as in the lines before/,
    ],
    ['cut-score.tsv', '0\t1\n1\t\n', /cut-score\.tsv: line 2: "1\\t": the score "" is not a number/],
    [
      'nowhere.tsv', 'http://a.org/d\t1\nhttp://a.org/c\t1\n',
      /nowhere\.tsv: line 1: "http:\/\/a\.org\/d" is not a page of urls/,
    ],
    ['columns.csv', 'link,grade\nhttp://a.org/,1\n', /line 1: "link,grade": has no column score .* "link", "grade"/],
    ['fields.csv', 'url,score\nhttp://a.org/,1,2\n', /line 2: .*: has 3 fields where the header has 2/],
    ['open.csv', 'url,score\n"http://a.org/,1\n', /line 2: .*: a quoted field does not end/],
    ['mixed.csv', '0,1\na.org/,2\n', /line 2: "a\.org\/,2": expected a page id and a score, as in the lines before/],
    ['again.tsv', 'http://a.org/\t1\nhttps://a.org\t1\n', /again\.tsv: line 2: .*: page 0 appears a second time/],
    ['no-url.tsv', '\t1\n', /no-url\.tsv: line 1: "\\t1": expected a URL, a tab and a score/],
    [
      'fraction.txt',
      'http://a.org/ 0.5\n',
      /fraction\.txt: line 1: .*a precedence, an integer from 1; a score needs a tab before it/,
    ],
    ['zero.txt', 'http://a.org/ 0\n', /zero\.txt: line 1: .*an integer from 1/],
    ['latin.tsv', Buffer.from('http://a.org/\xe9\t1\n', 'latin1'), /latin\.tsv: line 1: is not UTF-8/],
    ['line.txt', `1\n${'1'.repeat(2 << 20)}`, /line\.txt: line 2 is longer than 1048576 bytes/],
    ['digits.txt', `${'1'.repeat(1 << 20)}x`.slice(1), /digits\.txt: line 1: "1{60}"\.\.\.: expected a number/],
    ['blanks.txt', `http://a.org/${' '.repeat(1 << 19)}x`, /blanks\.txt: line 1: .* an integer from 1/],
    ['cut.gz', gzipSync('1\n2\n3\n').subarray(0, 20), /cut\.gz: its gzip data are truncated/],
  ])('of %s are refused with their place', async (name, content, message) => {
    expect(await inputErrorOf(read(name, content))).toMatch(message);
  });

  test.each<[string, string]>([
    ['a header and commas', 'url,score\nhttp://a.org/b?q=1,2\na.org,1\nhttp://c.org:81/,4\n'],
    ['other columns, quoted', '"Rank";"Address";"Link Score"\n1;"c.org:81/";4\n2;"a.org";1\n3;"a.org/b?q=1";2\n'],
    ['tabs', 'page\tpagerank\nc.org:81\t4\na.org/\t1\na.org/b?q=1\t2\n'],
    ['blanks', 'id score\n2 4\n0 1\n1 2\n'],
    ['a header alone on its column', 'pagerank\n1\n2\n4\n'],
    ['no header, but commas', 'http://a.org/b?q=1,2\nhttp://a.org/,1\nhttp://c.org:81/,4e0\n'],
    ['ids and commas', '2, 4\n1,2\n0,1\n'],
    ['ids and semicolons', '2;4\n1;2\n0;1\n'],
    ['ids and blanks', '2 4\n1 2\n0 1\n'],
    ['unknown pages', 'url,score\na.org/c,7\na.org,1\na.org/b?q=1,2\nc.org:81,4\nd.org,1\n'],
  ])('are read with %s', async (what, content) => {
    for (const text of [content, `# made\n${content}`, content.replaceAll('\n', '\r\n'), `\u{feff}${content}`]) {
      const { scores, pagesLeftOut, pagesUnknown } = await read('other.csv', text);
      expect([...scores], text).toEqual([1, 2, 4]);
      expect([pagesLeftOut, pagesUnknown]).toEqual([0, what === 'unknown pages' ? 2 : undefined]);
      if (!text.includes('org')) continue;
      const byUrl = await readUrlScores(file('other.csv', text));
      expect([byUrl.get('a.org/'), byUrl.get('a.org/b?q=1'), byUrl.get('c.org:81/')], text).toEqual([1, 2, 4]);
    }
  });

  test('take the ids of the source, and page numbers only in a table of ours', async () => {
    const sparse = { ...withoutUrls, sourceIds: Uint32Array.of(1, 2, 3) };
    for (const text of ['3\t4\n2\t2\n1\t1\n', 'id,score\n1,1\n9,7\n2,2\n3,4\n'])
      expect([...(await read('source.tsv', text, sparse)).scores]).toEqual([1, 2, 4]);
    await writeScores(join(folder, 'ours.tsv'), sparse, Float64Array.of(1, 2, 4));
    expect([...(await readScores(join(folder, 'ours.tsv'), sparse)).scores]).toEqual([1, 2, 4]);
    expect(await inputErrorOf(read('source.tsv', '0\t1\n1\t1\n2\t1\n', sparse))).toMatch(
      /line 1: page id 0 is not one of the 3 pages of numbers\. A table has the ids of the source: 1 to 3/,
    );
    expect(await inputErrorOf(read('few.tsv', '1\t1\n2\t1\n', sparse))).toMatch(
      /the first without one is page 2 \(id 3 in the source\)/,
    );
  });

  test("of Common Crawl's ranks are those of the hosts of its graph", async () => {
    const hosts = buildGraph({
      name: 'hosts', pages: 3, sources: Uint32Array.of(0), targets: Uint32Array.of(1),
      hosts: hostsFromNames(['www.a.org', 'b.org', 'c.example']),
    });
    const text = '#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n' +
      '1\t3.1E7\t2\t0.25\torg.b\t1\n2\t2.9E7\t1\t0.5\torg.a.www\t2\n3\t1\t9\t1\tcom.other\t1\n';
    const { scores, pagesLeftOut, pagesUnknown } = await read('ranks.txt.gz', gzipSync(text), hosts);
    expect([...scores, pagesLeftOut, pagesUnknown]).toEqual([0.5, 0.25, 0, 1, 1]);
  });

  test('by URL need a graph with URLs', async () => {
    expect(await inputErrorOf(read('urls.tsv', 'a.org/\t1\n', withoutUrls))).toMatch(
      /line 1: "a\.org\/": numbers has no URLs/,
    );
    expect(() => {
      checkScoresFile('ranks.txt', withoutUrls);
    }).toThrow(/numbers has no URLs, and a \.txt file names pages by URL/);
    expect(() => { checkScoresFile('ranks.bin'); }).toThrow(/has an unknown extension; expected \.f64/);
    expect(await inputErrorOf(readScores(join(folder, 'none.f64'), three))).toMatch(/none\.f64: there is no such file/);
    expect(await inputErrorOf(readScores(folder, three))).toMatch(/is a folder/);
  });
});

describe('scores written', () => {
  const score = fc.oneof(
    fc.double({ min: 0, max: 3e38, noNaN: true }), fc.constantFrom(0, 5e-324, 1 / 3, 1e21, 123456789),
  );
  const host = fc.constantFrom('a.org', 'b.org', 'c.org:8080', 'münchen.example');
  const path = fc.oneof(
    fc.constantFrom('/', '/a b', '/a\tb', '/a%20c', '/?', '/ä', '/\u2028'),
    fc.string({ maxLength: 8 }).map((text) => `/${text.replace(/#/g, '')}`),
  );
  const scored = fc
    .uniqueArray(fc.tuple(host, path), {
      minLength: 1, maxLength: 30, selector: ([h, p]) => h + p.replace(/\s/g, encodeURIComponent),
    })
    .chain((urls) => fc.tuple(fc.constant(urls), fc.array(score, { minLength: urls.length, maxLength: urls.length })))
    .filter(([, scores]) => scores.some((value) => value > 0));

  test('read back: .f64 and .tsv to the bit, .txt in order', async () => {
    await fc.assert(
      fc.asyncProperty(scored, async ([urls, values]) => {
        const graph = graphOf(urls);
        const scores = Float64Array.from(values);
        for (const name of ['back.f64', 'back.tsv', 'back.txt']) await writeScores(join(folder, name), graph, scores);
        expect((await readScores(join(folder, 'back.f64'), graph)).scores).toEqual(scores);
        expect((await readScores(join(folder, 'back.tsv'), graph)).scores).toEqual(scores);
        const { scores: back, form, pagesLeftOut } = await readScores(join(folder, 'back.txt'), graph);
        expect([form, pagesLeftOut]).toEqual(['URLs and precedences', 0]);
        const byScore = [...values.keys()].sort((a, b) => values[b] - values[a]);
        for (let i = 1; i < byScore.length; i++) {
          const [better, worse] = [byScore[i - 1], byScore[i]];
          expect(back[better]).toBeGreaterThanOrEqual(back[worse]);
          if (values[better] === values[worse]) expect(back[better]).toBe(back[worse]);
        }
      }),
      { numRuns: isFullSweep ? 60 : 15 },
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('without URLs, with ids of the source; the checksum is that of the .f64 file', async () => {
    const graph = { ...withoutUrls, sourceIds: Uint32Array.of(10, 20, 30) };
    const scores = Float64Array.of(0.25, 0.5, 0.25);
    await writeScores(join(folder, 'ids.tsv'), graph, scores);
    expect(readFileSync(join(folder, 'ids.tsv'), 'utf8')).toBe(
      '#page\tscore\tid in the source\n0\t0.25\t10\n1\t0.5\t20\n2\t0.25\t30\n',
    );
    await writeScores(join(folder, 'sum.f64'), graph, scores);
    expect(scoresChecksum(scores)).toBe(
      createHash('sha256')
        .update(readFileSync(join(folder, 'sum.f64')))
        .digest('hex'),
    );
  });

  test('for Heritrix: URLs with their scheme, a blank, hundredths of the pages from 1 on, best first', async () => {
    await writeScores(join(folder, 'rank.txt'), three, Float64Array.of(0.2, 0.6, 0.2));
    expect(readFileSync(join(folder, 'rank.txt'), 'utf8')).toBe(
      'http://a.org/b?q=1 1\nhttp://a.org/ 34\nhttp://c.org:81/ 34\n',
    );
  });

  test('of docs-web find every page again', async () => {
    const graph = docsWeb;
    const draws = new DrawStream(5, 'scores of docs-web');
    const scores = Float64Array.from({ length: graph.pages }, (_, page) => draws.uniform(page));
    await writeScores(join(folder, 'docs-web.txt'), graph, scores);
    const { scores: back, pagesLeftOut } = await readScores(join(folder, 'docs-web.txt'), graph);
    expect(pagesLeftOut).toBe(0);
    const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a]);
    expect(order.findIndex((page, i) => back[page] > back[order[i - 1]])).toBe(-1);
    expect(new Set(back).size).toBe(100);
  });
});

test('damaged files give scores or an InputError with the file\'s name, never anything else', async () => {
  const draws = new DrawStream(17, 'damaged scores');
  let drawn = 0;
  const below = (bound: number): number => Math.floor(draws.uniform(drawn++) * bound);
  const whole: [string, Buffer][] = [
    ['damaged.f64', Buffer.from(float64(1, 2, 3))],
    ['damaged.txt', Buffer.from('0.5\n1e-3\n.25\n')],
    ['damaged.tsv', Buffer.from('#page\tscore\tURL\n0\t0.5\ta.org/\n1\t1\ta.org/b?q=1\n2\t3\tc.org:81/\n')],
    ['damaged-urls.tsv', Buffer.from('http://a.org/\t1\na.org/b?q=1\t0.5\nhttp://c.org:81/\t2\n')],
    ['damaged-rank.txt', Buffer.from('http://a.org/ 1\nhttp://a.org/b?q=1 2\nhttp://c.org:81/ 34\n')],
    ['damaged.gz', gzipSync('0.5\n1e-3\n.25\n')],
  ];
  const put = ['0', '9', '-', '.', '\t', ' ', '\n', '\r', '#', 'e', '\xff', '\0', '99999999999'].map((text) =>
    Buffer.from(text, 'latin1'),
  );
  let refused = 0;
  for (let round = 0; round < tries(480); round++) {
    const [name, content] = whole[round % whole.length];
    let bytes = content;
    for (let faults = 1 + below(3); faults > 0; faults--) {
      const at = below(bytes.length + 1);
      const bytesLost = [0, 1, 1 + below(9), bytes.length][below(4)];
      bytes = Buffer.concat([bytes.subarray(0, at), put[below(put.length)], bytes.subarray(at + bytesLost)]);
    }
    try {
      const { scores } = await readScores(file(name, bytes), three);
      expect(scores.length).toBe(3);
      expect(scores.every((score) => score >= 0 && score <= 3.5e38)).toBe(true);
      expect(scores.some((score) => score > 0)).toBe(true);
    } catch (error) {
      if (!(error instanceof InputError) || !error.message.includes(name)) throw error;
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(tries(200));
  expect(refused).toBeLessThan(tries(480));
});
