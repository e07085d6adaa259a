/** A table of numbers and names, as saved beside a picture. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** A line of names, then one for each row; null is an empty cell. */
export function csvText({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => `${row.map((cell) => quoted(String(cell ?? ''))).join(',')}\n`).join('');
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
