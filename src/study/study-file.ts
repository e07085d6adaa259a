import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  isAlias, isCollection, isMap, isNode, isScalar, LineCounter, parseDocument, visit, type Document, type Node,
  type Pair,
} from 'yaml';
import { z } from 'zod';
import { InputError, nearest } from '../base/index.ts';
import type { ExperimentInput } from '../settings/index.ts';
import { studySchema, type StudyInput, unwrapped } from './schema.ts';

/** Far more than any study that a person writes; a reader's time and memory are bounded by it. */
const bytesMost = 256 * 1024;
/** Times that an alias may be followed: alias bombs grow by powers of it. */
const aliasesMost = 100;
/** Faults of one file that are told at once. */
const faultsMost = 10;

/** A study as its file has it. */
export interface Study {
  readonly title: string | undefined;
  /** Name or path, as it stands in the file. */
  readonly graph: string;
  readonly scores: string | undefined;
  /** What all runs have, as written: a preset must not hide behind the defaults it replaces. */
  readonly base: ExperimentInput;
  /** In the file's order, which is that of the grid: the last varies fastest. */
  readonly axes: readonly Axis[];
  readonly sample: StudyInput['sample'];
}

export interface Axis {
  /** Dotted path into the Experiment. */
  readonly name: string;
  readonly values: readonly unknown[];
}

/** Studies that come with the package, by name. */
const shipped: readonly string[] = ['policies', 'tiny'];

/**
 * Reads a study file, or the study of that name that comes with the package (which wins over a file; write `./name` for
 * the file).
 * Errors   InputError naming file, line, column and what is allowed. Cost: at most 256 KiB are read.
 */
export async function readStudy(nameOrPath: string): Promise<Study> {
  // Two folders up is the package, from src/study/ as from dist/study/.
  const path = shipped.includes(nameOrPath)
    ? fileURLToPath(new URL(`../../datasets/studies/${nameOrPath}.yaml`, import.meta.url))
    : nameOrPath;
  return studyOf(await textOf(path), path);
}

