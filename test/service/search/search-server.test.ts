import { describe, expect, test } from 'vitest';
import type { SearchResult } from '../../../src/search/index.ts';
import { escaped, html, safeHref } from '../../../src/views/service/search/markup.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { servedIndex } from './served.ts';

// Goal: what was indexed never becomes markup; pages and JSON show the same results; nobody without the token gets any.

const { folder } = temporaryFolder();
const served = servedIndex(folder);

const json = async (path: string): Promise<SearchResult & { ms: number }> =>
  await (await served.ask(path)).json() as SearchResult & { ms: number };
const page = async (path: string): Promise<string> => (await served.ask(path)).text();

describe('who may search', () => {
  test.each(['/', '/?q=wolf', '/api/search?q=wolf', '/opensearch.xml', '/search.css'])(
    '%s without the token is refused', async (path) => {
      const response = await fetch(new URL(path, served.origin));
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        error: 'open the URL that orbweaver serve search printed: it contains a token',
      });
    });

  test('every answer forbids what is of others; forms lead to the search alone', async () => {
    for (const path of ['/', '/?q=wolf', '/api/search?q=wolf', '/nothing']) {
      const policy = (await served.ask(path)).headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
    }
  });

  test('another site learns nothing', async () => {
    expect((await served.ask('/api/search?q=wolf', { Origin: 'http://evil.example' })).status).toBe(403);
  });
});

describe('results', () => {
  test('pages and JSON have the same, in the same order, and all of them by cursor', async () => {
    const urls: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const cursor = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const { hits, next, total }: SearchResult = await json(`/api/search?q=grey+wolf${cursor}`);
      expect(total).toBe(24);
      const text = await page(`/?q=grey+wolf${cursor}`);
      const shown = [...text.matchAll(/<h2><a href="([^"]*)"/g)].map(([, url]) => url);
      expect(shown).toEqual(hits.map(({ url }) => url));
      urls.push(...shown);
      after = next;
    }
    expect(new Set(urls).size).toBe(24);
    expect(urls).toHaveLength(24);
  });

  test('hosts, further URLs of a text, other rankings, reasons', async () => {
    const { hosts, hits, ms } = await json('/api/search?q=wolf+1&max=30&explain=1&ranking=compass');
    expect(hosts.map(({ host }) => host).sort()).toEqual(['a.example', 'b.example']);
    expect(hits.find(({ url }) => url.endsWith('wolf-1'))?.others).toEqual(['http://b.example/copy']);
    expect(hits.every(({ why }) => why !== undefined && why.parts.length > 0)).toBe(true);
    expect(ms).toBeGreaterThanOrEqual(0);
    const text = await page('/?q=wolf+1&explain=1&ranking=compass');
    expect(text).toContain('the same text at http://b.example/copy');
    expect(text).toMatch(/<details class="why" open>/);
    expect(text).toContain('<option selected>compass</option>');
    expect(text).toContain('href="/?q=wolf+1+site%3Ab.example&amp;ranking=compass&amp;explain=1"');
    expect(text).toContain('href="/api/search?q=wolf+1&amp;ranking=compass&amp;explain=1"');
    expect(text).toContain('<input type="hidden" name="explain" value="1">');
  });

  test('a page without a title is called by the last name of its path', async () => {
    expect(await page('/?q=lair')).toMatch(/rel="noreferrer">lair<\/a>/);
  });

  test.each([
    ['/?q=xylophone', 200, 'Nothing found'],
    ['/?q=foest+wolf', 200, 'Did you mean'],
    ['/?q=%22%22+-', 400, 'role="alert"'],
    [`/?q=${'a'.repeat(11_000)}`, 400, 'role="alert"'],
    ['/?q=wolf&after=nonsense', 400, 'role="alert"'],
    ['/?q=wolf&ranking=none', 400, 'role="alert"'],
    ['/?q=wolf&explain=2', 400, 'role="alert"'],
    ['/?q=wolf&after=1000', 200, 'no more results'],
    ["/?q='%3B+DROP+TABLE+pages%3B+NEAR(a+b)*", 200, '<main>'],
  ])('%s: %d', async (path, status, text) => {
    const response = await served.ask(path);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
  });

  test.each(['q=wolf&max=0', 'q=wolf&max=101', 'q=wolf&ranking=none', 'q='])('%s is refused', async (words) => {
    const response = await served.ask(`/api/search?${words}`);
    expect(response.status).toBe(400);
    expect((await response.json() as { error: string }).error).toMatch(/\w/);
  });

  test('200 searches at once: all are answered alike', async () => {
    const all = await Promise.all(Array.from({ length: 200 }, () => json('/api/search?q=forest+winter')));
    expect(new Set(all.map(({ hits }) => JSON.stringify(hits))).size).toBe(1);
    expect(all[0].hits).toHaveLength(10);
  });
});

describe('markup', () => {
  test('texts of pages stay texts, in pages and in XML', async () => {
    const text = await page('/?q=hostile');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;');
    expect(text).not.toMatch(/<script>|<img|onerror=(?!alert)/);
    expect(text).toContain('href="http://a.example/script?a=1&amp;b=&quot;2&quot;"');
    const description = await page('/opensearch.xml');
    expect(description).toContain('<ShortName>wolves &lt;b&gt;</ShortName>');
    expect(description).toContain(`template="${served.origin}/?q={searchTerms}"`);
  });

  test('templates escape all but their own pieces', () => {
    expect(html`<p title="${'"\'<&'}">${[1, html`<b>${'<'}</b>`, undefined]}</p>`.text)
      .toBe('<p title="&quot;&#39;&lt;&amp;">1<b>&lt;</b></p>');
    expect(escaped('a\0\u001bb\n')).toBe('a\ufffd\ufffdb\n');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', ' http://a/', 'ftp://a/', 'http://', '//a/'])(
    '%j is no link', (url) => {
      expect(safeHref(url)).toBeUndefined();
    });
});
