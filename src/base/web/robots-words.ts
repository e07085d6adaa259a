/**
 * The crawler name by which imports obey robots directives: our own by default, so that its archives give the graph
 * that it saw.
 */
export const AGENT = 'orbweaver';

/** Whether a `rel`, a robots `meta` or an `X-Robots-Tag` has the word; `none` is short for noindex and nofollow. */
export function saysNofollow(words: string): boolean {
  return says(words, 'nofollow');
}

export function saysNoindex(words: string): boolean {
  return says(words, 'noindex');
}

function says(words: string, sought: string): boolean {
  return words.toLowerCase().split(/[\s,]+/).some((word) => word === sought || word === 'none');
}

/** Words that take a value after a colon, and are not agents. */
const withValue = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/**
 * The words of X-Robots-Tag headers that apply to an agent: those without an agent, and those after its name. A name
 * applies to all words that follow in its header, up to the next name: `nofollow, otherbot: noindex, none`.
 */
export function robotsTag(headers: readonly string[], agent: string): string {
  const words: string[] = [];
  for (const header of headers) {
    let isMeant = true;
    for (const part of header.toLowerCase().split(',')) {
      const [, name, rest] = /^\s*([^\s:]+)\s*:(.*)$/s.exec(part) ?? [undefined, undefined, part];
      if (name !== undefined && !withValue.has(name)) isMeant = name === agent.toLowerCase();
      if (isMeant) words.push(rest);
    }
  }
  return words.join(',');
}
