/** An internal error, or a caller that broke a documented requirement: an invariant does not hold. Never caught. */
export class AssertionError extends Error {
  /** The name of the class, which threads and bundlers preserve. */
  override readonly name = 'AssertionError';
  /** Stable across versions, unlike messages. */
  readonly code = 'ORBWEAVER_INTERNAL';
}

/** Details of an InputError besides its message. */
export interface InputErrorOptions extends ErrorOptions {
  /** Dotted name of the invalid setting, such as `queue.block`; the first, if there are several. */
  readonly field?: string | undefined;
}

/**
 * Bad input: a file, flag, field or address. The message names the place, the value and what is allowed.
 * A command prints only the message and exits with code 2.
 */
export class InputError extends Error {
  /** The name of the class, which threads and bundlers preserve. */
  override readonly name = 'InputError';
  /** Stable across versions, unlike messages. */
  readonly code = 'ORBWEAVER_INPUT';
  /** Dotted name of the invalid setting, such as `queue.block`; undefined if the error concerns no setting. */
  readonly field: string | undefined;

  /**
   * Makes an error.
   *
   * @param message - place, value, and what is allowed.
   * @param options - the cause, and the invalid setting.
   */
  constructor(message: string, options: InputErrorOptions = {}) {
    super(message, options);
    this.field = options.field;
  }
}

/** The world cannot continue (disk full, store corrupt): the run stops with exit code 3; its record so far stays. */
export class WorldError extends Error {
  /** The name of the class, which threads and bundlers preserve. */
  override readonly name = 'WorldError';
  /** Stable across versions, unlike messages. */
  readonly code = 'ORBWEAVER_WORLD';
}

/**
 * This process cannot continue, and a new one can: its place was given to another. A command ends with exit code 75
 * (EX_TEMPFAIL of sysexits.h), by which supervisors know that it is to be started anew.
 */
export class RestartError extends WorldError {}

/** Whether an error is one of those above: system errors have a `code` as well. */
export function isOwnError(error: unknown): boolean {
  return error instanceof AssertionError || error instanceof InputError || error instanceof WorldError;
}

/**
 * Throws AssertionError unless `condition` holds. Costs one branch; pass a function if building the message is costly.
 */
export function assert(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new AssertionError(typeof message === 'string' ? message : message());
}
