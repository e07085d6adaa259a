import type { LiveSettings } from '../settings.ts';

/** Whether a media type, in lower case, is accepted; `text/*` accepts all that begin with `text/`. */
export function isTaken(type: string, { types }: Pick<LiveSettings, 'types'>): boolean {
  return types.some((accepted) => {
    const [sought, end] = [accepted.toLowerCase(), accepted.length - 1];
    return sought === type || (sought.endsWith('*') && type.startsWith(sought.slice(0, end)));
  });
}
