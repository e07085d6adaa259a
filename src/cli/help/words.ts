import type { Command } from 'commander';
import * as z from 'zod';
import { unwrapped } from '../../base/schema/index.ts';
import { entrantsOf } from '../../questions/bench/index.ts';
import { formatNames } from '../../graphs/formats/index.ts';
import { liveSchema } from '../../core/live/settings.ts';
import { flagName, partitionNames } from '../../core/settings/index.ts';
import { experimentFlags } from '../flags/experiment-flags.ts';
import { fieldAt } from '../flags/flags.ts';
import { algorithmNames } from './lists.ts';

/** The values of a flag or argument: some names, a file, a graph, or anything. */
export type ValueKind = readonly string[] | 'file' | 'folder' | 'graph' | 'any';

export interface FlagWords {
  readonly name: string;
  readonly text: string;
  readonly value: ValueKind | undefined;
}

export interface CommandWords {
  /** Words that lead to it: "simulate", "datasets list"; "" is the program. */
  readonly path: string;
  readonly text: string;
  readonly commands: readonly CommandWords[];
  readonly flags: readonly FlagWords[];
  readonly argument: ValueKind | undefined;
}

/** A command and those within it. Hidden flags are left out. */
export function wordsOf(command: Command, path = ''): CommandWords {
  const flags = command.options.filter(({ hidden }) => !hidden).map((option): FlagWords => {
    const name = option.long?.replace(/^--/, '') ?? '';
    const placeholder = /<(.*)>/.exec(option.flags)?.[1];
    const value = placeholder === undefined ? undefined : option.argChoices ?? choices.get(name) ?? kindOf(placeholder);
    return { name, text: option.description, value };
  });
  const [argument] = command.registeredArguments;
  return {
    path, text: command.summary() || command.description(),
    commands: command.commands.map((inner) => wordsOf(inner, `${path} ${inner.name()}`.trim())),
    flags: [...flags, { name: 'help', text: 'display help for command', value: undefined }],
    argument: (argument as typeof argument | undefined) && (argument.argChoices ?? argumentKind(argument.name(), path)),
  };
}

/** A command and all those within it, one after another. */
export function allWords(words: CommandWords): CommandWords[] {
  return [words, ...words.commands.flatMap(allWords)];
}

const choices = new Map<string, readonly string[]>([
  ...experimentFlags.flatMap(({ name, path }) => choicesOf(name, fieldAt(path))),
  ...Object.entries(liveSchema.shape).flatMap(([name, field]) => choicesOf(flagName(name), field)),
  ['format', ['auto', ...formatNames]], ['algorithm', algorithmNames], ['partition', partitionNames],
  ['apsp', entrantsOf('distances', 1).map(({ name }) => name)],
  ['scc', entrantsOf('components', 1).map(({ name }) => name)],
  ['distances', ['auto', 'off', 'exact', 'approximate']], ['order', ['source', 'host', 'bfs']],
]);

function choicesOf(name: string, field: z.ZodType): [string, readonly string[]][] {
  const inner = unwrapped(field);
  return inner instanceof z.ZodEnum ? [[name, inner.options.map(String)]] : [];
}

function kindOf(placeholder: string): ValueKind {
  if (/GRAPH/.test(placeholder)) return 'graph';
  if (/DIR/.test(placeholder)) return 'folder';
  return /FILE/.test(placeholder) ? 'file' : 'any';
}

function argumentKind(name: string, path: string): ValueKind {
  if (name === 'graph') return 'graph';
  if (path === 'help') return ['policies', 'measures', 'formats', 'units'];
  return ['file', 'files', 'run'].includes(name) ? 'file' : 'any';
}
