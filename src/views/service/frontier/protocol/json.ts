import * as z from 'zod';
import type { DeepPartial, URLInfo, URLItem } from './messages.ts';

/**
 * URLs and items in the JSON that the protocol's messages have: a `oneof` is its field alone, numbers of 64 bits are
 * texts, and what has its default is left out.
 */
export function jsonOf(message: URLInfo | URLItem): unknown {
  return plain(message);
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).flatMap(([name, field]: [string, unknown]) =>
    isChoice(field) ? [[field.$case, field[field.$case]] as const] : [[name, field] as const]);
  return Object.fromEntries(
    fields.filter(([, field]) => !isDefault(field)).map(([name, field]) => [name, plain(field)]),
  );
}

function isChoice(value: unknown): value is { readonly $case: string; readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && '$case' in value;
}

function isDefault(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length === 0 : !value;
}

const date = z.union([
  z.int().min(0), z.string().refine((digits) => /^\d{1,20}$/.test(digits) && BigInt(digits) < 2n ** 64n),
]);
const info = z.strictObject({
  url: z.string(), key: z.string().optional(), crawlID: z.string().optional(),
  metadata: z.record(z.string(), z.strictObject({ values: z.array(z.string()).optional() })).optional(),
});
const others = { ID: z.string().optional(), creationDate: date.optional() };
const discoveredItem = z.strictObject({ discovered: z.strictObject({ info }), ...others });
const knownItem = z.strictObject({
  known: z.strictObject({ info, refetchableFromDate: date.optional() }), ...others,
});

/** The item that a text of such JSON stands for; undefined if it stands for none. */
export function itemOfJson(text: string): DeepPartial<URLItem> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const [asDiscovered, asKnown] = [discoveredItem.safeParse(value), knownItem.safeParse(value)];
  if (asDiscovered.success) {
    const { discovered, ...rest } = asDiscovered.data;
    return { item: { $case: 'discovered', discovered }, ...rest };
  }
  if (!asKnown.success) return undefined;
  const { known, ...rest } = asKnown.data;
  return { item: { $case: 'known', known }, ...rest };
}
