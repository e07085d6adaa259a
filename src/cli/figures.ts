/** Figures as people read them: always the same way, whatever the machine's language. */

/** 1146020 -> "1,146,020". */
export function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

/** With thousands grouped and exactly `digits` decimals. */
export function decimal(value: number, digits: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** 0.1234 -> "12.3 %". */
export function percent(share: number): string {
  return `${decimal(100 * share, 1)} %`;
}

/** Virtual seconds as h:mm:ss, rounded to whole seconds. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}`;
}

/** "1 page", "2 pages"; irregular plurals are given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A bar of `width` cells filled to `share`, which is clamped to 0 ... 1. */
export function bar(share: number, width: number): string {
  const filled = Math.round(width * Math.min(1, Math.max(0, share)));
  return '█'.repeat(filled) + '·'.repeat(width - filled);
}
