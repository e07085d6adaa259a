import { execFileSync } from 'node:child_process';
import {
  existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tries } from '../../sweep.ts';
import { newFolder, orbweaver } from '../command.ts';

// Goal: --out through a link writes to its target and leaves the link; a link that leads to nothing that can be written
// is refused before the work is done, and nothing is left behind.

const folder = newFolder();
afterAll(() => { rmSync(folder, { recursive: true }); });
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  mkdirSync(at('site'));
  writeFileSync(at('site', 'a.html'), '<title>A page</title><a href="b.html">the other page</a>');
  writeFileSync(at('site', 'b.html'), '<title>B page</title><p>words of this page</p>');
  expect(await orbweaver(['index', 'site', '--out', 'site.index'], folder)).toMatchObject({ code: 0 });
  for (const run of ['earlier', 'later'])
    expect(await orbweaver(['simulate', 'star', '--out', run], folder)).toMatchObject({ code: 0 });
});

/** Commands that write a file, by the ending of its name. */
const ofFiles: Readonly<Record<string, (out: string) => string[]>> = {
  '.owg': (out) => ['import', 'clique', '--out', out],
  '.txt': (out) => ['import', 'clique', '--out', out],
  '.f64': (out) => ['rank', 'clique', '--out', out],
  '.html': (out) => ['rank', 'clique', '--report', out],
  '.kronecker.owg': (out) => ['generate', 'kronecker', '--scale', '4', '--out', out],
  '.index': (out) => ['index', 'site', '--out', out],
  '.ndjson': (out) => ['export', 'site.index', '--out', out],
};
/** Commands that write a folder, and a file that is in it. */
const ofFolders: Readonly<Record<string, (out: string) => string[]>> = {
  'run.json': (out) => ['simulate', 'star', '--out', out],
  'info.json': (out) => ['info', 'star', '--out', out],
  'compare.json': (out) => ['compare', 'earlier', 'later', '--out', out],
};

/** Puts a link at `link`; returns where it leads. */
type Linked = (link: string) => string;
const good: Readonly<Record<string, Linked>> = {
  'to a new name elsewhere': (link) => linked(link, at('elsewhere', 'target')),
  'relative, to a new name': (link) => linked(link, join('elsewhere', 'target'), at('elsewhere', 'target')),
  'by way of another link': (link) => {
    symlinkSync('elsewhere', at('way'));
    symlinkSync(join('..', 'elsewhere', 'target'), at('elsewhere', 'second'));
    return linked(link, join('way', 'second'), at('elsewhere', 'target'));
  },
};
const bad: Readonly<Record<string, (link: string, isFolder: boolean) => void>> = {
  'to itself': (link) => { symlinkSync(link, link); },
  'into a folder that is not there': (link, isFolder) => {
    // Parents of a folder are made, as without a link.
    symlinkSync(isFolder ? '/proc/none/target' : at('none', 'target'), link);
  },
  'to a device': (link) => { symlinkSync('/dev/null', link); },
  'to a pipe': (link) => {
    execFileSync('mkfifo', [at('elsewhere', 'pipe')]);
    symlinkSync(at('elsewhere', 'pipe'), link);
  },
  'to a folder, or to a file': (link, isFolder) => {
    writeFileSync(at('elsewhere', 'file'), 'a file');
    symlinkSync(at('elsewhere', ...(isFolder ? ['file'] : [])), link);
  },
};

function linked(link: string, to: string, target = to): string {
  symlinkSync(to, link);
  return target;
}

async function inPlace(work: () => Promise<void>): Promise<void> {
  mkdirSync(at('elsewhere'));
  const before = readdirSync(folder).sort();
  try {
    await work();
  } finally {
    for (const name of readdirSync(folder)) if (!before.includes(name)) rmSync(at(name), { recursive: true });
    rmSync(at('elsewhere'), { recursive: true });
  }
}

/** But for what SQLite has beside an index that is read. */
const names = (): string[] => readdirSync(folder, { recursive: true }).map(String)
  .filter((name) => !/^site\.index-/.test(name)).sort();

const commands = [...Object.keys(ofFiles), ...Object.keys(ofFolders)];
const isOfFolder = (command: string): boolean => command in ofFolders;
const wordsOf = (command: string): { name: string; words: string[] } => {
  const name = isOfFolder(command) ? 'out' : `out${command}`;
  return { name, words: (ofFolders[command] ?? ofFiles[command])(name) };
};
const drawn = { command: fc.constantFrom(...commands), isThere: fc.boolean() };

const onLinux = test.runIf(process.platform === 'linux');
const long = { timeout: 120_000 };

onLinux('what is written is at the target, and the link stays', long, async () => {
  const form = fc.record({ ...drawn, kind: fc.constantFrom(...Object.keys(good)) });
  await fc.assert(fc.asyncProperty(form, ({ command, kind, isThere }) => inPlace(async () => {
    const { name, words } = wordsOf(command);
    const target = good[kind](at(name));
    if (isThere && isOfFolder(command)) mkdirSync(target);
    // An index that is there grows; any other file is replaced.
    else if (isThere && command !== '.index') writeFileSync(target, 'before');
    expect(await orbweaver(words, folder)).toMatchObject({ code: 0 });
    expect(lstatSync(at(name)).isSymbolicLink()).toBe(true);
    expect(statSync(isOfFolder(command) ? join(target, command) : target).size).toBeGreaterThan(0);
    if (!isOfFolder(command)) expect(readFileSync(target).toString('latin1')).not.toBe('before');
    expect(readdirSync(at('elsewhere')).filter((file) => file.endsWith('.partial'))).toEqual([]);
  })), { numRuns: tries(320) });
});

onLinux('a link that leads nowhere is refused before the run', long, async () => {
  const form = fc.record({ command: drawn.command, kind: fc.constantFrom(...Object.keys(bad)) });
  await fc.assert(fc.asyncProperty(form, ({ command, kind }) => inPlace(async () => {
    const { name, words } = wordsOf(command);
    bad[kind](at(name), isOfFolder(command));
    const before = names();
    const { code, stdout, stderr } = await orbweaver(words, folder);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(name) as string });
    expect(stderr.trim()).not.toContain('\n');
    expect(names()).toEqual(before);
    expect(existsSync('/dev/null') && !statSync('/dev/null').isFile()).toBe(true);
  })), { numRuns: tries(320) });
});
