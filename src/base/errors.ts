/** An internal error: thrown when an invariant is broken, never caught. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/**
 * Bad input: a file, flag, field or address. The message names the place, the value and what is allowed.
 * A command prints only the message and exits with code 2.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** The world cannot continue (disk full, store corrupt): the run stops with exit code 3; its record so far stays. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
}

/**
 * Throws AssertionError unless `condition` holds. Costs one branch; pass a function if building the message is costly.
 */
export function assert(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new AssertionError(typeof message === 'string' ? message : message());
}
