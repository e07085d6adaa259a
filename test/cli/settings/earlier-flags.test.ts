import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addExperimentFlags, addLiveCrawlFlags, experimentOf, liveCrawlOf } from '../../../src/cli/flags/flags.ts';
import { addLiveFlags, liveOf, type LiveFlags } from '../../../src/cli/flags/live/live-flags.ts';

// Goal: flags that were renamed are still read under their earlier names, and help shows the new ones only.

const liveFlags = [
  ['decoded-ratio-most', 'max-decoded-ratio', '50', 'maxDecodedRatio', 50],
  ['redirects-most', 'max-redirects', '3', 'maxRedirects', 3],
  ['links-most', 'max-links', '77', 'maxLinks', 77],
  ['url-length-most', 'max-url-length', '300', 'maxUrlLength', 300],
  ['bodies-most', 'max-open-bodies-bytes', '2MiB', 'maxOpenBodiesBytes', 2 << 20],
  ['max-open-bodies', 'max-open-bodies-bytes', '2MiB', 'maxOpenBodiesBytes', 2 << 20],
  ['header-limit', 'header-limit-bytes', '2KiB', 'headerLimitBytes', 2048],
  ['body-limit', 'body-limit-bytes', '2kB', 'bodyLimitBytes', 2000],
  ['decoded-limit', 'decoded-limit-bytes', '3000', 'decodedLimitBytes', 3000],
  ['warc-file', 'warc-file-bytes', '1MB', 'warcFileBytes', 1e6],
  ['host-pages-most', 'max-host-pages', '9', 'maxHostPages', 9],
  ['depth-most', 'max-depth', '5', 'maxDepth', 5],
  ['segment-repeats-most', 'max-segment-repeats', '2', 'maxSegmentRepeats', 2],
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
  expect(help).not.toContain(`--${earlier} `);
});

test.each([
  ['bandwidth', 'bandwidth-bytes-per-second', '100Mbit', { network: { bandwidthBytesPerSecond: 12.5e6 } }],
  ['processor-bandwidth', 'processor-bandwidth-bytes-per-second', '1e6', {
    network: { processorBandwidthBytesPerSecond: 1e6 },
  }],
  ['queue-memory', 'queue-memory-bytes', '64KiB', { queue: { memoryBytes: 65_536 } }],
])('--%s is --%s', (earlier, name, value, expected) => {
  const of = (flag: string): unknown => experimentOf(parsed(addExperimentFlags(new Command()), `--${flag}`, value));
  expect(of(earlier)).toEqual(of(name));
  expect(of(name)).toMatchObject(expected);
  expect(addExperimentFlags(new Command()).helpInformation()).not.toContain(`--${earlier} `);
});

test('--ignore-robots-txt is --robots-txt ignore', async () => {
  const of = (...words: string[]): ReturnType<typeof liveOf> =>
    liveOf(parsed(addLiveFlags(new Command()), '--contact', 'me@example.org', ...words));
  expect(await of('--ignore-robots-txt')).toEqual(await of('--robots-txt', 'ignore'));
});

test('--backoff-most-ms is --max-backoff-ms, simulated and live', () => {
  const of = (flag: string): unknown[] => [
    experimentOf(parsed(addExperimentFlags(new Command()), flag, '5000')),
    liveCrawlOf(parsed(addLiveCrawlFlags(new Command()), flag, '5000')),
  ];
  expect(of('--backoff-most-ms')).toEqual(of('--max-backoff-ms'));
  expect(of('--max-backoff-ms')[0]).toHaveProperty('maxBackoffMs', 5000);
  expect(addExperimentFlags(new Command()).helpInformation()).not.toContain('backoff-most-ms');
});

test('a bad value under an earlier name is refused under the new one', () => {
  const flags = parsed(addExperimentFlags(new Command()), '--backoff-most-ms', '-1');
  expect(() => experimentOf(flags)).toThrow('--max-backoff-ms -1: must be at least 0');
});
