import { InputError } from '../../base/index.ts';

/** What a crawl costs: by machines and hours, and by bytes. */
export interface Prices {
  /** Per machine and hour. */
  readonly machineHour: number;
  /** Per gigabyte (1e9 bytes) received. */
  readonly gigabyte: number;
  /** Whether they are money; otherwise the cost is in machine-hours. */
  readonly areMoney: boolean;
}

/** Without prices, a machine-hour is the unit of cost. */
export const machineHours: Prices = { machineHour: 1, gigabyte: 0, areMoney: false };

const form = 'must be machine=PRICE/h, traffic=PRICE/GB or both with a comma, as in machine=0.40/h,traffic=0.05/GB';

/**
 * Reads prices.
 * @throws InputError naming what is wrong, and the form.
 */
export function parsePrices(text: string): Prices {
  const refuse = (why: string): never => {
    throw new InputError(`cost ${JSON.stringify(text.slice(0, 80))}: ${why}`, { field: 'cost' });
  };
  const counts = new Map<string, number>();
  for (const part of text.split(',')) {
    const match = /^\s*(\w{1,40})\s*=\s*(-?\d{1,12}(?:\.\d{1,12})?)\s*(?:\/\s*(\w{1,10}))?\s*$/.exec(part);
    if (match === null) return refuse(form);
    const [, name, price, unit = name === 'traffic' ? 'GB' : 'h'] = match;
    if (name !== 'machine' && name !== 'traffic') return refuse(`${name} has no price here; ${form}`);
    const standard = name === 'machine' ? 'h' : 'GB';
    if (unit !== standard) return refuse(`${name} is priced per ${standard}, not per ${unit}`);
    if (counts.has(name)) return refuse(`${name} is priced twice`);
    if (Number(price) < 0) return refuse(`the price of ${name} is negative`);
    counts.set(name, Number(price));
  }
  const [machineHour, gigabyte] = [counts.get('machine') ?? 0, counts.get('traffic') ?? 0];
  if (machineHour === 0 && gigabyte === 0) refuse('every set-up would cost nothing; name a price above 0');
  return { machineHour, gigabyte, areMoney: true };
}

/** What so many machines cost for so long, unrounded, with what they receive. */
export function costOf(prices: Prices, machines: number, seconds: number, bytes: number): number {
  return (prices.machineHour * machines * seconds) / 3600 + (prices.gigabyte * bytes) / 1e9;
}
