import * as z from 'zod';
import { inOwnUnit, quantityOf, unitKinds, type Quantity } from '../index.ts';
import { unwrapped } from './fields.ts';

/** How the value of a field may be written besides as a number. @param name of the field, perhaps dotted. */
export function quantityOfField(name: string, field: z.ZodType): Quantity | undefined {
  const inner = unwrapped(field);
  const options = inner instanceof z.ZodUnion ? inner.options : [inner];
  const number = options.find((option) => option instanceof z.ZodNumber);
  return number === undefined ? undefined : quantityOf(lastOf(name), number.format === 'safeint');
}

/** A value as written, with every text that has a unit where `schema` wants a number as that number. */
export function withoutUnits(value: unknown, schema: z.ZodType, name = ''): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((element) => withoutUnits(element, inner.element as z.ZodType, name));
  if (!(inner instanceof z.ZodObject)) return inOwnUnit(value, quantityOfField(name, inner));
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const shape: Readonly<Record<string, z.ZodType>> = inner.shape;
  return Object.fromEntries(Object.entries(value).map(([key, field]) =>
    [key, Object.hasOwn(shape, key) ? withoutUnits(field, shape[key], key) : field]));
}

interface JsonSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly description?: string;
  readonly default?: unknown;
  readonly $ref?: string;
}

/** A JSON Schema that also allows the texts which `withoutUnits` converts. */
export function schemaWithUnits(schema: object): object {
  const texts = Object.entries(unitKinds).map(([kind, { title, pattern, examples }]) =>
    [kind, { type: 'string', description: title, pattern, examples }]);
  return { ...allowing(schema, ''), $defs: Object.fromEntries(texts) as object };
}

function allowing(schema: JsonSchema, name: string): JsonSchema {
  const { properties, items, anyOf } = schema;
  if (properties !== undefined) {
    const entries = Object.entries(properties).map(([key, property]) => [key, allowing(property, key)] as const);
    return { ...schema, properties: Object.fromEntries(entries) };
  }
  if (items !== undefined) return { ...schema, items: allowing(items, name) };
  const numbers = (anyOf ?? [schema]).find(({ type }) => type === 'number' || type === 'integer');
  const quantity = numbers && quantityOf(lastOf(name), numbers.type === 'integer');
  if (quantity === undefined) return schema;
  const text = { $ref: `#/$defs/${quantity.kind}` };
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, text] };
  const { description, default: standard, ...number } = schema;
  return {
    ...(description !== undefined && { description }), ...(standard !== undefined && { default: standard }),
    anyOf: [number, text],
  };
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
