import { InputError } from '../../base/index.ts';
import { sharedUint32 } from '../graph/index.ts';
import { startOf, type FileStart } from './file-start.ts';

type Direction = 'directed' | 'undirected' | 'bipartite';

const words: Readonly<Record<string, Direction>> = {
  asym: 'directed', sym: 'undirected', bip: 'bipartite', directed: 'directed', undirected: 'undirected',
};
/** KONECT's first line, SNAP's, and what others write. */
const forms = [
  /^[#%][ \t]*(a?sym|bip)(?:[ \t]|$)/, /^[#% \t]*((?:un)?directed)(?:[ \t]+graph\b|[ \t]*$|[ \t]*[:.(])/i,
  /\bgraph[ \t]+is[ \t]+((?:un)?directed)\b/i,
];

/** The direction of links that the comments above a list state, and the line. */
function directionIn({ lines }: FileStart): { direction: Direction; line: number } | undefined {
  for (const [i, line] of lines.entries()) {
    if (/^[ \t]*$/.test(line)) continue;
    if (!/^[#%]/.test(line)) return undefined;
    const match = forms.map((form) => form.exec(line)).find((result) => result !== null);
    if (match !== undefined) return { direction: words[match[1].toLowerCase()], line: i + 1 };
  }
  return undefined;
}

/**
 * Whether the comments above a list say that its links are undirected, as KONECT's (`% sym`) and SNAP's (`# Undirected
 * graph`) do. SNAP writes "each unordered pair of nodes is saved once" above directed graphs too.
 *
 * @param paths the parts of the list; the first that says anything speaks for those that say nothing.
 * @throws InputError with file and line for a bipartite graph, whose ids count two kinds of nodes, and for parts that
 *   contradict each other.
 */
export async function isUndirected(paths: readonly string[]): Promise<boolean> {
  let first: { readonly direction: Direction; readonly place: string } | undefined;
  for (const path of paths) {
    const statement = directionIn(await startOf(path));
    if (statement === undefined) continue;
    const place = `${path}: line ${statement.line}`;
    if (statement.direction === 'bipartite') {
      throw new InputError(
        `${place}: says that the graph is bipartite: its two columns count nodes of two kinds, each from 1, and pages ` +
          'have links among themselves; number both kinds as one, and delete that line',
      );
    }
    first ??= { direction: statement.direction, place };
    if (statement.direction !== first.direction) {
      throw new InputError(
        `${place}: says that the graph is ${statement.direction}, and ${first.place} that it is ${first.direction}`,
      );
    }
  }
  return first?.direction === 'undirected';
}

/** The links of `sources` and `targets` and then those back; a self-loop only once. */
export function bothWays(sources: Uint32Array, targets: Uint32Array): { sources: Uint32Array; targets: Uint32Array } {
  let links = sources.length;
  for (let i = 0; i < sources.length; i++) if (sources[i] !== targets[i]) links++;
  const both = { sources: new Uint32Array(links), targets: sharedUint32(links) };
  both.sources.set(sources);
  both.targets.set(targets);
  for (let i = 0, to = sources.length; i < sources.length; i++) {
    if (sources[i] === targets[i]) continue;
    both.sources[to] = targets[i];
    both.targets[to++] = sources[i];
  }
  return both;
}
