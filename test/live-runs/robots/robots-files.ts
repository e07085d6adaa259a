import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_QUESTION_STEPS, robotsTxt, type RobotsRules } from '../../../src/base/web/robots/robots-txt.ts';

/** Most characters of a URL that a crawl takes unless it is set otherwise. */
const URL_LENGTH = 2048;

/** What a folder of robots.txt files shows. */
export interface RobotsFiles {
  readonly files: number;
  readonly questions: number;
  /** The dearest question: its steps as a share of those that it may take. */
  readonly dearest: { readonly file: string; readonly agent: string; readonly share: number };
  /** Files with a Crawl-delay. */
  readonly delaying: number;
  /**
   * Files whose answers depend on whether a Crawl-delay ends a run of User-agent lines: for crawlers not named there,
   * and for named ones.
   */
  readonly unnamedDiffer: readonly Difference[];
  readonly namedDiffer: readonly Difference[];
}

export interface Difference {
  readonly file: string;
  readonly agent: string;
  /** Paths of the file's own rules that are denied by one reading alone. */
  readonly deniedIfMerged: number;
  readonly deniedIfSplit: number;
}

/**
 * Asks every file, as the crawler of each name in it and as one that has none, about paths made of its own rules: each
 * alone, and as many as a URL holds, which find the most to search for.
 */
export function readRobotsFiles(folder: string): RobotsFiles {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map(({ name }) => name).sort();
  let questions = 0;
  let dearest = { file: '', agent: '', share: 0 };
  let delaying = 0;
  const differences: Difference[] = [];
  for (const file of names) {
    const text = readFileSync(join(folder, file), 'latin1');
    const paths = pathsOf(text);
    const isDelaying = delayLine.test(text);
    if (isDelaying) delaying++;
    for (const agent of agentsOf(text)) {
      const rules = robotsTxt(Buffer.from(text, 'latin1'), agent);
      for (const url of [...paths, ...longPaths(paths)]) {
        questions++;
        const share = rules.judge(url).steps / MAX_QUESTION_STEPS;
        if (share > dearest.share) dearest = { file, agent, share };
      }
      if (isDelaying) differences.push(difference(file, agent, text, paths));
    }
  }
  const differing = differences.filter(({ deniedIfMerged, deniedIfSplit }) => deniedIfMerged + deniedIfSplit > 0);
  return {
    files: names.length, questions, dearest, delaying,
    unnamedDiffer: differing.filter(({ agent }) => agent === unnamed),
    namedDiffer: differing.filter(({ agent }) => agent !== unnamed),
  };
}

const unnamed = 'nobody-names-this';
const delayLine = /^[ \t]*crawl-delay[^\r\n]*/im;

function agentsOf(text: string): string[] {
  const named = text.matchAll(/^[ \t]*user-agent[ \t]*:?[ \t]*([a-z_-]+)/gim);
  return [...new Set([unnamed, ...Array.from(named, ([, name]) => name.toLowerCase())])];
}

/** The paths of rules; what a star stands for is `x`. */
function pathsOf(text: string): URL[] {
  const rules = text.matchAll(/^[ \t]*(?:dis)?allow[ \t]*:?[ \t]*(\/[^\r\n#]*)/gim);
  return [...new Set(Array.from(rules, ([, value]) => value.trim()))].map((value) =>
    urlOf(value.replaceAll('*', 'x').replace(/\$$/, '')),
  );
}

/** As many of the paths in a row as a URL holds, from ten places on. */
function longPaths(paths: readonly URL[]): URL[] {
  const pieces = paths.map((url) => url.pathname + url.search);
  return Array.from({ length: 10 }, (_, i) => {
    const begin = Math.floor((i * pieces.length) / 10);
    const row = [...pieces.slice(begin), ...pieces.slice(0, begin)].join('');
    return urlOf(row.repeat(1 + URL_LENGTH / (1 + row.length)).slice(0, URL_LENGTH));
  });
}

function urlOf(path: string): URL {
  const url = new URL('http://example.org/');
  const query = path.indexOf('?');
  url.pathname = query < 0 ? path : path.slice(0, query);
  if (query >= 0) url.search = path.slice(query);
  return url;
}

/** Google passes over a Crawl-delay; to end the run, an empty rule does what it is held to do. */
function difference(file: string, agent: string, text: string, paths: readonly URL[]): Difference {
  const every = new RegExp(delayLine, 'gim');
  const merged = robotsTxt(Buffer.from(text.replace(every, ''), 'latin1'), agent);
  const split = robotsTxt(Buffer.from(text.replace(every, 'Disallow:'), 'latin1'), agent);
  const deniedBy = (one: RobotsRules, other: RobotsRules): number =>
    paths.filter((url) => one.judge(url).refusal !== undefined && other.judge(url).refusal === undefined).length;
  return { file, agent, deniedIfMerged: deniedBy(merged, split), deniedIfSplit: deniedBy(split, merged) };
}
