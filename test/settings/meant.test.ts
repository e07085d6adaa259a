import { expect, test } from 'vitest';
import { settingPaths } from '../../src/cli/flags/experiment-flags.ts';
import { axisNames } from '../../src/questions/study/index.ts';
import { flagMeant, flagName, settingMeant, settingNamed } from '../../src/core/settings/index.ts';

// Goal: a setting is found by each of its names, and a wrong name leads to the setting that was meant.

test('each setting is found by its dotted name, its flag and its own name, if no other has that', () => {
  for (const path of axisNames) {
    expect(settingNamed(path, axisNames)).toBe(path);
    expect(settingNamed(flagName(path), axisNames)).toBe(path);
  }
  expect(settingNamed('latencyMs', axisNames)).toBe('network.latencyMs');
  expect(settingNamed('backoffMostMs', axisNames)).toBe('maxBackoffMs');
  expect(settingNamed('backoff-most-ms', axisNames)).toBe('maxBackoffMs');
  expect(settingNamed('bandwidth', axisNames)).toBe('network.bandwidthBytesPerSecond');
  expect(settingNamed('max-page', axisNames)).toBe(undefined);
});

test.each([
  ['threads', 'robots'], ['workers', 'robots'], ['concurrency', 'robots'], ['maxConcurrency', 'robots'],
  ['machines', 'processors'], ['nodes', 'processors'], ['numProcessors', 'processors'], ['strategy', 'policy'],
  ['timeout', 'network.timeoutMs'], ['timeoutSeconds', 'network.timeoutMs'], ['time-limit', 'maxSeconds'],
  ['delay', 'politenessMs'],
  ['delay-ms', 'politenessMs'], ['memory', 'queue.memoryBytes'], ['maxpages', 'maxPages'], ['robotes', 'robots'],
  ['concurency', 'robots'], ['zzzzzzzz', undefined],
])('%s means %s', (name, path) => {
  expect(settingMeant(name, settingPaths)).toBe(path);
});

test('only flags that a command has are proposed', () => {
  expect(flagMeant('timeout', ['download-timeout-ms', 'out'])).toBe('download-timeout-ms');
  expect(flagMeant('concurrency', ['out', 'json'])).toBe(undefined);
});
