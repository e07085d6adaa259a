import { fileURLToPath } from 'node:url';
import { editDistance } from '../../base/index.ts';

/** A graph that comes with the package and is opened by name. */
export interface CatalogueEntry {
  readonly name: string;
  /** Folder of tables or edge-list file, as an absolute path. */
  readonly path: string;
  readonly pages: number;
  readonly arcs: number;
  /** One line: what it is and where it comes from. */
  readonly origin: string;
}

// Two folders up is the package, from src/graphs/catalogue/ as from dist/graphs/catalogue/.
function shipped(path: string): string {
  return fileURLToPath(new URL(`../../../datasets/${path}`, import.meta.url));
}

function tiny(name: string, pages: number, arcs: number, origin: string): CatalogueEntry {
  return { name, path: shipped(`tiny/${name}.txt`), pages, arcs, origin: `${origin}; ranks in closed form` };
}

/** The graphs of `datasets/`, whose README describes each. Graphs to fetch are in `datasets/catalogue.json`. */
export const catalogue: readonly CatalogueEntry[] = [
  {
    name: 'docs-web',
    path: shipped('docs-web'),
    pages: 31_331,
    arcs: 1_172_885,
    origin:
      'pages, links and sizes of five documentation sites (Rust, OpenJDK 17, cppreference, PostgreSQL 15, Python 3.11)' +
      ' as Debian packages them; hosts are virtual, one per top directory',
  },
  tiny('clique', 6, 30, '6 pages, each linked to every other'),
  tiny('cycle', 8, 8, '8 pages in a ring'),
  tiny('star', 9, 16, 'a centre and 8 leaves, linked both ways'),
  tiny('chain', 7, 6, '7 pages in a row, the last dangling'),
];

/** `names`, the most similar to `sought` first. */
export function nearestNames(sought: string, names: readonly string[] = catalogue.map(({ name }) => name)): string[] {
  // A name of thousands of characters resembles none; its beginning is enough to decide.
  const start = sought.slice(0, 64).toLowerCase();
  return names
    .map((name) => ({ name, distance: editDistance(start, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}
