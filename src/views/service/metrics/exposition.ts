/** One number of a family. */
export interface Sample {
  /** Appended to the family's name, as `_bucket` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Numbers of one name. */
export interface Family {
  /** With its unit last, and `_total` after that if it only grows. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The type under which `exposition` is sent. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/** Families in the text format of Prometheus, version 0.0.4. */
export function exposition(families: readonly Family[]): string {
  return families
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ suffix = '', labels = {}, value }) => {
        return `${name}${suffix}${labelText(labels)} ${numberText(value)}`;
      }),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

/** The samples of a histogram. @param classes one count per bound, and one for what is above all of them. */
export function histogram(bounds: readonly number[], classes: readonly number[], sum: number): Sample[] {
  let count = 0;
  const buckets = classes.map((inClass, i): Sample => {
    count += inClass;
    return { suffix: '_bucket', labels: { le: i < bounds.length ? bounds[i] : '+Inf' }, value: count };
  });
  return [...buckets, { suffix: '_sum', value: sum }, { suffix: '_count', value: count }];
}

function labelText(labels: Readonly<Record<string, string | number>>): string {
  const escaped = (text: string): string => text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n');
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function numberText(value: number): string {
  return Number.isFinite(value) || Number.isNaN(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
}
