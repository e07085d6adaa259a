/**
 * Makes text of unknown origin safe for a terminal: control characters (C0, DEL, C1), line ends among them, and marks
 * that change the direction of writing are escaped. A host name in a data file must not move the cursor or colour the
 * screen.
 */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/**
 * One JSON document for standard output. JSON.stringify does not escape DEL, C1 and direction marks: they are
 * escaped here, as JSON allows inside strings; they cannot occur outside of them.
 * @param indent 0: all on one line.
 */
export function printableJson(value: unknown, indent = 2): string {
  const json = JSON.stringify(value, null, indent);
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same, cut to `most` characters with an ellipsis. */
export function printableShort(text: string, most = 60): string {
  const safe = printable(text);
  return safe.length <= most ? safe : `${safe.slice(0, most - 3)}...`;
}
