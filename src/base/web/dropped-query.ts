import { InputError, quoted } from '../index.ts';
import { matchesWildcards } from './robots/wildcards.ts';

/** Stands for all parameters in a list of parameters to drop. */
const ALL = 'all';

/**
 * What drops parameters from the queries of URLs, so that spellings that differ in them alone are one page.
 *
 * Parameters are what lies between two `&`, and their name is what precedes the first `=`. Names are compared as they
 * are once their percent-encoding and `+` are decoded, capitals included. What remains is byte for byte as it was; a
 * query of which nothing remains goes with its question mark.
 *
 * @param names of parameters, with `*` for any characters; `all` for all parameters.
 * @returns the canonical URL of a canonical URL: the same object if nothing is dropped.
 * @throws InputError, starting with the setting's name, for a name that no parameter has as written.
 * Cost  O(query) for each name.
 */
export function queryDropper(names: readonly string[]): (url: URL) => URL {
  for (const name of names) if (/^$|[\s,&#%]/.test(name)) throw refused(name);
  if (names.length === 0) return (url) => url;
  const dropsAll = names.includes(ALL);
  const isDropped = (parameter: string): boolean => {
    const name = nameOf(parameter);
    return names.some((pattern) => matchesWildcards(pattern, name));
  };
  return (url) => {
    const { href, search } = url;
    if (search === '') return url;
    const parameters = search.slice(1).split('&');
    const rest = dropsAll ? [] : parameters.filter((parameter) => !isDropped(parameter));
    if (rest.length === parameters.length) return url;
    const query = rest.join('&');
    return new URL(href.slice(0, href.length - search.length) + (query === '' ? '' : `?${query}`));
  };
}

/** The decoded name of a parameter. */
function nameOf(parameter: string): string {
  const end = parameter.indexOf('=');
  const name = end < 0 ? parameter : parameter.slice(0, end);
  if (!/[%+]/.test(name)) return name;
  // An empty name would be no parameter.
  const [[decoded]] = new URLSearchParams(`${name}=`);
  return decoded;
}

function refused(name: string): InputError {
  return new InputError(
    `dropQuery: ${quoted(name)} is not the name of query parameters; examples: fbclid, utm_* (* for any characters), ` +
      'all. A * also stands for a blank, a comma, & # or %',
    { field: 'live.dropQuery' },
  );
}
