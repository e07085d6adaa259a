import type * as z from 'zod';
import { InputError } from '../../base/index.ts';
import { withoutUnits } from '../../base/schema/index.ts';

export interface MadeCommand {
  /** Without `--out` and `--watch`. */
  readonly argv: readonly string[];
  /** The same settings as a file. */
  readonly config: string;
  readonly name: string;
  /** The name of its folder, without a number. */
  readonly base: string;
}

/** The input without units, if the schema allows it. @throws InputError naming the setting. */
export function valid<S extends z.ZodType>(schema: S, typed: unknown, within = ''): z.input<S> {
  const input = withoutUnits(typed, schema);
  const parsed = schema.safeParse(input);
  if (parsed.success) return input as z.input<S>;
  const [issue] = parsed.error.issues;
  const path = [...(within === '' ? [] : [within]), ...issue.path.map(String)];
  // A key that there is not is the setting meant.
  const field = [...path, ...(issue.code === 'unrecognized_keys' ? [issue.keys[0]] : [])].join('.');
  throw new InputError(`${field}: ${issue.message}`, { field });
}

export function plain(field: string, word: string): string {
  if (word.startsWith('-') || word.includes('\0')) throw new InputError(`${field}: must not begin with -`, { field });
  return word;
}

export function named(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '').slice(0, 80) || 'run';
}
