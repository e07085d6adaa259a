import { AssertionError, InputError, WorldError, type InputErrorOptions } from '../index.ts';

/** An error in the form in which it crosses threads: cloning it would lose its class. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The field of an InputError. */
  readonly field?: string | undefined;
}

/** A thread's reply to a request. */
export type Reply<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** A thread has ended, by itself or because it was closed, before it answered. */
export class EndedThread extends WorldError {}

const classes: Record<string, new (message: string, options?: InputErrorOptions) => Error> = {
  AssertionError, InputError, RangeError, SyntaxError, TypeError, WorldError,
};

export function failureOf(thrown: unknown): Failure {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message, stack, field: thrown instanceof InputError ? thrown.field : undefined };
}

/**
 * The error as thrown in the thread: its message, its stack, and its class if that is ours or built in.
 */
export function errorOf({ name, message, stack, field }: Failure): Error {
  const error = name in classes ? new classes[name](message, { field }) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/**
 * The error for a thread that ended by an uncaught exception: our own classes stay, out of memory becomes an
 * EndedThread, and everything else is an internal error.
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
