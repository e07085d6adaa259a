import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SharedAddresses } from '../../../src/core/live/politeness/shared-addresses.ts';
import { tries } from '../../sweep.ts';

// Goal: whoever has hosts at an address leaves it alone for as many delays as there are processors that do, as far as
// is known here; once all machines know of each other, their requests together are no denser than one per delay.

const delayUs = 1000;
const addresses = ['127.0.0.1', '127.0.0.2', '::1'];
const [machines, perMachine] = [3, 4];
const machineOf = (processor: number): number => processor % machines;
const everyProcessor = Array.from({ length: machines * perMachine }, (_, processor) => processor);

type Step =
  | { readonly what: 'asks'; readonly processor: number; readonly address: string; readonly busyUs: number }
  | { readonly what: 'tells'; readonly from: number; readonly to: number; readonly max: number }
  /** Another process for this machine: all machines tell all again. */
  | { readonly what: 'begins anew'; readonly machine: number };

const machine = fc.nat(machines - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({
    what: fc.constant('asks' as const), processor: fc.constantFrom(...everyProcessor),
    address: fc.constantFrom(...addresses), busyUs: fc.constantFrom(0, 0, 7),
  }) },
  { weight: 4, arbitrary: fc.record({
    what: fc.constant('tells' as const), from: machine, to: machine, max: fc.integer({ min: 1, max: 5 }),
  }).filter(({ from, to }) => from !== to) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('begins anew' as const), machine }) },
);

/** A machine, and beside it what it must know: pairs of its own in order, and of others. */
class Machine {
  readonly real = new SharedAddresses(delayUs);
  readonly own: string[] = [];
  readonly heard = new Set<string>();
  /** By machine: how many of its own pairs that one was told. */
  readonly told = everyProcessor.slice(0, machines).map(() => 0);

  sharers(address: string): { readonly here: number; readonly all: number } {
    const at = (pair: string): boolean => pair.endsWith(` ${address}`);
    const here = this.own.filter(at).length;
    return { here, all: here + [...this.heard].filter(at).length };
  }

  tell(other: Machine, number: number, max: number): void {
    const from = this.told[number];
    const pairs = this.real.ownPairs(from, max);
    expect(pairs.map(({ processor, address }) => `${processor} ${address}`)).toEqual(this.own.slice(from, from + max));
    other.real.hear(pairs);
    for (const pair of this.own.slice(from, from + max)) other.heard.add(pair);
    this.told[number] += pairs.length;
  }
}

function run(steps: readonly Step[]): Machine[] {
  const all = Array.from({ length: machines }, () => new Machine());
  for (const step of steps) {
    if (step.what === 'tells') {
      all[step.from].tell(all[step.to], step.to, step.max);
    } else if (step.what === 'begins anew') {
      all[step.machine] = new Machine();
      for (const { told } of all) told.fill(0);
    } else {
      const { processor, address, busyUs } = step;
      const { real, own } = all[machineOf(processor)];
      if (!own.includes(`${processor} ${address}`)) own.push(`${processor} ${address}`);
      const k = all[machineOf(processor)].sharers(address).all;
      expect(real.restOf({ name: address, busyUs }, processor)).toEqual({ address, restUs: busyUs || k * delayUs });
    }
    for (const one of all) {
      for (const address of addresses) {
        const { here, all: k } = one.sharers(address);
        const least = Math.max(1, here);
        expect(one.real.wireRestUs(address)).toBe(Math.ceil((k + least - here) * delayUs / least));
      }
    }
  }
  return all;
}

describe('addresses that processors share', () => {
  test('each waits once per processor that it knows of, whoever asks, hears or begins anew', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (steps) => { run(steps); }), { numRuns: tries(1000) });
  });

  test('after all have told all, their requests together come once per delay at most', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const all = run(steps);
      all.forEach((one) => { all.forEach((other, to) => { if (other !== one) one.tell(other, to, 1000); }); });
      for (const address of addresses) {
        const perDelay = all.filter((one) => one.sharers(address).here > 0)
          .reduce((sum, { real }) => sum + delayUs / real.wireRestUs(address), 0);
        expect(perDelay).toBeLessThanOrEqual(1 + 1e-9);
      }
    }), { numRuns: tries(300) });
  });

  test('on one machine the wire rests for one delay, however many processors ask', () => {
    const shared = new SharedAddresses(delayUs);
    for (const processor of everyProcessor) {
      shared.restOf({ name: '::1', busyUs: 0 }, processor);
      expect(shared.wireRestUs('::1')).toBe(delayUs);
    }
  });
});
