import { countingContenders, perEntry, type Figure8Stream, type QueueBenchReport } from '../bench/index.ts';

const queues = countingContenders.map(({ name }) => name);

/** Comma-separated rows. Texts are put in quotes, what is not known is left empty. */
function csv(rows: readonly (readonly (string | number | null | undefined)[])[]): string {
  const cell = (value: string | number | null | undefined): string =>
    typeof value === 'string' ? (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value) : String(value ?? '');
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

export function holdCsv({ cases }: QueueBenchReport): string {
  const columns = [
    'queue', 'isOurs', 'entries', 'block', 'operations', 'median', 'min', 'max', 'unit', 'comparisonsPerElement', 'worstBatchMs',
    'worstBatchComparisons', 'firstBatchComparisons', 'bytesPerEntry',
  ] as const;
  const value = (cell: string | number | boolean | null): string | number | null => (typeof cell === 'boolean' ? Number(cell) : cell);
  return csv([
    [...columns, 'versus', 'ratioMedian', 'ratioMin', 'ratioMax'],
    ...cases.map((row) => [...columns.map((column) => value(row[column])), row.versus, row.ratio?.median, row.ratio?.min, row.ratio?.max]),
  ]);
}

export function figure8Csv({ figure8 }: QueueBenchReport): string {
  return csv([
    ['stream', 'isSynthetic', 'r', 'inserted', 'extracted', 'queue', 'insertComparisons', 'extractComparisons', 'comparisonsPerEntry'],
    ...figure8.flatMap(({ stream, isSynthetic, rows }) => rows.flatMap((row) => queues.map((kind) => [
      stream, Number(isSynthetic), row.r, row.inserted, row.extracted, kind,
      row.comparisons[kind].insert, row.comparisons[kind].extract, perEntry(row, kind),
    ]))),
  ]);
}

const colours = ['#2471a3', '#c0392b', '#1e8449', '#8e44ad', '#d68910', '#555'] as const;

/** Figure 8 as a drawing that needs nothing else: a panel a stream, comparisons an entry against R, both logarithmic. */
export function figure8Svg(streams: readonly Figure8Stream[]): string {
  const width = 420;
  const height = 200;
  const escape = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const panels = streams.filter(({ rows }) => rows.length > 0).map(({ stream, isSynthetic, rows }, panel) => {
    const values = rows.flatMap((row) => queues.map((queue) => perEntry(row, queue))).filter((value) => value > 0);
    const top = Math.max(...values);
    const range = Math.max(top / Math.min(...values), 2);
    const [low, high] = [Math.log2(rows[0].r), Math.log2(rows[rows.length - 1].r)];
    const x = (r: number): number => Math.round((width * (Math.log2(r) - low)) / Math.max(1, high - low));
    const y = (value: number): number => Math.round((10 * height * Math.log(top / Math.max(value, top / range))) / Math.log(range)) / 10;
    const line = (queue: string, i: number): string => {
      const colour = colours[i % colours.length];
      const points = rows.map((row) => `${x(row.r)},${y(perEntry(row, queue))}`).join(' ');
      return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points}"/>` +
        `<text x="${width + 8}" y="${16 + 16 * i}" fill="${colour}">${queue}</text>`;
    };
    const ticks = rows.map(({ r }) => `<text x="${x(r)}" y="${height + 16}" text-anchor="middle">${r}</text>`);
    return `<g transform="translate(60 ${40 + panel * (height + 70)})">
<text x="0" y="-10">${escape(stream)}${isSynthetic ? ' (synthetic)' : ''}</text>
<path d="M0 0V${height}H${width}" fill="none" stroke="#333"/>
<text x="-8" y="4" text-anchor="end">${top.toFixed(1)}</text><text x="-8" y="${height}" text-anchor="end">${(top / range).toFixed(1)}</text>
${queues.map(line).join('\n')}
${ticks.join('')}
</g>`;
  });
  const full = 40 + panels.length * (height + 70) + 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 ${full}" font-family="sans-serif" font-size="12">
<rect width="600" height="${full}" fill="#fff"/>
${panels.join('\n')}
<text x="60" y="${full - 10}">comparisons an entry that left, insertion included, against R; logarithmic axes</text>
</svg>
`;
}
