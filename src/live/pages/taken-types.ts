import type { LiveSettings } from '../settings.ts';

/** Whether a media type, in small letters, is one of those asked for; `text/*` asks for all that begin so. */
export function isTaken(type: string, { types }: Pick<LiveSettings, 'types'>): boolean {
  return types.some((taken) => {
    const [sought, end] = [taken.toLowerCase(), taken.length - 1];
    return sought === type || (sought.endsWith('*') && type.startsWith(sought.slice(0, end)));
  });
}
