import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LiveClock } from '../../../src/core/live/clock.ts';
import { Gate } from '../../../src/core/live/politeness/gate.ts';

// Goal: what goes on the wire is one at a time at each place, and rests are observed, whoever asks and whenever.

const visits = fc.array(fc.record({
  place: fc.constantFrom('a', 'b', 'c'), afterMs: fc.nat(20), lastsMs: fc.nat(6), restUs: fc.nat(8000),
}), { minLength: 1, maxLength: 25 });

describe('Gate', () => {
  test('one at a time, each after the rest of the one before, and all come in', async () => {
    await fc.assert(fc.asyncProperty(visits, async (asked) => {
      const clock = new LiveClock();
      const gate = new Gate(clock);
      const log: { place: string; beganUs: number; endedUs: number; restUs: number }[] = [];
      await Promise.all(asked.map(async ({ place, afterMs, lastsMs, restUs }) => {
        await setTimeout(afterMs);
        await gate.enter(place);
        const beganUs = clock.nowUs;
        await setTimeout(lastsMs);
        log.push({ place, beganUs, endedUs: clock.nowUs, restUs });
        gate.leave(place, restUs);
      }));
      expect(log).toHaveLength(asked.length);
      for (const place of ['a', 'b', 'c']) {
        const here = log.filter((one) => one.place === place).sort((a, b) => a.beganUs - b.beganUs);
        for (let i = 1; i < here.length; i++)
          expect(here[i].beganUs).toBeGreaterThanOrEqual(here[i - 1].endedUs + here[i - 1].restUs);
      }
    }), { numRuns: 15 });
  });

  test('who waits is let in first come, first served; a newcomer does not pass', async () => {
    const gate = new Gate(new LiveClock());
    const came: number[] = [];
    await gate.enter('host');
    const waiting = [1, 2, 3].map(async (number) => {
      await gate.enter('host');
      came.push(number);
      gate.leave('host', 1000);
    });
    gate.leave('host', 2000);
    await Promise.all([...waiting, gate.enter('host').then(() => { came.push(4); })]);
    expect(came).toEqual([1, 2, 3, 4]);
  });

  test('a rest that turns out later holds for those who wait already', async () => {
    const clock = new LiveClock();
    const gate = new Gate(clock);
    await gate.enter('host');
    gate.leave('host', 5000);
    const waiting = gate.enter('host').then(() => clock.nowUs);
    const atUs = clock.nowUs;
    gate.rest('host', 20_000);
    gate.rest('host', 10_000);
    expect(await waiting - atUs).toBeGreaterThanOrEqual(20_000);
    // While somebody is in, too: a shorter rest after it does not end it.
    gate.rest('host', 20_000);
    const againUs = clock.nowUs;
    gate.leave('host', 0);
    await gate.enter('host');
    expect(clock.nowUs - againUs).toBeGreaterThanOrEqual(19_000);
    gate.rest('unknown', 5000);
    await gate.enter('unknown');
  });

  test('nobody waits beyond their time: at once where a rest is known to be longer, and whoever is behind comes in', async () => {
    const clock = new LiveClock();
    const gate = new Gate(clock);
    // Whoever waited for half an hour would wait longer than a test may take.
    gate.rest('resting', 3600e6);
    expect(await gate.enter('resting', clock.nowUs + 1800e6)).toBe(false);
    expect(gate.restUs('resting')).toBeGreaterThan(1800e6);
    expect(gate.restUs('unknown')).toBe(0);

    expect(await gate.enter('busy', Infinity)).toBe(true);
    const [late, patient] = [gate.enter('busy', clock.nowUs + 10_000), gate.enter('busy', clock.nowUs + 60e6)];
    expect(await late).toBe(false);
    gate.leave('busy', 1000);
    expect(await patient).toBe(true);
    // One who gave up while the place rested: whoever comes after is let in once, and alone.
    gate.leave('busy', 30_000);
    expect(await gate.enter('busy', clock.nowUs)).toBe(false);
    const [first, second] = [gate.enter('busy', clock.nowUs + 60e6), gate.enter('busy', clock.nowUs + 60e6)];
    expect(await first).toBe(true);
    expect(await Promise.race([second, setTimeout(20, 'waits')])).toBe('waits');
    gate.leave('busy', 0);
    expect(await second).toBe(true);
  });

  test('when the clock is closed no alarm is left', async () => {
    const clock = new LiveClock();
    const gate = new Gate(clock);
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    gate.rest('host', 60e6);
    void gate.enter('host');
    expect(timers()).toBe(before + 1);
    clock.close();
    await setTimeout(1);
    expect(timers()).toBe(before);
  });
});
