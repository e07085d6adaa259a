import type { ScopeEntry } from '../../../src/core/live/settings.ts';

/** Whether an entry of a scope accepts a canonical URL, as dully as it can be said. */
export function accepts({ prefix, host, domain, regex }: Omit<ScopeEntry, 'extraHops'>, text: string): boolean {
  const url = new URL(text);
  if (prefix !== undefined) return text.startsWith(prefix);
  if (host !== undefined) return url.host === host;
  if (domain !== undefined) return `.${url.hostname}`.endsWith(`.${domain}`);
  return new RegExp(regex!).test(text);
}
