import * as z from 'zod';

export type Path = readonly PropertyKey[];

/** The schema of the value at `path`; undefined if there may be nothing. */
export function fieldAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let inner: z.ZodType | undefined = unwrapped(schema);
  for (const step of path) {
    const next: unknown = inner instanceof z.ZodObject ? (inner.shape as Record<PropertyKey, unknown>)[step]
      : inner instanceof z.ZodArray ? inner.element
        : inner instanceof z.ZodRecord ? inner.valueType : undefined;
    if (next === undefined) return undefined;
    inner = unwrapped(next as z.ZodType);
  }
  return inner;
}

/** Names of the fields that a value at `path` may have; none if it may have any. */
export function namesAt(schema: z.ZodType, path: Path): string[] {
  const inner = fieldAt(schema, path);
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape);
  const names = inner instanceof z.ZodRecord ? inner.keyType : undefined;
  return names instanceof z.ZodEnum ? names.options.map(String) : [];
}

/** The fields of a schema by their dotted names; an object's fields stand in its place. */
export function fieldsOf(schema: z.ZodObject, prefix = ''): (readonly [path: string, field: z.ZodType])[] {
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const inner = unwrapped(field);
    return inner instanceof z.ZodObject ? fieldsOf(inner, `${prefix}${name}.`) : [[prefix + name, field] as const];
  });
}

/** The schema of the field itself, without its default, optionality and preprocessing. */
export function unwrapped(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodPipe) return unwrapped(field.out as z.ZodType);
  const mayBeAbsent =
    field instanceof z.ZodDefault || field instanceof z.ZodPrefault || field instanceof z.ZodOptional;
  return mayBeAbsent ? unwrapped(field.unwrap() as z.ZodType) : field;
}
