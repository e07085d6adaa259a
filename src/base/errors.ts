/** An internal error, or a call that breaks a promise of its caller's: an invariant does not hold. Never caught. */
export class AssertionError extends Error {
  /** The class by name, which threads and bundles leave as it is. */
  override readonly name = 'AssertionError';
  /** The same in all versions, as messages are not. */
  readonly code = 'ORBWEAVER_INTERNAL';
}

/** What an InputError says besides its message. */
export interface InputErrorOptions extends ErrorOptions {
  /** Dotted name of the setting that is wrong, such as `queue.block`; of several, the first. */
  readonly field?: string | undefined;
}

/**
 * Bad input: a file, flag, field or address. The message names the place, the value and what is allowed.
 * A command that meets one prints the message alone and ends with exit code 2.
 */
export class InputError extends Error {
  /** The class by name, which threads and bundles leave as it is. */
  override readonly name = 'InputError';
  /** The same in all versions, as messages are not. */
  readonly code = 'ORBWEAVER_INPUT';
  /** Dotted name of the setting that is wrong, such as `queue.block`; undefined where the error is of no setting. */
  readonly field: string | undefined;

  /**
   * Makes an error.
   *
   * @param message - place, value, and what is allowed.
   * @param options - the cause, and the setting that is wrong.
   */
  constructor(message: string, options: InputErrorOptions = {}) {
    super(message, options);
    this.field = options.field;
  }
}

/** The world cannot go on (disk full, store corrupt): the run stops with exit code 3, and what it recorded stays. */
export class WorldError extends Error {
  /** The class by name, which threads and bundles leave as it is. */
  override readonly name = 'WorldError';
  /** The same in all versions, as messages are not. */
  readonly code = 'ORBWEAVER_WORLD';
}

/** Whether an error is one of these: the system's errors have a `code` as well. */
export function isOwnError(error: unknown): boolean {
  return error instanceof AssertionError || error instanceof InputError || error instanceof WorldError;
}

/**
 * Throws AssertionError unless `condition` holds. Costs one branch; where building the message costs, pass a function.
 */
export function assert(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new AssertionError(typeof message === 'string' ? message : message());
}
