import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readWarc } from '../../../src/graphs/formats/index.ts';
import { checkGraph } from '../../../src/graphs/graph/index.ts';
import { inputErrorOf } from '../../temporary-folder.ts';

// Goal: archives as six projects' test suites have them are read as a second, dull parser reads them: whole files,
// strings and regular expressions, no code of the reader's.

const suites = fileURLToPath(new URL('../../../../shared/datasets/warc/', import.meta.url));

/** Pages fetched, with their bytes and what they link to, as sound and simple archives state them. */
function dullPages(file: string): Map<string, { bytes: number; links: Set<string> }> {
  const raw = readFileSync(file);
  const text = (raw[0] === 0x1f ? gunzipSync(raw) : raw).toString('latin1');
  const pages = new Map<string, { bytes: number; links: Set<string> }>();
  for (let at = 0; at < text.length; ) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    if (headEnd < 0) break;
    const head = text.slice(at, headEnd);
    const length = Number(/^Content-Length: *(\d+)/im.exec(head)?.[1]);
    const block = text.slice(headEnd + 4, headEnd + 4 + length);
    at = headEnd + 4 + length + 4;
    if (!/^WARC-Type: *response\r?$/im.test(head)) continue;
    const url = new URL(/^WARC-Target-URI: *<?(.*?)>?\r?$/im.exec(head)![1]);
    if (url.pathname === '/robots.txt') continue;
    const [, status] = /^HTTP\/1\.\d (\d+)/.exec(block)!;
    const httpHead = block.slice(0, block.indexOf('\r\n\r\n'));
    let body = block.slice(httpHead.length + 4);
    if (/^Transfer-Encoding: *chunked/im.test(httpHead) && /^[0-9a-f]+\r\n/i.test(body)) body = dullUnchunk(body);
    const bytes = body.length;
    if (/^Content-Encoding: *gzip/im.test(httpHead) && body.startsWith('\x1f\x8b'))
      body = gunzipSync(Buffer.from(body, 'latin1')).toString('latin1');
    const location = /^Location: *(.*?)\r?$/im.exec(httpHead)?.[1];
    const name = pageName(url);
    if (
      !/^[23]/.test(status) ||
      (location !== undefined && pageName(new URL(location, url)) === name) ||
      pages.has(name)
    )
      continue;
    const links = status.startsWith('3')
      ? [location!]
      : /^Content-Type: *text\/html/im.test(httpHead)
        ? dullLinks(body)
        : [];
    const base = new URL(/<base [^>]*href="([^"]*)"/i.exec(body)?.[1] ?? '', url).href;
    pages.set(name, {
      bytes,
      links: new Set(
        links.flatMap((link) =>
          URL.canParse(link, base) && /^http/.test(new URL(link, base).href) ? pageName(new URL(link, base)) : [],
        ),
      ),
    });
  }
  return pages;
}

function pageName(url: URL): string {
  const unreserved = (octet: string): boolean => /^[\w.~-]$/.test(String.fromCharCode(parseInt(octet.slice(1), 16)));
  return (
    url.host +
    (url.pathname + url.search)
      .replace(/%(?![0-9a-f]{2})/gi, '%25')
      .replace(/%[0-9a-f]{2}/gi, (octet) =>
        unreserved(octet) ? String.fromCharCode(parseInt(octet.slice(1), 16)) : octet.toUpperCase(),
      )
  );
}

function dullUnchunk(body: string): string {
  const found = /^([0-9a-f]+)\r\n/i.exec(body);
  const size = parseInt(found?.[1] ?? '0', 16);
  if (!found || size === 0) return '';
  const rest = body.slice(found[0].length);
  return rest.slice(0, size) + dullUnchunk(rest.slice(size + 2));
}

