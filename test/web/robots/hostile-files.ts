import { MAX_ROBOTS_BYTES } from '../../../src/base/web/robots/robots-txt.ts';

const head = 'user-agent: *\n';

/** A file of as many lines as are read. */
function filled(line: (i: number) => string): string {
  const lines = [head];
  for (let bytes = head.length, i = 0; ; i++) {
    const next = `${line(i)}\n`;
    bytes += next.length;
    if (bytes > MAX_ROBOTS_BYTES) return lines.join('');
    lines.push(next);
  }
}

const long = (text: string): string => `/${text.repeat(2000)}`.slice(0, 2000);
const bits = (i: number, count: number): string =>
  Array.from({ length: count }, (_, bit) => 'ab'[(i >> bit) & 1]).join('');
const inARow = (count: number, piece: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => piece(i)).join('');

/** Files of 500 KiB that make each question as dear as they can. */
export function hostileFiles(): Record<string, string> {
  return {
    'many endings': filled((i) => `Allow: *a${i}q`),
    'many ends': filled((i) => `allow: *a${i}$`),
    'stars before a letter that is not there': filled((i) => `allow: ${'*a'.repeat(5 + (i % 40))}*z`),
    'stars before a letter that is': filled((i) => `allow: ${'*a'.repeat(5 + (i % 40))}*b`),
    'words of three letters that are there': filled((i) => `allow: *b${bits(i, 14)}abq`),
    'words that are there, before others': filled((i) => `allow: *q*aab${'*a'.repeat(i % 30)}*${bits(i, 16)}`),
    'all stars': `${head}allow: /${'*'.repeat(MAX_ROBOTS_BYTES - 40)}b`,
    'one rule of stars': `${head}allow: /${'*a'.repeat(MAX_ROBOTS_BYTES / 2 - 40)}*b$`,
    'as many stars as a long path has letters': `${head}allow: /${'*a'.repeat(30_000)}*b$`,
    'beginnings of each other': filled((i) => `allow: /${'a'.repeat(i)}`),
    'half escapes': filled((i) => `allow: *${i}%2*%`),
  };
}

/** Paths, and queries, of 2,000 characters. */
export const hostilePaths: readonly string[] = [
  long('a'), long('b'), long('ab'), long('aab'), long('aaaaab'),
  `/aaaab${long('bab')}q${long('a')}`.slice(0, 2000), `/aabq${long('a')}`.slice(0, 2000),
  long(inARow(400, (i) => `a${i}q`)), `/${inARow(200, (i) => bits(i, 9))}abqaq`,
  `/?${long('|')}`, `/?${long('a=1&')}`, long('%E9'), long('%2'), long('%'),
];

/** As long as a URL may be made by the settings. */
export const longestPath = `/${'a'.repeat(60_000)}b`;

/** Questions with their answers, and the steps that these may take. */
interface Answerable {
  readonly text: string;
  readonly asked: readonly (readonly [path: string, isAllowed: boolean, maxSteps: number])[];
}

/** Files as large as files may be that can be answered for all that. */
export function answerable(): Record<string, Answerable> {
  const nearly = (i: number): string => `${'a'.repeat(490 - i)}b${'a'.repeat(490)}`;
  return {
    'many beginnings': {
      text: filled((i) => `${i % 2 === 0 ? 'allow' : 'disallow'}: /folder/${i}/`),
      asked: [
        ['/folder/1235/x', false, 1000], ['/folder/1234/x', true, 1000], ['/folder/x', true, 1000],
        [`/folder/7/${long('x')}`, false, 20_000],
      ],
    },
    'beginnings of each other': {
      text: filled((i) => `${i % 2 === 0 ? 'allow' : 'disallow'}: /${'a'.repeat(i)}`),
      asked: [
        [`/${'a'.repeat(501)}`, false, 10_000], [`/${'a'.repeat(500)}b`, true, 10_000], ['/b', true, 2000],
        [long('a'), true, 20_000],
      ],
    },
    'many whole paths': {
      text: filled((i) => `disallow: /${i}.html$`),
      asked: [['/77.html', false, 1000], ['/77.htm', true, 1000], ['/77.html?a', true, 1000]],
    },
    'many stars': {
      text: filled((i) => `disallow: /*?name${i}=`),
      asked: [['/x?name700=1', false, 400_000], ['/x?nam', true, 400_000], [`/x?${long('name=1&')}`, true, 400_000]],
    },
    'many endings': {
      text: filled((i) => `disallow: *a${i}q`),
      asked: [
        [long('a'), true, 400_000], [long('a77'), true, 400_000],
        [`${long('a77').slice(0, 1900)}q`, false, 400_000],
      ],
    },
    'one rule of stars': {
      text: `${head}disallow: /${'*a'.repeat(1000)}*b$`,
      asked: [[long('a'), true, 100_000], [`${long('a')}b`, false, 100_000]],
    },
    'rules that nearly match': {
      text: `${head}${Array.from({ length: 250 }, (_, i) => `disallow: /*${nearly(i)}\n`).join('')}`,
      asked: [[long('a'), true, 400_000]],
    },
  };
}
