import * as z from 'zod';
import { grouped } from '../text/figures.ts';

interface Field {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Field[];
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Field | boolean;
}

/** Columns of a comment. */
const width = 116;
/** Programs may name policies of their own, and set their options. */
const open: Readonly<Record<string, string>> = {
  policy: 'string',
  policyOptions: 'number | string | Readonly<Record<string, number | undefined>> | undefined',
};

/**
 * An interface of TypeScript for the settings of a schema, with a comment on each: its effect, range and default, in
 * the words of the help. The build puts it in the place of the computed type, of which editors show nothing.
 */
export function interfaceOf(name: string, schema: z.ZodType): string {
  const field = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Field;
  return `export interface ${name} ${objectType(field, '')}\n`;
}

function objectType({ properties = {}, required = [] }: Field, indent: string, others?: string): string {
  const inner = `${indent}    `;
  const lines = Object.entries(properties).flatMap(([name, field]) => {
    const mayLack = required.includes(name) ? ['', ''] : ['?', ' | undefined'];
    return [...comment(field, inner), `${inner}${name}${mayLack[0]}: ${typeOf(name, field, inner)}${mayLack[1]};`];
  });
  const rest = others === undefined ? [] : [`${inner}[name: string]: ${others};`];
  return ['{', ...lines, ...rest, `${indent}}`].join('\n');
}

function typeOf(name: string, field: Field, indent: string): string {
  if (name === 'policy') return open[name];
  if (field.anyOf !== undefined) return field.anyOf.map((member) => typeOf('', member, indent)).join(' | ');
  if (field.const !== undefined) return JSON.stringify(field.const);
  if (field.enum !== undefined) return field.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (field.type === 'array') {
    const item = typeOf('', field.items ?? {}, indent);
    return / \| /.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (field.properties !== undefined) return objectType(field, indent, open[name]);
  if (field.type === 'object') {
    const { additionalProperties: value } = field;
    return `Record<string, ${typeof value === 'object' ? typeOf('', value, indent) : 'unknown'}>`;
  }
  return field.type === 'integer' ? 'number' : field.type ?? 'any';
}

function comment(field: Field, indent: string): string[] {
  const sentences = [field.description, rangeOf(field), defaultOf(field)].filter((text) => text !== undefined);
  if (sentences.length === 0) return [];
  const words = sentences.map((text) => `${text[0].toUpperCase()}${text.slice(1)}.`).join(' ').split(' ');
  const lines = [''];
  for (const word of words) {
    if (lines.at(-1) !== '' && indent.length + 3 + lines.at(-1)!.length + 1 + word.length > width) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'));
  if (safe.length === 1) return [`${indent}/** ${safe[0]} */`];
  return [`${indent}/**`, ...safe.map((line) => `${indent} * ${line}`), `${indent} */`];
}

function rangeOf({ anyOf, type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Field): string | undefined {
  const number = anyOf?.find((member) => member.type === 'integer' || member.type === 'number');
  if (number !== undefined) return rangeOf(number);
  const least = exclusiveMinimum === undefined ? minimum : `more than ${exclusiveMinimum}`;
  const most = exclusiveMaximum === undefined ? maximum : `less than ${exclusiveMaximum}`;
  if (least === undefined || most === undefined) return undefined;
  const [from, to] = [least, most].map((bound) => (typeof bound === 'number' ? grouped(bound) : bound));
  return `${type === 'integer' ? 'an integer, ' : ''}${from} to ${to}`;
}

function defaultOf({ default: value }: Field): string | undefined {
  return value === undefined || typeof value === 'object' ? undefined : `default: ${JSON.stringify(value)}`;
}
