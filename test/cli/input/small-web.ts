import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DrawStream } from '../../../src/base/index.ts';

const pages = 2000;
const linksPerPage = 6;

/**
 * Writes tables of 2,000 pages on 40 hosts with URLs into `folder`: for commands that need a graph with names, and
 * would spend most of their time on opening and ranking docs-web.
 */
export function writeSmallWeb(folder: string): void {
  const draws = new DrawStream(1, 'small web');
  const rows: string[] = [];
  const arcs: string[] = [];
  for (let page = 0; page < pages; page++) {
    rows.push(`h${page % 40}.example\t/${page}\t${1000 + (draws.uint32(page, 0) % 9000)}\n`);
    // Most links lead to the first pages.
    const targets = new Set([(page + 1) % pages]);
    for (let i = 1; i < linksPerPage; i++) targets.add(Math.floor(pages * draws.uniform(page, i) ** 3));
    arcs.push(...Array.from(targets).sort((a, b) => a - b).map((target) => `${page}\t${target}\n`));
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'pages.tsv'), rows.join(''));
  writeFileSync(join(folder, 'arcs.tsv'), arcs.join(''));
}
