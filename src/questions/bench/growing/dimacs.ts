import { bytesOf, eachLine } from '../../../base/files/index.ts';
import { InputError, quoted } from '../../../base/index.ts';
import { asSharedUint32 } from '../../../graphs/graph/index.ts';
import type { ArcSequence } from './sequence.ts';

/** Names of problems: shortest paths have arcs `a u v w`; the others undirected edges `e u v`. */
const arcProblems = ['sp'];
const edgeProblems = ['edge', 'col'];

/** Whether a file's first line other than comments is `p` and a problem that is read here; false if unreadable. */
export async function isDimacs(path: string): Promise<boolean> {
  try {
    for await (const chunk of bytesOf(path)) {
      const lines = Buffer.from(chunk).toString('latin1').split(/\r?\n/);
      const first = lines.find((line) => !/^\s*$|^c(\s|$)/.test(line));
      return first !== undefined && /^p\s+(sp|edge|col)\s/.test(first);
    }
  } catch {
    // Whoever opens it reports why.
  }
  return false;
}

/**
 * Reads a DIMACS file, gzipped or not: of shortest paths (`p sp N M`, arcs `a U V LENGTH`) or of an undirected graph
 * (`p edge N M`, edges `e U V`, each an arc both ways). Vertices are 1 ... N there, pages 0 ... N-1 here. Distances are
 * counted in links: lengths other than 1 are ignored, and a note says so.
 * @throws InputError naming file and line.
 */
export async function readDimacs(path: string, name: string): Promise<ArcSequence> {
  const reader = new DimacsReader(path);
  await eachLine(bytesOf(path), path, (line, number) => { reader.take(Buffer.from(line).toString('latin1'), number); });
  return reader.sequence(name);
}

class DimacsReader {
  readonly #path: string;
  readonly #sources: number[] = [];
  readonly #targets: number[] = [];
  #problem: { name: string; pages: number; lines: number } | undefined;
  #lines = 0;
  #weighted = 0;

  constructor(path: string) {
    this.#path = path;
  }

  take(text: string, number: number): void {
    const [kind, ...fields] = text.trim().split(/\s+/);
    if (kind === '' || kind === 'c') return;
    const fail = (why: string): never => {
      throw new InputError(`${this.#path}: line ${number}: ${why}: ${quoted(text)}`);
    };
    if (kind === 'p') this.#begin(fields, fail);
    else if (kind === 'a' || kind === 'e') this.#add(kind, fields, fail);
    else fail('must begin with c, p, a or e');
  }

  #begin([name = '', pages = '', lines = '', ...more]: readonly string[], fail: (why: string) => never): void {
    if (this.#problem !== undefined) fail('is a second problem line');
    if (![...arcProblems, ...edgeProblems].includes(name))
      fail(`problem must be one of ${[...arcProblems, ...edgeProblems].join(', ')}`);
    if (more.length > 0 || !isCount(pages) || !isCount(lines)) fail('must be "p PROBLEM VERTICES LINES"');
    this.#problem = { name, pages: Number(pages), lines: Number(lines) };
  }

  #add(kind: 'a' | 'e', fields: readonly string[], fail: (why: string) => never): void {
    const problem = this.#problem ?? fail('comes before the problem line');
    const isArc = arcProblems.includes(problem.name);
    if (isArc !== (kind === 'a')) fail(`problem ${problem.name} has lines that begin with ${isArc ? 'a' : 'e'}`);
    if (fields.length !== (isArc ? 3 : 2)) fail(isArc ? 'must be "a FROM TO LENGTH"' : 'must be "e ONE OTHER"');
    const [source, target] = fields.slice(0, 2).map((field) => {
      const vertex = isCount(field) ? Number(field) : NaN;
      return vertex >= 1 && vertex <= problem.pages
        ? vertex - 1 : fail(`vertex ${quoted(field)} is not from 1 to ${problem.pages}`);
    });
    if (isArc && !isNumber(fields[2])) fail(`length ${quoted(fields[2])} is not a number`);
    if (isArc && Number(fields[2]) !== 1) this.#weighted++;
    if (++this.#lines > problem.lines) fail(`is one more than the ${problem.lines} lines announced`);
    this.#sources.push(source);
    this.#targets.push(target);
    if (isArc) return;
    this.#sources.push(target);
    this.#targets.push(source);
  }

  sequence(name: string): ArcSequence {
    const problem = this.#problem;
    if (problem === undefined) throw new InputError(`${this.#path}: has no problem line ("p sp VERTICES ARCS")`);
    if (this.#lines < problem.lines)
      throw new InputError(`${this.#path}: ends after ${this.#lines} of the ${problem.lines} lines announced`);
    return {
      name, pages: problem.pages, isSynthetic: false, description: `the DIMACS file ${this.#path}`,
      sources: asSharedUint32(Uint32Array.from(this.#sources)),
      targets: asSharedUint32(Uint32Array.from(this.#targets)),
      notes: this.#weighted === 0 ? [] : [
        `${name}: ${this.#weighted} arcs have a length other than 1, which is ignored: distances are counted in links.`,
      ],
    };
  }
}

/** A whole number that is exact, and an id of a page. */
function isCount(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32;
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
}
