import { open, realpath, stat } from 'node:fs/promises';
import type * as Yaml from 'yaml';
import type { Document, DocumentOptions, Node, Pair, ParseOptions, SchemaOptions } from 'yaml';
import type * as z from 'zod';
import { InputError, onDemand, quantityWords } from '../index.ts';
import { faultsOf, fieldAt, quantityOfField, withoutUnits, type Explain, type Path } from '../schema/index.ts';

/** Far more than anyone writes by hand; bounds the time and memory of the reader. */
const DEFAULT_MAX_BYTES = 256 * 1024;
/** How often aliases may be resolved: alias bombs grow exponentially. */
const MAX_ALIASES = 100;
/** Errors of a file reported at once. */
const MAX_FAULTS = 10;
/** Characters of what the library says of an error: it may quote a whole line. */
const MAX_FAULT_LENGTH = 300;
/** Each token costs microseconds: a file of a few MiB with little but brackets would take minutes. */
const DEFAULT_MAX_TOKENS = 1_000_000;

const yaml = (): typeof Yaml => onDemand('yaml') as typeof Yaml;

const parsing = { prettyErrors: false, version: '1.2', schema: 'core', stringKeys: true } as const;

/** The contents of a YAML file, checked by a schema. */
export interface CheckedYaml<S extends z.ZodType> {
  /** As written: omitted fields are absent. Values with a unit are numbers in the unit of their field. */
  readonly value: z.input<S>;
  /** "file:line:column" of the value at a path, or of the innermost existing value on the way to it. */
  readonly placeOf: (path: Path) => string;
  /** The same for the key `name` in the map at a path. */
  readonly placeOfKey: (path: Path, name: string) => string;
}

/** How to read a file. */
export interface YamlSize {
  /** Description of such a file in messages: "a study file". */
  readonly what: string;
  /** 256 KiB by default. */
  readonly maxBytes?: number;
  /** Keys, values, signs, blanks and line breaks together: 1,000,000 by default. */
  readonly maxTokens?: number;
}

/** How to check a file. */
export interface YamlRules<S extends z.ZodType> extends YamlSize {
  readonly schema: S;
  /** An explanation for an unknown key; without one, the known names are listed. */
  readonly explain?: Explain;
  /** The name by which the schema knows a key of the map at `path`; without it, its own. */
  readonly nameOf?: (key: string, path: Path) => string;
  /** The path of the part to check, if that is not the whole document. */
  readonly partOf?: (whole: unknown) => Path;
}

/**
 * Reads a YAML file (JSON is YAML) and checks it.
 * Errors   InputError naming file, line, column and what is allowed; also for a pipe with a name.
 * Cost     at most `maxBytes` are read; some 5 microseconds for each token.
 */
export async function readCheckedYaml<S extends z.ZodType>(path: string, rules: YamlRules<S>): Promise<CheckedYaml<S>> {
  return checkedYaml(await readYaml(path, rules), path, rules);
}

/**
 * The contents of a YAML text, unchecked, for callers that need part of it before they can check it; undefined if
 * `checkedYaml` will refuse it.
 */
export function glancedYaml(text: string): unknown {
  try {
    if (hasTooMany(text, DEFAULT_MAX_TOKENS)) return undefined;
    const document = documentOf(text, { logLevel: 'silent' });
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    return undefined;
  }
}

