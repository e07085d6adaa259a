import type * as z from 'zod';
import { InputError } from '../../base/index.ts';
import { withoutUnits } from '../../base/schema/index.ts';

/** The command that does what a form asks for. */
export interface MadeCommand {
  /** Without `--out` and `--watch`. */
  readonly argv: readonly string[];
  /** The file that says the same. */
  readonly config: string;
  readonly name: string;
  /** Of its folder. */
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

/** A word of a command line that is no flag. */
export function plain(field: string, word: string): string {
  if (word.startsWith('-') || word.includes('\0')) throw new InputError(`${field}: must not begin with -`, { field });
  return word;
}

/** A name for a folder. */
export function named(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '').slice(0, 80) || 'run';
}
