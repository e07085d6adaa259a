import { wordFinder } from '../run/words.ts';

/** A JSON Schema, as far as forms read it. */
export interface Schema {
  readonly type?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly required?: readonly string[];
  readonly $ref?: string;
}

/** One setting, as a form shows it. */
export interface Field {
  /** Dotted: `network.latencyMs`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** '' where the setting has none. */
  readonly unit: string;
  /** `words`, `numbers`: several, separated by blanks or commas; `json`: lists and objects, typed as JSON. */
  readonly kind: 'number' | 'text' | 'choice' | 'words' | 'numbers' | 'json';
  readonly choices: readonly string[];
  /** What holds where nothing is typed; '' if the schema does not say. */
  readonly standard: string;
  /** What choosing nothing is called, where that is neither the default nor none. */
  readonly unset?: string;
  /** "1 to 4,096"; '' without bounds. */
  readonly bounds: string;
  /** Headings from the outermost on; empty at the top. */
  readonly group: string;
}

const unitsByEnd = [
  ['BytesPerSecond', 'bytes per second'], ['Bytes', 'bytes'], ['Seconds', 'seconds'], ['Ms', 'milliseconds'],
  ['Us', 'microseconds'],
] as const;

/** Names of single settings, if the names in the file do not say enough. */
const titles: Readonly<Record<string, string | undefined>> = {
  processors: 'Processors (P)', robots: 'Robots per processor (r)', superstepLimit: 'Superstep limit (R_x)',
  superstepMs: 'Superstep length', pending: 'Pending jobs (D)', politenessMs: 'Politeness delay',
  'network.preset': 'Network', maxPages: 'Most pages', maxSeconds: 'Longest duration', barrierUs: 'Barrier cost (L)',
  pairUs: 'Pair cost (g)', messageUs: 'Message cost (o)', backoffMs: 'Back-off', maxBackoffMs: 'Longest back-off',
  reinsert: 'Reinsertion factor', 'queue.kind': 'Priority queue', 'queue.slices': 'Slices (T)',
  'network.dnsMs': 'Name lookup', 'network.connectMs': 'Connection set-up', 'policyOptions.hostUrls': 'URLs of a host',
  'live.robotsTxt': 'robots.txt', 'network.robotsTxtShare': 'robots.txt share',
  'network.robotsTxtBytes': 'robots.txt bytes',
};

/** Every setting of a schema, in its order; settings of nested objects follow under the object's name. */
export function fieldsOf(schema: Schema, within = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = within === '' ? name : `${within}.${name}`;
    if (property.properties !== undefined) return fieldsOf(property, path);
    return [fieldOf(path, name, within, property)];
  });
}

function fieldOf(path: string, name: string, within: string, schema: Schema): Field {
  const options = schema.anyOf ?? [schema];
  const number = options.find(({ type }) => type === 'number' || type === 'integer');
  const words = options.flatMap((option) => option.enum ?? (option.const === undefined ? [] : [option.const]))
    .map(String);
  const isFlag = schema.type === 'boolean';
  return {
    path, title: schema.title ?? titles[path] ?? titleOf(name), description: schema.description ?? '',
    group: headingOf(within),
    unit: number === undefined ? '' : unitsByEnd.find(([end]) => name.endsWith(end))?.[1] ?? '', kind: kindOf(schema),
    choices: isFlag ? ['true', 'false'] : words, standard: standardText(schema.default),
    bounds: number === undefined ? '' : boundsOf(number),
  };
}

function kindOf(schema: Schema): Field['kind'] {
  const { type, anyOf, items } = schema;
  const options = anyOf ?? [schema];
  if (options.some((option) => option.type === 'number' || option.type === 'integer')) return 'number';
  if (type === 'boolean' || options.some(({ enum: names, const: name }) => names !== undefined || name !== undefined))
    return 'choice';
  if (options.every((option) => [option.type].flat().includes('string') || option.$ref !== undefined)) return 'text';
  const ofItems = items && kindOf(items);
  return ofItems === 'number' ? 'numbers' : ofItems === 'text' ? 'words' : 'json';
}

/** "latencyMs" as "Latency", "pageBytes" as "Page bytes"; the unit stands beside the field. */
function titleOf(name: string): string {
  const bare = name.replace(/(?<=.)(BytesPerSecond|Ms|Us)$/, '');
  const words = bare.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function headingOf(within: string): string {
  return within === '' ? '' : within.split('.').map(titleOf).join(', ');
}

function standardText(standard: unknown): string {
  if (standard === undefined) return '';
  return typeof standard === 'string' ? standard : JSON.stringify(standard);
}

function boundsOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const grouped = (value: number): string => value.toLocaleString('en-GB');
  const low = minimum === undefined ? exclusiveMinimum : minimum;
  if (low === undefined || maximum === undefined) return '';
  return `${minimum === undefined ? 'above ' : ''}${grouped(low)} to ${grouped(maximum)}`;
}

/** Fields whose name or description has all the words. */
export function soughtFields(fields: readonly Field[], words: string): Field[] {
  const hasWords = wordFinder(words);
  return fields.filter(({ path, title, description }) => hasWords(`${path} ${title} ${description}`));
}
