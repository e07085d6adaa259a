import { describe, expect, test } from 'vitest';
import { fitText } from '../../../src/cli/text/fit-text.ts';
import { fitNetwork, type Observation } from '../../../src/core/simulation/index.ts';
import { DrawStream } from '../../../src/base/index.ts';

// Goal: what is said of first bytes is what the log has of them.

const draws = new DrawStream(3, 'fit text');

/** 200 answers, of which the first `broken` have no first byte. */
function logged(broken: number): Observation[] {
  return Array.from({ length: 200 }, (_, i): Observation => {
    const [latencyUs, transferUs] = [50_000 + 1000 * draws.uniform(i), 10_000 + 1000 * draws.uniform(i, 1)];
    const isBroken = i < broken;
    return {
      host: `h${i % 5}.example`, path: `/${i}`, isForRobotsTxt: false,
      kind: isBroken && broken < 200 ? 'serverError' : 'fetched',
      startUs: 1e6 * i, durationUs: latencyUs + transferUs, connectUs: undefined, bytes: 5000, pauseUs: 0,
      latencyUs: isBroken ? undefined : latencyUs, transferUs: isBroken ? undefined : transferUs,
    };
  });
}

const said = (broken: number): string => {
  const fit = fitNetwork(logged(broken));
  return fitText({ fit, network: { fit: { file: 'log', sha256: '0'.repeat(64) } } }).replace(/\s+/g, ' ');
};

describe('first bytes', () => {
  test('nothing is said where all answers have theirs', () => expect(said(0)).not.toMatch(/first byte/));

  test.each([[1, /1 of 200 answers has no time of the first byte: there/], [3, /3 of 200 answers have no time/]])(
    'where %i broke off, these are named, and not the log', (broken, words) => {
      expect(said(broken)).toMatch(words);
      expect(said(broken)).not.toMatch(/The log has no time/);
    },
  );

  test('the log has none', () => expect(said(200)).toMatch(/The log has no time of the first byte: latency and/));
});
