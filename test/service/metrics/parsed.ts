import assert from 'node:assert/strict';

/** One family of a text in Prometheus's format, as read from its text alone. */
export interface ParsedFamily {
  readonly type: string;
  readonly samples: { readonly name: string; readonly labels: Record<string, string>; readonly value: number }[];
}

const sampleForm = /^([a-zA-Z_][a-zA-Z0-9_]*)(?:\{(.*)\})? (-?(?:[0-9.]+(?:e[+-]?\d+)?|Inf)|NaN|\+Inf)$/;

const suffixesOf: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'], summary: ['_sum', '_count'],
};

/** The plainest reader of the text format 0.0.4. @throws an assertion for a text that is not of that format. */
export function parsedMetrics(text: string): Map<string, ParsedFamily> {
  assert(text.endsWith('\n'));
  const families = new Map<string, ParsedFamily>();
  let current = '';
  for (const line of text.trimEnd().split('\n')) {
    const head = /^# (HELP|TYPE) ([a-zA-Z_][a-zA-Z0-9_]*) (\S.*)$/.exec(line);
    if (head?.[1] === 'HELP') {
      assert(!families.has(head[2]), `${head[2]} comes twice`);
      current = head[2];
    } else if (head?.[1] === 'TYPE') {
      assert.equal(head[2], current);
      assert(['counter', 'gauge', 'histogram', 'summary'].includes(head[3]));
      families.set(current, { type: head[3], samples: [] });
    } else {
      const sample = sampleForm.exec(line);
      assert(sample !== null, `not a sample: ${line}`);
      const { type, samples } = families.get(current)!;
      const suffixes = suffixesOf[type] ?? [''];
      assert(suffixes.some((suffix) => sample[1] === current + suffix), `${sample[1]} is not of ${current}`);
      const pairs = `${sample.at(2)}`.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g);
      const labels = Object.fromEntries(Array.from(pairs, ([, name, value]) => [name, value]));
      samples.push({ name: sample[1], labels, value: Number(sample[3].replace('Inf', 'Infinity')) });
    }
  }
  return families;
}

/** The sum of a family's samples that have these labels. */
export function summed(families: Map<string, ParsedFamily>, name: string, labels: Record<string, string> = {}): number {
  const family = families.get(name);
  assert(family !== undefined, `no family ${name}`);
  return family.samples
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
