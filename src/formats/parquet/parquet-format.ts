import type { Format } from '../format.ts';

/** Its reader needs a large library and is loaded on demand: otherwise every command would wait for it. */
export const parquet = {
  name: 'parquet',
  title: 'Parquet table',
  holds: 'columns source and target, of ids, names or URLs',
  several: true,
  begins: ({ text }) => text.startsWith('PAR1'),
  read: async (paths, options) => (await import('./parquet.ts')).readParquet(paths, options),
} as const satisfies Format;
