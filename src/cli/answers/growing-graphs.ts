import { basename } from 'node:path';
import {
  isDimacs, isGraphFile, readDimacs, readGraphFile, sequenceOfGraph, spawcGraph, spawcGraphNames, type ArcSequence,
} from '../../questions/bench/index.ts';
import { didYouMean, InputError } from '../../base/index.ts';
import { namedGraph } from '../flags/named-graph.ts';

/**
 * The graphs that a user names, in this order: SPAWC's, also several with commas between them; its graph files; DIMACS
 * files; and whatever the catalogue opens. No two have the same name.
 * @throws InputError for what cannot be opened.
 */
export async function growingGraphs(words: readonly string[]): Promise<ArcSequence[]> {
  const names = new Set<string>();
  const sequences: ArcSequence[] = [];
  for (const word of words.flatMap(separated)) {
    const sequence = await growingGraph(word);
    let name = sequence.name;
    for (let times = 2; names.has(name); times++) name = `${sequence.name} (${times})`;
    names.add(name);
    sequences.push({ ...sequence, name });
  }
  return sequences;
}

/** A comma may also be part of a path. */
function separated(word: string): string[] {
  const parts = word.split(',');
  return parts.every((part) => spawcGraphNames.includes(part)) ? parts : [word];
}

async function growingGraph(word: string): Promise<ArcSequence> {
  if (spawcGraphNames.includes(word)) return spawcGraph(word);
  if (word.endsWith('.g') || (await isGraphFile(word))) return readGraphFile(word);
  if (/\.(gr|col|dimacs)(\.gz)?$/.test(word) || (await isDimacs(word))) return readDimacs(word, dimacsName(word));
  try {
    return sequenceOfGraph(await namedGraph(word));
  } catch (error) {
    // A graph of SPAWC is meant here rather than one of the catalogue.
    const question = didYouMean(word, spawcGraphNames);
    if (!(error instanceof InputError) || question === '') throw error;
    throw new InputError(`${error.message.replace(/; did you mean [^?]+\?$/, '')}${question}`);
  }
}

/** The name of a graph in a DIMACS file: the file's without its ending. */
export function dimacsName(path: string): string {
  return basename(path).replace(/\.gz$/, '').replace(/\.(gr|col|dimacs)$/, '');
}
