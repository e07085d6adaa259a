import { Parser } from 'htmlparser2';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { htmlLinks } from '../../src/base/web/index.ts';
import { tries } from '../sweep.ts';

// Goal: the links of a page are those that a whole parser sees in its elements.

/** By htmlparser2's Parser, element by element, each with its attributes as an object. */
function dullLinks(text: string): ReturnType<typeof htmlLinks> {
  const links: string[] = [];
  let [base, canonical]: (string | undefined)[] = [];
  let [nofollow, isNofollow, noindex] = [0, false, false];
  const has = (words: string | undefined, ...sought: string[]): boolean =>
    (words ?? '').toLowerCase().split(/[\s,]+/).some((word) => sought.includes(word));
  const parser = new Parser({
    onopentag(name, { href, src, rel, content, name: of, 'http-equiv': equiv }: Record<string, string | undefined>) {
      const link = name === 'a' || name === 'area' ? href : name === 'frame' || name === 'iframe' ? src : undefined;
      if (name === 'base') base ??= href;
      if (name === 'link' && has(rel?.replaceAll(',', '?'), 'canonical')) canonical ??= href;
      if (name === 'meta' && of?.trim().toLowerCase() === 'robots') {
        isNofollow ||= has(content, 'nofollow', 'none');
        noindex ||= has(content, 'noindex', 'none');
      }
      const refresh = name === 'meta' && equiv?.toLowerCase() === 'refresh' ? content?.split(/;\s*url=/)[1] : undefined;
      if (link !== undefined && has(rel, 'nofollow', 'none')) nofollow++;
      else
        for (const each of [link, refresh === '' ? undefined : refresh])
          if (each !== undefined && !/^[\0-\x20]*#/.test(each)) links.push(each);
    },
  });
  parser.write(text);
  parser.end();
  const about = { base, canonical, noindex, isNofollow, beyond: 0 };
  return isNofollow ? { ...about, links: [], nofollow: nofollow + links.length } : { ...about, links, nofollow };
}

const name = fc.constantFrom(
  'a', 'A', 'area', 'frame', 'iframe', 'base', 'meta', 'link', 'script', 'style', 'title', 'textarea', 'p', 'abbr',
  'noscript',
);
const attribute = fc
  .tuple(
    fc.constantFrom('href', 'HREF', 'src', 'rel', 'name', 'content', 'class', 'id', 'http-equiv', 'data-href'),
    fc.constantFrom(
      'x', '/y?a=1&amp;b=2', '#z', ' # ', 'a b', 'nofollow', 'none,x', 'robots', 'canonical', 'refresh', '0; url=r',
      'é&eacute;&notit;&#65', '>', '<a href=in>', '', '&quot;&#x22;', '&', "'".repeat(0), 'javascript:x',
    ),
    fc.constantFrom('"', "'", 'bare', 'none'),
  )
  .map(([key, value, quote]) =>
    quote === 'none'
      ? key
      : quote === 'bare'
        ? `${key}=${value.replace(/[\s>"'<]/g, '') || 'v'}`
        : `${key} =${quote}${value}${quote}`,
  );
const piece = fc.oneof(
  attribute.map((other) => `<a ${other} href="l?${other.length}&amp;&#120;">`),
  fc
    .tuple(name, fc.array(attribute, { maxLength: 5 }), fc.constantFrom('>', '/>', ' >', ''))
    .map(([tag, attributes, end]) => `<${[tag, ...attributes].join(' ')}${end}`),
  name.map((tag) => `</${tag}>`),
  fc.constantFrom(
    '<!-- <a href=c> -->', '<!doctype html>', 'text & <', '<![CDATA[<a href=d>]]>', '"', "'>", '-->', '&amp;', '<?x?>',
  ),
  fc.string(),
);

describe('links of a page', () => {
  test('are those of a whole parser, on any soup', () => {
    let found = 0;
    fc.assert(fc.property(fc.array(piece, { maxLength: 30, size: 'max' }).map((parts) => parts.join('')), (text) => {
      const links = htmlLinks(text);
      found += links.links.length;
      expect(links).toEqual(dullLinks(text));
    }), { numRuns: tries(1000) });
    expect(found).toBeGreaterThan(tries(500));
  });

  test.each([
    ['0;url=a', ['a']], [' 5 , URL = "b c" ; x', ['b c']], ["0; url='d", ['d']], ['1.5 e', ['e']],
    ['0;f?url=g', ['f?url=g']], ['7', []], ['0;', []], ['0; url=', []], ['x;url=h', []], ['0url=i', []],
    ['0;url=#top', []],
  ])('a refresh to %j leads to %j', (content, links) => {
    expect(htmlLinks(`<meta http-equiv=Refresh content="${content.replaceAll('"', '&quot;')}">`).links).toEqual(links);
  });

  test.each<[string, string, string[]]>([
    ['a base in a template', '<a href=a></a><template><base href=/t/></template><a href=b>', ['a', 'b']],
    ['a base in a template in a template', '<template><template></template><base href=/t/></template><a href=b>', ['b']],
    ['metas in a template', '<template><meta name=robots content=nofollow><meta http-equiv=refresh content="0;url=r">' +
      '<link rel=canonical href=c></template><a href=a>', ['a']],
    ['a script in a script in a comment', '<script>"<!--<script>"</script><a href=in></a>--></script><a href=a>', ['a']],
    ['one that ends before', '<script>"<!--<script>"</script></script><a href=a>', ['a']],
    ['one that never ends', '<script>"<!--<script>"</script><a href=in>', []],
    ['a comment that ends', '<script><!--<script>--></script><a href=a>', ['a']],
    ['a comment alone', '<script><!-- x </script><a href=a>', ['a']],
    ['an empty comment', '<script><!--><script></script><a href=a>', ['a']],
    ['words like script', '<script><!--<scripts></script><a href=a>', ['a']],
    ['a comment behind a script', '<script>x</script><!--<script></script><a href=b>--><a href=a>', ['a']],
    ['a title in SVG', '<svg><title>t<b>d</b></svg><a href=a></a><svg><title>open<a href=b>', ['a', 'b']],
    ['a title after SVG', '<svg></svg><title><a href=in></title><a href=a>', ['a']],
    ['a title after an SVG that HTML ends', '<svg><p><title><a href=in></title><a href=a>', ['a']],
    ['a title in HTML in SVG', '<svg><foreignObject><title><a href=in></title></foreignObject><a href=a></svg>', ['a']],
    ['an SVG that ends itself', '<svg/><title><a href=in></title><a href=a>', ['a']],
    ['a base and a frame in SVG', '<svg><base href=/t/><iframe src=x></iframe></svg><a href=a>', ['a']],
    ['a style in SVG', '<svg><style><a href=a></style></svg>', ['a']],
    ['xlink:href', '<svg><a xlink:href=a></a><a xlink:href=x href=b></a></svg><a xlink:href=in><a href=c>', ['a', 'b', 'c']],
  ])('are those that browsers see: %s', (_, text, links) => {
    for (const document of [text, text.replace(/<\/?[a-z]+/gi, (tag) => tag.toUpperCase())]) {
      for (const collected of [false, true]) {
        const found = htmlLinks(document, { text: collected });
        expect([found.links, found.base, found.canonical, found.isNofollow], document)
          .toEqual([links, undefined, undefined, false]);
      }
    }
  });

  test('beyond a limit are counted alone; nofollow of a page counts them all', () => {
    const text = '<a href=a><a href=#><a href=b rel=nofollow><a href=c><a href=d>';
    expect(htmlLinks(text, { most: 2 })).toMatchObject({ links: ['a', 'c'], beyond: 1, nofollow: 1 });
    expect(htmlLinks(`${text}<meta name=mybot content=none>`, { most: 2, agent: 'mybot' }))
      .toMatchObject({ links: [], beyond: 0, nofollow: 4, noindex: true });
    expect(htmlLinks(`${text}<meta name=mybot content=none>`)).toMatchObject({ nofollow: 1, noindex: false });
  });

  test('XHTML has empty scripts', () => {
    const text = '<script src="s"/><a href="x"/>';
    expect([htmlLinks(text).links, htmlLinks(text, { isXhtml: true }).links]).toEqual([[], ['x']]);
  });
});
