import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/index.ts';
import { quantityOfField } from '../../../src/base/schema/index.ts';
import { experimentFlags, meansNothingLive } from '../../../src/cli/flags/experiment-flags.ts';
import { experimentOf, fieldAt, liveCrawlOf } from '../../../src/cli/flags/flags.ts';
import { addLiveFlags, liveOf } from '../../../src/cli/flags/live/live-flags.ts';
import { camelCase, type RawFlags } from '../../../src/cli/flags/words.ts';

// Goal: where a time cannot be read, the message names the forms that can be; and each form that it names is read.

/** The message that refuses flags; undefined if they are read. */
async function refusalOf(read: (raw: RawFlags) => unknown, raw: RawFlags): Promise<string | undefined> {
  try {
    await read(raw);
    return undefined;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message;
  }
}

const timesOfRuns = experimentFlags
  .filter(({ path }) => quantityOfField(path[path.length - 1]!, fieldAt(path))?.kind === 'duration');
const timesOfLive = addLiveFlags(new Command()).options.filter(({ flags }) => flags.endsWith('<MS>'))
  .map((option) => option.long!.slice(2));
const flags: readonly (readonly [name: string, read: (raw: RawFlags) => unknown])[] = [
  ...timesOfRuns.map(({ name }) => [name, (raw: RawFlags) => experimentOf(raw)] as const),
  ...timesOfRuns.filter(({ path }) => !meansNothingLive(path))
    .map(({ name }) => [name, (raw: RawFlags) => liveCrawlOf(raw)] as const),
  ...timesOfLive.map((name) => [name, (raw: RawFlags) => liveOf({ ...raw, contact: 'test@localhost' })] as const),
];

describe('a time', () => {
  test('flags of times are found by the units of their settings, also where their own name has none', () => {
    expect(flags.length).toBeGreaterThan(25);
    expect(flags.filter(([name]) => name === 'host-patience')).toHaveLength(2);
    expect(timesOfLive).toContain('connect-timeout-ms');
  });

  test.each(flags)('--%s', async (name, read) => {
    const message = await refusalOf(read, { [camelCase(name)]: 'soon' });
    expect(message).toContain(`--${name} soon: must be a number`);
    const forms = /, or a duration such as (.*)$/.exec(message!)?.[1].split(/, | or /) ?? [];
    expect(forms, message).toContain('1h30m');
    for (const form of forms)
      expect(await refusalOf(read, { [camelCase(name)]: form }) ?? '', form).not.toContain('duration');
  });
});
