import type { Command, Option } from 'commander';
import { exitCodes } from '../exit.ts';
import { topicTexts } from './topics.ts';

/** The manual page orbweaver(1), in the macros of man(7), from the command line itself. */
export function manPage(program: Command): string {
  return [
    `.TH ORBWEAVER 1 "" "orbweaver ${program.version() ?? ''}" "User Commands"`,
    '.SH NAME', 'orbweaver \\- simulate web crawls over stored web graphs, and run them live',
    '.SH SYNOPSIS', '.B orbweaver', '.I command', '[\\fIoption\\fR ...] [\\fIargument\\fR ...]',
    '.SH DESCRIPTION', escaped(program.description()),
    '.SH COMMANDS', ...program.commands.flatMap((command) => commandLines(command, '')),
    ...Object.entries(topicTexts).flatMap(([topic, text]) => [
      `.SH ${topic.toUpperCase()}`, '.nf', ...text().split('\n').map(escaped), '.fi',
    ]),
    '.SH EXIT STATUS', ...exits.flatMap(([code, meaning]) => ['.TP', String(code), meaning]),
    '.SH ENVIRONMENT', '.TP', '.B ORBWEAVER_DATASETS', 'Folder of fetched graphs.',
    '.TP', '.B ORBWEAVER_STUDIES', 'Folder of the finished runs of studies.',
  ].join('\n');
}

const exits: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'The command did what it was asked for.'],
  [exitCodes.input, 'Bad input: a file, flag, field or address. One message names it and what is allowed.'],
  [exitCodes.world, 'The system failed, for example because the disk is full.'],
  [exitCodes.nothing, 'A crawl stored no page.'],
  [exitCodes.fault, 'An internal error.'],
  [exitCodes.restart, 'The place of this process in a crawl was given to another; it may be started again.'],
  [exitCodes.interrupted, 'The command was interrupted.'],
];

function commandLines(command: Command, prefix: string): string[] {
  const name = `${prefix}${command.name()}`;
  const usage = command.usage().replace(/\[options\] ?/, '').trim();
  return [
    `.SS ${escaped(`orbweaver ${name}${usage === '' ? '' : ` ${usage}`}`)}`, escaped(command.description()),
    ...command.options.filter(({ hidden }) => !hidden).flatMap(optionLines),
    ...command.commands.flatMap((inner) => commandLines(inner, `${name} `)),
  ];
}

function optionLines({ flags, description }: Option): string[] {
  return ['.TP', `.B ${escaped(flags)}`, escaped(description)];
}

/** A text of one line or more, none of which is taken for a macro. */
function escaped(text: string): string {
  return text.replace(/\\/g, '\\e').replace(/-/g, '\\-').replace(/^(?=[.'])/gm, '\\&');
}