/** Parsed without the stacks of errors, of which a hostile text has hundreds of thousands. */
function documentOf(text: string, options: ParseOptions & DocumentOptions & SchemaOptions): Document.Parsed {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    // Duplicate keys are detected below.
    return yaml().parseDocument(text, { ...parsing, uniqueKeys: false, ...options });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function hasTooMany(text: string, maxTokens: number): boolean {
  if (text.length <= maxTokens) return false;
  let budget = maxTokens;
  const tokens = new (yaml().Lexer)().lex(text);
  while (tokens.next().done !== true) if (budget-- === 0) return true;
  return false;
}

/**
 * Whether a pipe has a name: an open of it waits for whoever writes it, perhaps for ever. Those that a shell passes on
 * (`<(...)`, standard input) are open already; where they have a path at all, it is in /dev/fd.
 */
async function isNamedPipe(path: string): Promise<boolean> {
  const realPath = await realpath(path).catch(() => undefined);
  return realPath !== undefined && !realPath.startsWith('/dev/fd/') && (await stat(realPath)).isFIFO();
}

/** The text of a YAML file. @throws as readCheckedYaml, if it cannot be read. */
export async function readYaml(path: string, { what, maxBytes = DEFAULT_MAX_BYTES }: YamlSize): Promise<string> {
  try {
    if (await isNamedPipe(path)) throw new InputError(`${path}: is a pipe; expected ${what} (YAML)`);
    const file = await open(path);
    try {
      if ((await file.stat()).isDirectory()) throw new InputError(`${path}: is a folder; expected ${what} (YAML)`);
      const bytes = Buffer.alloc(maxBytes + 1);
      let length = 0;
      for (let got = -1; got !== 0 && length < bytes.length; length += got)
        got = (await file.read(bytes, length, bytes.length - length, null)).bytesRead;
      const kind = what.replace(/^an? /, '');
      if (length > maxBytes) throw new InputError(`${path}: is longer than ${maxBytes / 1024} KiB, more than any ${kind}`);
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof TypeError) throw new InputError(`${path}: is not UTF-8 text`);
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code ?? String(error)})`;
    throw new InputError(`${path}: ${why}`);
  }
}

/** The same from the text of a file; `path` is for messages. @throws as readCheckedYaml. */
export function checkedYaml<S extends z.ZodType>(text: string, path: string, rules: YamlRules<S>): CheckedYaml<S> {
  const lines = new (yaml().LineCounter)();
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  try {
    const { what, maxTokens = DEFAULT_MAX_TOKENS } = rules;
    if (hasTooMany(text, maxTokens)) {
      const kind = what.replace(/^an? /, '');
      throw new InputError(`${path}: has more than ${maxTokens} words, signs and blanks, more than any ${kind}`);
    }
    const document = documentOf(text, { lineCounter: lines });
    if (document.errors.some(({ message }) => /call stack/i.test(message))) throw new RangeError('nested');
    const faults = [...document.errors, ...document.warnings]
      .map(({ pos, message }) => `${at(pos[0])}: ${cut(message)}`);
    if (faults.length === 0 && rules.nameOf !== undefined) rename(document.contents, [], rules.nameOf);
    if (faults.length === 0) faults.push(...structureFaults(document, at));
    refuse(faults);
    const whole: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    const part = rules.partOf?.(whole) ?? [];
    const target = part.reduce<unknown>((inner, step) => (inner as Record<PropertyKey, unknown>)[step], whole);
    const value = withoutUnits(target, rules.schema);
    const parsed = rules.schema.safeParse(value, { reportInput: true });
    if (!parsed.success) refuse(parsed.error.issues.flatMap((issue) => issueFaults(issue, document, at, part, rules)));
    return {
      value: value as z.input<S>,
      placeOf: (place) => at(offsetOf(nodeAt(document, [...part, ...place]))),
      placeOfKey: (place, name) => at(offsetOf(keyAt(document, [...part, ...place], name))),
    };
  } catch (error) {
    // How the library gives up: on deep recursion, which it may also report as an error, and on too many aliases.
    if (error instanceof RangeError) throw new InputError(`${path}: is nested too deeply`);
    if (error instanceof ReferenceError) throw new InputError(`${path}: its aliases expand to too much`);
    throw error;
  }
}

/** Throws an InputError that lists the first errors, if there are any. */
export function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length - MAX_FAULTS;
  throw new InputError([...faults.slice(0, MAX_FAULTS), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
}

function cut(message: string): string {
  return message.length <= MAX_FAULT_LENGTH ? message : `${message.slice(0, MAX_FAULT_LENGTH)}...`;
}

type At = (offset: number) => string;

/**
 * Duplicate keys in a map, and aliases without a preceding anchor, which the library finds late, or in quadratic time.
 */
function structureFaults(document: Document, at: At): string[] {
  const faults: string[] = [];
  const anchors = new Set<string>();
  yaml().visit(document, (_, node) => {
    if (yaml().isAlias(node)) {
      if (!anchors.has(node.source))
        faults.push(`${at(offsetOf(node))}: there is no anchor &${node.source} before this alias`);
    } else if (yaml().isNode(node) && node.anchor !== undefined) anchors.add(node.anchor);
    if (!yaml().isMap(node)) return;
    const visited = new Set<unknown>();
    for (const { key } of node.items) {
      const name = yaml().isScalar(key) ? key.value : key;
      if (visited.has(name)) faults.push(`${at(offsetOf(key))}: ${String(name)} is given twice`);
      visited.add(name);
    }
  });
  return faults;
}

/** Gives the keys of maps within maps the names that the schema knows them by. */
function rename(node: unknown, path: readonly string[], nameOf: (key: string, path: Path) => string): void {
  if (!yaml().isMap(node)) return;
  for (const { key, value } of node.items) {
    if (!yaml().isScalar(key)) continue;
    const name = nameOf(String(key.value), path);
    key.value = name;
    rename(value, [...path, name], nameOf);
  }
}

function offsetOf(node: unknown): number {
  return (yaml().isNode(node) ? node.range?.[0] : undefined) ?? 0;
}

/** The node at `path`, or the innermost existing one on the way to it. */
function nodeAt(document: Document, path: Path): unknown {
  let node: unknown = document.contents;
  for (const step of path) {
    const inner: unknown = yaml().isCollection(node) ? node.get(step, true) : undefined;
    if (!yaml().isNode(inner)) return node;
    node = inner;
  }
  return node;
}

/** The key `name` of the map at `path`, or the map itself. */
function keyAt(document: Document, path: Path, name: string): unknown {
  const node = nodeAt(document, path);
  const pair = yaml().isMap(node)
    ? (node.items as Pair<Node>[]).find(({ key }) => yaml().isScalar(key) && String(key.value) === name)
    : undefined;
  return pair?.key ?? node;
}

/** An issue of zod in words: its place, and the rule there. */
function issueFaults<S extends z.ZodType>(
  issue: z.core.$ZodIssue, document: Document, at: At, part: Path, { schema, what, explain }: YamlRules<S>,
): string[] {
  const field = issue.path.map(String).join('.');
  const isText = issue.code === 'invalid_type' && typeof issue.input === 'string';
  const units = isText ? unitsAt(schema, issue.path) : undefined;
  const more = units === undefined ? '' : `; or ${units}`;
  return faultsOf(issue, schema, explain).map(({ path, key, text }) => {
    const whole = [...part, ...path];
    const place = at(offsetOf(key === undefined ? nodeAt(document, whole) : keyAt(document, whole, key)));
    const subject = field === '' ? (key === undefined ? `${what}: ` : '') : `${field}: `;
    return `${place}: ${subject}${text}${more}`;
  });
}

/** How a number at `path` may be written besides. */
function unitsAt(schema: z.ZodType, path: Path): string | undefined {
  const field = fieldAt(schema, path);
  const name = path.filter((step) => typeof step === 'string').at(-1) ?? '';
  return field && quantityWords(quantityOfField(name, field));
}

/** Values as YAML, without a line break at the end. */
export function yamlText(values: object): string {
  return yaml().stringify(values).trimEnd();
}
