/** Default length of input quoted in a message, in characters. */
const SHOWN = 60;

/**
 * Untrusted text made safe for one line of a terminal: at most about `shown` characters in double quotes, everything
 * but printable ASCII escaped, `...` if it was cut.
 */
export function quoted(text: string | Uint8Array, most = SHOWN): string {
  let result = '';
  for (let i = 0; i < text.length; i++) {
    if (result.length >= most) return `"${result}"...`;
    result += escaped(typeof text === 'string' ? text.charCodeAt(i) : text[i]);
  }
  return `"${result}"`;
}

function escaped(code: number): string {
  if (code === 9) return '\\t';
  if (code === 0x22 || code === 0x5c) return `\\${String.fromCharCode(code)}`;
  if (code >= 0x20 && code < 0x7f) return String.fromCharCode(code);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** A value as JSON, as messages quote it: its first 60 characters. */
export function shortly(value: unknown): string {
  // JSON has no NaN, no Infinity, and no functions.
  const json = typeof value === 'number' ? undefined : JSON.stringify(value) as string | undefined;
  const text = json ?? (typeof value === 'number' ? String(value) : typeof value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 3)}...`;
}
