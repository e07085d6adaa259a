import type { Command } from 'commander';
import { didYouMean, InputError } from '../../base/index.ts';
import { printableShort } from '../text/printable.ts';
import { printText } from '../text/output.ts';

const topicNames = ['policies', 'measures', 'formats', 'units'];

export function add(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .argument('[what...]', 'a command such as simulate or datasets list, or a topic')
    .addHelpText('after', `
Examples:
  orbweaver help simulate
  orbweaver help policies
  orbweaver help units`)
    .action((words: readonly string[]) => help(program, words));
}

async function help(program: Command, words: readonly string[]): Promise<void> {
  if (words.length === 1 && topicNames.includes(words[0])) {
    const { topicTexts } = await import('../help/topics.ts');
    printText(topicTexts[words[0]]());
    return;
  }
  let command = program;
  for (const word of words) {
    const next = command.commands.find((inner) => inner.name() === word);
    if (next === undefined) throw unknown(word, [...names(command), ...(command === program ? topicNames : [])]);
    command = next;
  }
  command.outputHelp();
}

function names(command: Command): string[] {
  return command.commands.map((inner) => inner.name());
}

function unknown(word: string, allowed: readonly string[]): InputError {
  return new InputError(
    `help ${printableShort(word) || "''"}: must be one of ${allowed.join(', ')}${didYouMean(word, allowed)}`);
}
