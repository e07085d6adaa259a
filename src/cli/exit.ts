import { CommanderError, type Command } from 'commander';
import { AssertionError, InputError, RestartError, WorldError } from '../base/index.ts';
import { printable } from './text/printable.ts';

/**
 * Exit codes. 4: a crawl that stored no page. 70 is EX_SOFTWARE of sysexits.h, 75 its EX_TEMPFAIL: start me anew. 130
 * is 128 + SIGINT.
 */
export const exitCodes = { input: 2, world: 3, nothing: 4, fault: 70, restart: 75, interrupted: 130 } as const;

/** Adds to a message what the user may have meant. */
export type Meaning = (message: string, error: CommanderError, command: Command | undefined) => string;

/**
 * Explains a failure: the text for standard error and the exit code. Bad input gets one line and
 * no stack; an internal error shows everything known, for the bug report.
 * @param withMeaning needs the settings, which take longer to load than most commands take to fail.
 */
export function explained(
  error: unknown, command: Command | undefined, withMeaning: Meaning = (message) => message,
): { text: string; code: number } {
  if (error instanceof InputError) return { text: lines(error.message), code: exitCodes.input };
  if (error instanceof RestartError) return { text: lines(error.message), code: exitCodes.restart };
  if (error instanceof WorldError) return { text: lines(error.message), code: exitCodes.world };
  if (error instanceof CommanderError) {
    // Help and version were already printed; the rest are usage errors.
    if (error.exitCode === 0) return { text: '', code: 0 };
    return { text: usageText(error, command, withMeaning), code: exitCodes.input };
  }
  // Pieces of the command are loaded when they are needed.
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
    const text = `${lines(error.message)}: this installation is damaged; install orbweaver again`;
    return { text, code: exitCodes.world };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const kind = error instanceof AssertionError ? 'an invariant does not hold' : 'an unexpected error';
  return {
    text:
      `Internal error (${kind}): this is a bug in Orbweaver, not a problem with your input.\n${lines(stack)}\n` +
      `Please report it with the lines above, the command line and "Node ${process.version}, ${process.platform} ${process.arch}".`,
    code: exitCodes.fault,
  };
}

/** Commander's message on one line, without its "error: " and the line break before its suggestion. */
function usageText(error: CommanderError, command: Command | undefined, withMeaning: Meaning): string {
  if (error.code === 'commander.help') return '';
  const message = printable(error.message.replace(/^error: /, '').replace(/\n/g, ' '));
  return `${withMeaning(message, error, command)}; see ${fullName(command)} --help`;
}

/** The command as typed: "orbweaver datasets list". */
function fullName(command: Command | null | undefined): string {
  if (command === undefined || command === null) return 'orbweaver';
  return command.name() === 'orbweaver' ? 'orbweaver' : `${fullName(command.parent)} ${command.name()}`;
}

/** Escapes control characters within each line. */
function lines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
