/** A fault of ours: thrown where an invariant is found broken, never caught. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/**
 * Bad input: a file, flag, field or address. The message names the place, the value and what is allowed.
 * A command that meets one prints the message alone and ends with exit code 2.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** The world cannot go on (disk full, store corrupt): the run stops with exit code 3 and keeps what it recorded. */
export class WorldError extends Error {
  override readonly name = 'WorldError';
}

/**
 * Throws AssertionError unless `condition` holds. Costs one branch; where building the message costs, pass a function.
 */
export function assert(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new AssertionError(typeof message === 'string' ? message : message());
}
