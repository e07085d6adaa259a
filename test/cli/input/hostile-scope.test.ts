import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mainFile, orbweaver, orbweaverProcess } from '../command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: whatever a file of --scope is, the command says in a few lines what is wrong with it, soon, and makes nothing.

const { folder } = temporaryFolder();
const crawl = (file: string) =>
  ['crawl', 'http://a.test/', '--contact', 'x@a.test', '--out', 'crawled', '--scope', file];

const entries = (...lines: readonly string[]): string => `scope:\n${lines.map((line) => `- ${line}\n`).join('')}`;
/** So many hosts. */
const many = (count: number): string =>
  `scope:\n${Array.from({ length: count }, (_, i) => `- host: a${i}\n`).join('')}`;
const bomb = Array.from({ length: 12 }, (_, i) => (
  i === 0 ? 'a0: &a0 [x,x,x,x,x,x,x,x,x]\n' : `a${i}: &a${i} [${Array(9).fill(`*a${i - 1}`).join(',')}]\n`
)).join('');

type Hostile = readonly [content: string | Buffer, says: RegExp];

/** The same kind of entry with each of these values. */
function each(values: readonly string[], kind: string, says: RegExp): Record<string, Hostile> {
  return Object.fromEntries(values.map((value) => [
    `${kind} ${value.slice(0, 20)}`, [entries(`${kind}: ${value.startsWith('"') ? value : `'${value}'`}`), says],
  ]));
}

const prefixes = [
  'ftp://a/', 'javascript:a', '//a.test/', '/x', 'http://', 'http://a.test:99999/', 'http://a.test../',
];
const expressions = [
  '(', '(a)\\1', '(?=a)', '[', '**', '(((a{10}){10}){10}){10}', `${'('.repeat(2000)}a${')'.repeat(2000)}`,
];
const names = ['http://a.test/', 'a.test/x', '*.a.test', 'a.test:99999', 'a.test..', '::1', 'a test', '"a\\nb.test"'];

const files: Readonly<Record<string, Hostile>> = {
  'empty': ['', /must have "scope:", and below it a list of entries/],
  'comments alone': ['# scope\n', /must have "scope:"/],
  'a list': ['- host: a.test\n', /must have "scope:"/],
  'no list': ['scope:\n  host: a.test\n', /:2:3: scope: .*must be a list/],
  'an empty list': ['scope: []\n', /must have at least one entry/],
  'a text as entry': [entries('a.test'), /:2:3: scope.0: must have one of prefix, host, domain and regex, like/],
  'two kinds': [entries('{host: a.test, domain: a.test}'), /scope.0: must have one of prefix/],
  'no kind': [entries('extraHops: 1'), /scope.0: must have one of prefix/],
  'a number as host': [entries('host: 42'), /scope.0.host: .*must be a text/],
  'another key': [entries('host: a.test\n  hops: 2'), /"hops" is not a field; did you mean extraHops\?/],
  'another key at the top': [
   'scope: [{host: a.test}]\nscopes: 1\n', /"scopes" is not a field; known there: scope alone/,
  ],
  'the same key twice': [entries('host: a.test\n  host: b.test'), /:3:3: host is given twice/],
  'two documents': [`${entries('host: a.test')}---\n${entries('host: b.test')}`, /multiple documents/],
  'zeros': [Buffer.alloc(4096), /must have "scope:"/],
  'other bytes': [Buffer.from(Array.from({ length: 4096 }, (_, i) => i % 256)), /is not UTF-8 text/],
  '10 MB': [entries('host: a.test').repeat(500_000), /is longer than 4096 KiB, more than any scope file/],
  'a great many entries': [many(200_000), /more than 250000 words/],
  'a few too many entries': [many(10_001), /<=10000 items/],
  'brackets': ['['.repeat(4_000_000), /more than 250000 words/],
  'commas': [`scope: [${','.repeat(4_000_000)}]`, /more than 250000 words/],
  'commas, as many as are read': [`scope: [${','.repeat(240_000)}]`, /\nand 2\d{5} more\n$/],
  'line breaks': ['\n'.repeat(4_000_000), /more than 250000 words/],
  'keys within keys': ['a: '.repeat(1_300_000), /more than 250000 words/],
  'deep': [`scope: ${'['.repeat(5000)}${']'.repeat(5000)}`, /is nested too deeply/],
  'a line of signs': ['%'.repeat(4_000_000), /Unknown directive %{50,300}\.\.\.\n/],
  'an alias bomb': [`${bomb}scope: *a11\n`, /its aliases expand to too much/],
  'itself': ['&a {scope: *a}\n', /scope: .*must be a list/],
  'a tag': [entries('host: !!js/function "x"'), /Unresolved tag/],
  ...Object.fromEntries(['-1', '1e9', '1.5', '.inf', '.nan', 'true', '2s', '101'].map((hops) => [
    `extraHops ${hops}`, [entries(`host: a.test\n  extraHops: ${hops}`), /:3:14: scope.0.extraHops: /],
  ])),
  ...each(expressions, 'regex', /:2:10: scope.0.regex: .*is not a regular expression of RE2/),
  'a long expression': [entries('regex: "a{1000}"'), /at most 512 are allowed/],
  ...each(prefixes, 'prefix', /:2:11: scope.0.prefix: .*is not the beginning of an http or https URL/),
  'prefix *': [entries('prefix: "http://*.a.test/"'), /scope.0.prefix: .*\* stands for nothing but itself; use domain/],
  'prefix with a name': [entries('prefix: "http://u:p@a.test/"'), /without fragments and user names/],
  ...each(names, 'host', /scope.0.host: .*is not the name of a host/),
  ...each(names, 'domain', /scope.0.domain: .*is not a domain/),
};

