import { canonicalUrl, queryDropper } from '../../../base/web/index.ts';
import type { LiveSettings } from '../settings.ts';

/**
 * What makes URLs of pages from links of every kind, and from seeds: spelled canonically, without the parameters that
 * are dropped.
 *
 * @throws InputError as queryDropper.
 */
export function urlMaker(
  { maxUrlLength, dropQuery }: Pick<LiveSettings, 'maxUrlLength' | 'dropQuery'>,
): (href: string, base?: URL) => ReturnType<typeof canonicalUrl> {
  const dropped = queryDropper(dropQuery);
  return (href, base) => {
    const url = canonicalUrl(href, base, maxUrlLength);
    return typeof url === 'string' ? url : dropped(url);
  };
}
