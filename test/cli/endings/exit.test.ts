import { execFileSync } from 'node:child_process';
import { Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { explained } from '../../../src/cli/exit.ts';
import { withMeaning } from '../../../src/cli/help/flag-meant.ts';
import { AssertionError, InputError, WorldError } from '../../../src/base/index.ts';

// Goal: each kind of failure has its exit code, and says no more than its reader can use.

describe('what a failure means', () => {
  test('bad input: its message alone', () => {
    expect(explained(new InputError('--robots 0: must be at least 1'), new Command('simulate'))).toEqual({
      text: '--robots 0: must be at least 1', code: 2,
    });
  });

  test('a world that cannot go on', () => {
    expect(explained(new WorldError('the disk is full'), undefined)).toEqual({ text: 'the disk is full', code: 3 });
  });

  test('a missing piece of the installation is named', () => {
    const script = "import('file:///no/such-piece.js').catch(({ code, message }) => console.log(`${code} ${message}`))";
    const printed = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    const [, code, message] = /^(\S+) (.*)/s.exec(printed)!;
    const { text, code: exitCode } = explained(Object.assign(new Error(message), { code }), new Command('rank'));
    expect(text).toMatch(/such-piece\.js.*: this installation is damaged; install orbweaver again$/s);
    expect(exitCode).toBe(3);
  });

  test('usage: one line, and where to read more', () => {
    const error = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'\n(Did you mean --y?)");
    expect(explained(error, new Command('rank'))).toEqual({
      text: "unknown option '--x' (Did you mean --y?); see orbweaver rank --help", code: 2,
    });
    expect(explained(error, undefined).text).toMatch(/; see orbweaver --help$/);
  });

  test.each([
    ['--concurrency', '\n(Did you mean --currency?)', 'robots'], ['--machines', '', 'processors'],
    ['--max-page', '\n(Did you mean --max-pages?)', 'max-pages'], ['--max-pagse', '', 'max-pages'],
    ['--zzz', '', undefined],
  ])('an unknown flag %s: the flag of the same meaning', (flag, commander, meant) => {
    const command = new Command('simulate').option('--robots <r>').option('--processors <P>').option('--max-pages <N>');
    const error = new CommanderError(1, 'commander.unknownOption', `error: unknown option '${flag}'${commander}`);
    const question = meant === undefined ? '' : ` (Did you mean --${meant}?)`;
    const { text } = explained(error, command, withMeaning);
    expect(text).toBe(`unknown option '${flag}'${question}; see orbweaver simulate --help`);
  });

  test('help and version were printed as asked', () => {
    expect(explained(new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)'), undefined)).toEqual({
      text: '', code: 0,
    });
  });

  test.each([new AssertionError('cash is not conserved'), new TypeError('x is undefined')])(
    'an internal error, %s: the stack, and a request to report it',
    (error) => {
      const { text, code } = explained(error, new Command('simulate'));
      expect(code).toBe(70);
      expect(text).toMatch(/^Internal error \(.*\): this is a bug in Orbweaver, not a problem with your input/);
      expect(text).toContain(error.message);
      expect(text).toMatch(/^\s+at .*exit\.test\.ts/m);
      expect(text).toMatch(/Please report it with .*Node v\d+/);
    },
  );

  test('control characters in a message are escaped; its lines stay', () => {
    expect(explained(new InputError('\u001b[31m: bad\nsecond'), undefined).text).toBe('\\x1b[31m: bad\nsecond');
  });
});
