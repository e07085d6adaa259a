import type { Command } from 'commander';

const commandGroups: readonly (readonly [heading: string, commands: readonly string[]])[] = [
  ['Most used:', ['simulate', 'plan', 'study', 'compare', 'crawl', 'search', 'dashboard', 'help']],
  ['Graphs:', ['info', 'rank', 'import', 'generate', 'datasets']],
];
const otherCommands = 'More:';

/** Headings of flags that many commands have. */
const flagGroups: readonly (readonly [heading: string, flags: readonly string[]])[] = [
  ['Settings file:', ['--config', '--print-config', '--print-schema']],
  ['Output:', ['--out', '--json', '--pages-csv', '--verify', '--log']],
];

/** Help in groups, with one sentence per command: for the commands of a program, and the flags of each. */
export function group(program: Command): void {
  for (const command of program.commands) {
    command.helpGroup(commandGroups.find(([, names]) => names.includes(command.name()))?.[0] ?? otherCommands);
    groupFlags(command);
  }
  // Groups have the order in which their first commands were added.
  const place = (command: Command): number =>
    commandGroups.flatMap(([, names]) => names).indexOf(command.name()) >>> 0;
  (program.commands as Command[]).sort((a, b) => place(a) - place(b));
}

function groupFlags(command: Command): void {
  command.summary(firstSentence(command.description()));
  for (const option of command.options) {
    const heading = flagGroups.find(([, flags]) => flags.includes(option.long ?? ''))?.[0];
    if (heading !== undefined) option.helpGroup(heading);
  }
  for (const inner of command.commands) groupFlags(inner);
}

function firstSentence(description: string): string {
  const [first] = description.split(/(?<=\.)\s/);
  return first.replace(/\s+/g, ' ');
}
