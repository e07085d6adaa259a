import type { CommanderError, Command } from 'commander';
import { flagMeant, synonymOf } from '../../core/settings/index.ts';

/** The message with the flag that an unknown one means, where commander knows none or only one spelt alike. */
export function withMeaning(
  message: string, { code, message: whole }: CommanderError, command: Command | undefined,
): string {
  const unknown = /^error: unknown option '--([^'=]*)/.exec(whole)?.[1];
  if (code !== 'commander.unknownOption' || unknown === undefined || command === undefined) return message;
  const flags = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long?.slice(2) ?? []);
  const question = ' (Did you mean ';
  const meant = synonymOf(unknown, flags) ?? (message.includes(question) ? undefined : flagMeant(unknown, flags));
  return meant === undefined ? message : `${message.split(question)[0]}${question}--${meant}?)`;
}