async function textOf(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      if ((await file.stat()).isDirectory()) throw new InputError(`${path}: is a folder; expected a study file (YAML)`);
      const bytes = Buffer.alloc(bytesMost + 1);
      let length = 0;
      for (let got = -1; got !== 0 && length < bytes.length; length += got)
        got = (await file.read(bytes, length, bytes.length - length, null)).bytesRead;
      if (length > bytesMost)
        throw new InputError(`${path}: is longer than ${bytesMost / 1024} KiB, more than any study file`);
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof TypeError) throw new InputError(`${path}: is no UTF-8 text`);
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      `${path}: ${code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code ?? String(error)})`}`,
    );
  }
}

/** A study from the text of its file; `path` is for messages. Errors   as readStudy. */
export function studyOf(text: string, path: string): Study {
  const lines = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  try {
    // Doubled keys are looked for below.
    const document = parseDocument(text, {
      lineCounter: lines, prettyErrors: false, uniqueKeys: false, version: '1.2', schema: 'core', stringKeys: true,
    });
    if (document.errors.some(({ message }) => /call stack/i.test(message))) throw new RangeError('nested');
    const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => `${at(pos[0])}: ${message}`);
    if (faults.length === 0) faults.push(...structureFaults(document, at));
    refuse(faults);
    const value: unknown = document.toJS({ maxAliasCount: aliasesMost });
    const parsed = studySchema.safeParse(value, { reportInput: true });
    if (!parsed.success) refuse(parsed.error.issues.flatMap((issue) => told(issue, document, at)));
    return checked(value as z.input<typeof studySchema>, document, at);
  } catch (error) {
    // The ways in which the library gives up: recursion too deep, which it may also tell as a fault, and aliases too
    // many.
    if (error instanceof RangeError) throw new InputError(`${path}: is nested too deeply`);
    if (error instanceof ReferenceError) throw new InputError(`${path}: its aliases stand for too much`);
    throw error;
  }
}

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length - faultsMost;
  throw new InputError([...faults.slice(0, faultsMost), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
}

type At = (offset: number) => string;

/**
 * Keys that stand twice in a map, aliases without an anchor before them: what the library finds late, or in the square
 * of the time.
 */
function structureFaults(document: Document, at: At): string[] {
  const faults: string[] = [];
  const anchors = new Set<string>();
  visit(document, (_, node) => {
    if (isAlias(node)) {
      if (!anchors.has(node.source))
        faults.push(`${at(offsetOf(node))}: there is no anchor &${node.source} before this alias`);
    } else if (isNode(node) && node.anchor !== undefined) anchors.add(node.anchor);
    if (!isMap(node)) return;
    const seen = new Set<unknown>();
    for (const { key } of node.items) {
      const name = isScalar(key) ? key.value : key;
      if (seen.has(name)) faults.push(`${at(offsetOf(key))}: ${String(name)} stands twice`);
      seen.add(name);
    }
  });
  return faults;
}

function offsetOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}

/** The node at `path`, or the innermost one that there is on the way to it. */
function nodeAt(document: Document, path: readonly PropertyKey[]): unknown {
  let node: unknown = document.contents;
  for (const step of path) {
    const inner: unknown = isCollection(node) ? node.get(step, true) : undefined;
    if (!isNode(inner)) return node;
    node = inner;
  }
  return node;
}

/** The key `name` of the map at `path`, or the map itself. */
function keyAt(document: Document, path: readonly PropertyKey[], name: string): unknown {
  const node = nodeAt(document, path);
  const pair = isMap(node)
    ? (node.items as Pair<Node>[]).find(({ key }) => isScalar(key) && String(key.value) === name)
    : undefined;
  return pair?.key ?? node;
}

/** What an issue of zod's says, where it is and what is allowed there. */
function told(issue: z.core.$ZodIssue, document: Document, at: At): string[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = namesAt(issue.path);
    return issue.keys.map((key) => {
      const like = nearest(key, known);
      const help = like !== undefined ? `did you mean ${like}?` : `known there: ${known.join(', ')}`;
      return `${at(offsetOf(keyAt(document, issue.path, key)))}: ${field === '' ? '' : `${field}: `}${shortly(key)} is no field; ${help}`;
    });
  }
  const given = issue.input === undefined || typeof issue.input === 'object' ? '' : ` (given: ${shortly(issue.input)})`;
  const like =
    issue.code === 'invalid_value' && typeof issue.input === 'string'
      ? nearest(issue.input, issue.values.map(String))
      : undefined;
  const question = like === undefined ? '' : `; did you mean ${like}?`;
  return [
    `${at(offsetOf(nodeAt(document, issue.path)))}: ${field === '' ? 'a study file' : field}: ${sentence(issue)}${given}${question}`,
  ];
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_union') return issue.errors.flat().map(({ message }) => message).join(', or ');
  return issue.message;
}

function shortly(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** Names of the fields that a map at `path` may have. */
function namesAt(path: readonly PropertyKey[]): string[] {
  let schema: z.ZodType | undefined = studySchema;
  const shape = (): Readonly<Record<string, z.ZodType>> => {
    const inner = schema && unwrapped(schema);
    return inner instanceof z.ZodObject ? (inner.shape) : {};
  };
  for (const step of path) schema = shape()[String(step)];
  return Object.keys(shape());
}

/** What a schema cannot say: no field is both in the base and on an axis, no value twice on an axis. */
function checked(input: z.input<typeof studySchema>, document: Document, at: At): Study {
  const faults: string[] = [];
  const axes = Object.entries(input.axes).map(([name, values]): Axis => ({ name, values: values as unknown[] }));
  for (const { name, values } of axes) {
    const path = ['experiment', ...name.split('.')];
    if (valueAt(input, path) !== undefined) {
      const [axis, base] = [at(offsetOf(keyAt(document, ['axes'], name))), at(offsetOf(nodeAt(document, path)))];
      faults.push(`${axis}: ${name} is an axis, and the base experiment has it too (${base}); leave one out`);
    }
    const seen = new Set<string>();
    for (const [i, value] of values.entries()) {
      const text = JSON.stringify(value);
      if (seen.has(text))
        faults.push(`${at(offsetOf(nodeAt(document, ['axes', name, i])))}: axes.${name}: has ${shortly(value)} twice`);
      seen.add(text);
    }
  }
  refuse(faults);
  const { title, graph, scores, experiment, sample } = input;
  return {
    title, graph, scores, base: experiment ?? {}, axes, sample: sample && { runs: sample.runs, seed: sample.seed ?? 1 },
  };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      inner !== null && typeof inner === 'object' && Object.hasOwn(inner, step)
        ? (inner as Record<string, unknown>)[step]
        : undefined,
    value,
  );
}
