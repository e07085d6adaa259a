import * as z from 'zod';

/**
 * The schema of the field itself, without its default, optionality and preprocessing.
 */
export function unwrapped(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodPipe) return unwrapped(field.out as z.ZodType);
  const mayBeAbsent =
    field instanceof z.ZodDefault || field instanceof z.ZodPrefault || field instanceof z.ZodOptional;
  return mayBeAbsent ? unwrapped(field.unwrap() as z.ZodType) : field;
}