function dullLinks(latin1: string): string[] {
  const html = Buffer.from(latin1, 'latin1')
    .toString('utf8')
    .replace(/<!--[^]*?-->|<(script|style|textarea|title)\b[^]*?<\/\1>/gi, '');
  return [...html.matchAll(/<(a|area|frame|iframe|meta)\s[^>]*>/gi)].flatMap(([tag, name]) => {
    if (name.toLowerCase() === 'meta')
      return /http-equiv=["']?refresh/i.test(tag) ? [/;\s*url=([^"' >]+)/i.exec(tag)?.[1] ?? []].flat() : [];
    const attribute = name.toLowerCase().startsWith('a') ? 'href' : 'src';
    const value = new RegExp(`\\s${attribute}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'i').exec(tag);
    const link = (value?.[1] ?? value?.[2] ?? value?.[3])
      ?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/&amp;/g, '&');
    return link === undefined || /^\s*#/.test(link) || /\srel\s*=\s*["']?[^"'>]*nofollow/i.test(tag) ? [] : [link];
  });
}

async function read(name: string) {
  const notes: string[] = [];
  const graph = await readWarc([suites + name], { onNote: (note) => notes.push(note.replace(suites, '')) });
  checkGraph(graph);
  const names = Array.from(
    { length: graph.pages },
    (_, page) => graph.hosts.names.at(graph.hosts.ofPage[page]) + String(graph.paths?.at(page)),
  );
  const linksOf = (page: number) =>
    new Set(
      [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])].map((target) => names[target]),
    );
  return { graph, names, linksOf, faults: notes.filter((note) => note.startsWith(name)) };
}

// Skipped without the files: they lie beside the project and not in it.
describe.skipIf(!existsSync(suites))('archives of other projects (skipped where absent)', () => {
  test.each([
    'ia-web-commons/IAH-urls-wget.warc', 'ia-web-commons/IAH-urls-wget.warc.gz',
    'ia-web-commons/html-lang-attribute.warc', 'ia-web-commons/text-extraction-test.warc',
    'ia-web-commons/title-extraction-embedded-SVG.warc', 'iipc-spec/20130729-heritrix-original.warc.gz',
    'iipc-spec/20141129-heritrix-original.warc.gz', 'iipc-spec/hello-world.warc', 'jwarc/cc.warc.gz',
    'warcio/example.warc.gz', 'warcio/example-iana.org-chunked.warc', 'warcio/example-wget-bad-target-uri.warc.gz',
    'warcio/example-bad.warc.gz.bad', 'warcio/post-test.warc.gz', 'warcio.js/redirect.warc',
    'warcio.js/post-test-more.warc', 'whirlwind/whirlwind.warc', 'whirlwind/whirlwind.warc.gz',
  ])('%s is read as a dull parser reads it', async (name) => {
    const { graph, names, linksOf, faults } = await read(name);
    const expected = [...dullPages(suites + name)];
    expect(expected.length).toBeGreaterThan(0);
    expect(names.slice(0, expected.length)).toEqual(expected.map(([page]) => page));
    expected.forEach(([, { bytes, links }], page) => {
      expect(graph.bytes?.[page]).toBe(bytes);
      expect(linksOf(page)).toEqual(links);
    });
    const linked = new Set(expected.flatMap(([, { links }]) => [...links]));
    expect(new Set(names)).toEqual(new Set([...expected.map(([page]) => page), ...linked]));
    expect(faults).toEqual([]);
  });

  test.each<[string, number, RegExp | undefined]>([
    ['warcio.js/example-bad-length.warc', 1, /: byte 2561: no record begins here/],
    ['warcio/example-trunc.warc', 1, /: byte 2560: no record begins here/],
    ['warcio/example-wrong-chunks.warc.gz', 1, undefined],
    ['warcio/example-bad-non-chunked.warc.gz', 1, undefined],
  ])('%s, malformed, keeps what is sound', async (name, pages, fault) => {
    const { graph, faults } = await read(name);
    expect(graph.bytes?.filter((bytes) => bytes > 0)).toHaveLength(pages);
    expect(faults).toHaveLength(fault ? 1 : 0);
    if (fault) expect(faults[0]).toMatch(fault);
  });

  test.each([
    ['warcio/example.arc.gz', 'is an ARC file'], ['warcio/bad.arc', 'is an ARC file'],
    ['ia-web-commons/IAH-20080430204825-00000-blackbook-truncated.arc', 'is an ARC file'],
    ['ia-web-commons/double-single-inflate-error.gz', 'contains no WARC record'],
    ['ia-web-commons/empty.gz', 'contains no WARC record'],
    ['iipc-spec/hello-world.warc.cdx', 'contains no WARC record'],
    ['jwarc/gzip_extra_sl.warc.gz', 'records: 1 warcinfo'],
    ['whirlwind/whirlwind.warc.wat.gz', 'records: 1 metadata, 1 warcinfo'],
    ['whirlwind/whirlwind.warc.wet.gz', 'records: 1 conversion, 1 warcinfo'],
    ['warcio/example-digest.warc', 'records: 4 request'],
  ])('%s holds no page, and one message says so', async (name, message) => {
    expect(await inputErrorOf(readWarc([suites + name]))).toContain(message);
  });
});