async function expectRefused(file: string, says: RegExp, inProcess = orbweaver): Promise<void> {
  const { code, stderr } = await inProcess(crawl(file), folder);
  expect(stderr).toMatch(says);
  expect(stderr.startsWith(file) && !stderr.includes('    at '), stderr.slice(0, 300)).toBe(true);
  expect(stderr.length).toBeLessThan(2000);
  expect(code).toBe(2);
  expect(existsSync(join(folder, 'crawled'))).toBe(false);
}

test.each(Object.entries(files))('%s', async (_, [content, says]) => {
  writeFileSync(join(folder, 'scope.yaml'), content);
  await expectRefused('scope.yaml', says);
});

test('a folder, a pipe, and what is not there', async () => {
  mkdirSync(join(folder, 'below'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await expectRefused('below', /^below: is a folder; expected a scope file \(YAML\)\n$/);
  await expectRefused('absent', /^absent: there is no such file\n$/);
  // In a process that can be ended: nobody ever writes the pipe.
  await expectRefused('pipe', /^pipe: is a pipe; expected a scope file \(YAML\)\n$/, orbweaverProcess);
});

test('what a shell passes on is read', () => {
  const words = [...crawl('/dev/stdin'), '--print-config'];
  const shell = 'printf "scope: [{host: a.test, extraHops: 3}]" | "$0" "$@"';
  const printed = execFileSync('sh', ['-c', shell, process.execPath, mainFile, ...words]);
  expect(String(printed)).toMatch(/host: a\.test\n *extraHops: 3\n/);
});

test('spellings of one host are one', async () => {
  const spelled = ['A.Test', 'a.test.', 'a.test:80', 'ａ.test', 'a。test'];
  for (const host of spelled) {
    writeFileSync(join(folder, 'scope.yaml'), entries(`host: '${host}'`, `host: '${host}'`));
    // The seed is in scope, and the crawl gets as far as its address, which is not allowed.
    const { code, stderr } = await orbweaver(
      [...crawl('scope.yaml'), '--resolve', '*=127.0.0.1:1', '--no-warc', '--retries', '0', '--host-patience', '0'],
      folder,
    );
    expect(stderr).not.toMatch(/scope/);
    expect(code).toBe(4);
    rmSync(join(folder, 'crawled'), { recursive: true });
  }
});
