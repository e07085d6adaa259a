import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addExperimentFlags, addLiveCrawlFlags, experimentOf, liveCrawlOf } from '../../../src/cli/flags/flags.ts';
import { addLiveFlags, liveOf, type LiveFlags } from '../../../src/cli/flags/live-flags.ts';

// Goal: flags that were renamed are still read under their earlier names, and help shows the new ones only.

const liveFlags = [
  ['decoded-ratio-most', 'max-decoded-ratio', '50', 'decodedRatioMost', 50],
  ['redirects-most', 'max-redirects', '3', 'redirectsMost', 3],
  ['links-most', 'max-links', '77', 'linksMost', 77],
  ['url-length-most', 'max-url-length', '300', 'urlLengthMost', 300],
  ['bodies-most', 'max-open-bodies', '2MiB', 'bodiesMostBytes', 2 << 20],
  ['host-pages-most', 'max-host-pages', '9', 'hostPagesMost', 9],
  ['depth-most', 'max-depth', '5', 'depthMost', 5],
  ['segment-repeats-most', 'max-segment-repeats', '2', 'segmentRepeatsMost', 2],
] as const;

function parsed(command: Command, ...words: string[]): LiveFlags {
  return command.exitOverride().parse(words, { from: 'user' }).opts();
}

test.each(liveFlags)('--%s is --%s', async (earlier, name, value, field, expected) => {
  const of = (flag: string): ReturnType<typeof liveOf> =>
    liveOf(parsed(addLiveFlags(new Command()), '--contact', 'me@example.org', `--${flag}`, value));
  expect(await of(earlier)).toEqual(await of(name));
  expect(await of(earlier)).toHaveProperty(field, expected);
  const help = addLiveFlags(new Command()).helpInformation();
  expect(help).toContain(`--${name} <`);
  expect(help).not.toContain(`--${earlier}`);
});

test('--backoff-most-ms is --max-backoff-ms, simulated and live', () => {
  const of = (flag: string): unknown[] => [
    experimentOf(parsed(addExperimentFlags(new Command()), flag, '5000')),
    liveCrawlOf(parsed(addLiveCrawlFlags(new Command()), flag, '5000')),
  ];
  expect(of('--backoff-most-ms')).toEqual(of('--max-backoff-ms'));
  expect(of('--max-backoff-ms')[0]).toHaveProperty('backoffMostMs', 5000);
  expect(addExperimentFlags(new Command()).helpInformation()).not.toContain('backoff-most-ms');
});

test('a bad value under an earlier name is refused under the new one', () => {
  const flags = parsed(addExperimentFlags(new Command()), '--backoff-most-ms', '-1');
  expect(() => experimentOf(flags)).toThrow('--max-backoff-ms -1: must be at least 0');
});
