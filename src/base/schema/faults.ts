import type * as z from 'zod';
import { didYouMean, noField, shortly } from '../index.ts';
import { namesAt, type Path } from './fields.ts';

/** What is wrong with a value, in words. */
export interface Fault {
  /** Its place, and the key there if that key is unknown. */
  readonly path: Path;
  readonly key: string | undefined;
  /** Without the place. */
  readonly text: string;
}

/** More about an unknown key at a path, such as `did you mean maxPages?`. */
export type Explain = (key: string, path: Path) => string | undefined;

/**
 * An issue of zod in words: the rule, and for an unknown name the one that it resembles. The schema must have
 * been asked to report its input.
 *
 * @returns a fault for each key that is not known, else one.
 */
export function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType, explain?: Explain): Fault[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const names = namesAt(schema, path);
    return issue.keys.map((key) => ({ path, key, text: noField(key, names, explain?.(key, path)) }));
  }
  const isShown = issue.input !== undefined && typeof issue.input !== 'object';
  const question = typeof issue.input === 'string' ? didYouMean(issue.input, valuesOf(issue)) : '';
  const text = `${sentence(issue)}${isShown ? ` (given: ${shortly(issue.input)})` : ''}${question}`;
  return [{ path, key: undefined, text }];
}

const kinds: Readonly<Partial<Record<string, string>>> = {
  object: 'an object', array: 'a list', string: 'a text', boolean: 'true or false',
};

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  // A schema may have its own words for it.
  const kind = issue.code === 'invalid_type' && issue.message.startsWith('Invalid') ? kinds[issue.expected] : undefined;
  if (kind !== undefined) return `must be ${kind}`;
  if (issue.code === 'invalid_union') return issue.errors.flat().map(({ message }) => message).join(', or ');
  return issue.message;
}

/** The values that are allowed, if these are some names. */
function valuesOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flat().flatMap(valuesOf);
  return issue.code === 'invalid_value' ? issue.values.map(String) : [];
}
