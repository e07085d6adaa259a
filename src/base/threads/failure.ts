import { AssertionError, InputError, WorldError, type InputErrorOptions } from '../index.ts';

/** An error as it goes between threads: cloning one would lose its class. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Of an InputError. */
  readonly field?: string | undefined;
}

/** What a thread says to what it was asked. */
export type Reply<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** A thread has ended, by itself or because it was closed, and what it was asked has no answer. */
export class EndedThread extends WorldError {}

const classes: Record<string, new (message: string, options?: InputErrorOptions) => Error> = {
  AssertionError, InputError, RangeError, SyntaxError, TypeError, WorldError,
};

export function failureOf(thrown: unknown): Failure {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message, stack, field: thrown instanceof InputError ? thrown.field : undefined };
}

/**
 * The error as it was thrown in the thread: its class, where that is ours or the language's, its message and its stack.
 */
export function errorOf({ name, message, stack, field }: Failure): Error {
  const error = name in classes ? new classes[name](message, { field }) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/**
 * Why a thread ended, where nobody caught what was thrown in it: the class stays where it is ours, out of memory is a
 * matter of the world, and all else is a fault of ours.
 */
export function uncaughtIn(thread: string, thrown: unknown): Error {
  const cause = thrown instanceof Error ? errorOf(failureOf(thrown)) : new Error(String(thrown));
  if ((thrown as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new EndedThread(`${thread} has ended: out of memory`, { cause });
  }
  const message = `${thread}: ${cause.message}`;
  if (cause instanceof InputError) return new InputError(message, { cause, field: cause.field });
  return new (cause instanceof WorldError ? classes[cause.name] : AssertionError)(message, { cause });
}
