import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { LiveClock } from '../../../src/core/live/clock.ts';
import { HostRests, restLeftUs } from '../../../src/core/live/politeness/host-rests.ts';
import type { HostRest } from '../../../src/core/live/store/crawl-store.ts';

// Goal: a rest lasts as long as it was asked for, whatever ends in between, and never longer, however the calendar is
// set.

const backoffUs = (failures: number): number => (failures === 0 ? 0 : Math.min(8e6, 1e6 * 2 ** (failures - 1)));
const steps = fc.array(
  fc.record({
    host: fc.constantFrom('a', 'b'), kind: fc.constantFrom('asked', 'failed', 'answered', 'restart'),
    waitUs: fc.nat(20e6), afterMs: fc.nat(10_000),
  }),
  { maxLength: 40 },
);

describe('HostRests', () => {
  test('restarted at any moment from what was noted, it knows the latest deadline and the failures in a row of each host', () => {
    fc.assert(fc.property(steps, (asked) => {
      const noted = new Map<string, HostRest>();
      const take = (rest: HostRest | undefined): void => { if (rest) noted.set(rest.host, rest); };
      const model = new Map<string, { untilMs: number; failures: number }>();
      let nowMs = 1e12;
      let rests = new HostRests([], backoffUs);
      for (const { host, kind, waitUs, afterMs } of asked) {
        nowMs += afterMs;
        const known = model.get(host) ?? { untilMs: 0, failures: 0 };
        if (kind === 'restart') rests = new HostRests(noted.values(), backoffUs);
        else if (kind === 'asked') take(rests.asked(host, waitUs, nowMs));
        else if (kind === 'failed') take(rests.failed(host, waitUs, nowMs));
        else take(rests.answered(host, nowMs));
        const failures = kind === 'failed' ? known.failures + 1 : kind === 'answered' ? 0 : known.failures;
        const restUs = kind === 'asked' ? waitUs : kind === 'failed' ? Math.max(waitUs, backoffUs(failures)) : 0;
        model.set(host, { failures, untilMs: Math.max(known.untilMs, nowMs + restUs / 1000) });
      }
      const left = new Map(
        Array.from(new HostRests(noted.values(), backoffUs).left(nowMs), ({ host, ...rest }) => [host, rest]),
      );
      for (const [host, { untilMs, failures }] of model) {
        const { restUs, failures: known } = left.get(host) ?? { restUs: 0, failures: 0 };
        expect(known).toBe(failures);
        expect(restUs).toBeGreaterThanOrEqual(Math.floor(1000 * (untilMs - nowMs)));
        // The system's time is in whole milliseconds.
        expect(restUs).toBeLessThanOrEqual(Math.max(0, 1000 * (untilMs - nowMs)) + 1001);
      }
    }));
  });

  test('a calendar that was set back makes no rest longer than it was; one that was set forward ends it', () => {
    const rest = { host: 'a', failures: 1, sinceMs: 1e12, restMs: 60_000 };
    expect(restLeftUs(rest, 1e12 - 1e9)).toBe(60e6);
    expect(restLeftUs(rest, 1e12 + 20_000)).toBeGreaterThanOrEqual(40e6);
    expect(restLeftUs(rest, 1e12 + 1e9)).toBe(0);
  });
});

test('within a session the calendar follows the clock, however it is set', () => {
  let nowMs = 5;
  const steady = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const calendar = vi.spyOn(Date, 'now').mockReturnValue(1e12);
  try {
    const clock = new LiveClock();
    for (const setTo of [0, 2e12]) {
      calendar.mockReturnValue(setTo);
      nowMs += 7;
      expect(clock.wallMs).toBe(1e12 + nowMs - 5);
    }
  } finally {
    calendar.mockRestore();
    steady.mockRestore();
  }
});
