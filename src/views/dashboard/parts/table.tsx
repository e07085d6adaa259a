import type { ComponentChildren } from 'preact';
import { Scroll } from './words.tsx';

/** A column: its head, its cell in a row, and the class of its cells. Without a class it has figures; '': texts. */
export type TableColumn<Row> = readonly [
  head: string, of: (row: Row) => ComponentChildren, look?: string | ((row: Row) => string),
];

interface Given<Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, i: number) => string | number;
  readonly classOf?: (row: Row) => string;
  /** Whether the first cell of a row is its head. */
  readonly isHeaded?: boolean;
  readonly isTall?: boolean;
  readonly look?: string;
}

/** A table that scrolls by keyboard too. */
export function Table<Row>({
  label, columns, rows, keyOf, classOf, isHeaded = true, isTall = false, look: tableLook,
}: Given<Row>) {
  return (
    <Scroll label={label} isTall={isTall}>
      <table class={tableLook}>
        <thead>
          <tr>
            {columns.map(([head, , look = 'figure']) =>
              <th key={head} scope="col" class={look === 'figure' || look === 'name' ? look : undefined}>{head}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={keyOf(row, i)} class={classOf?.(row)}>
              {columns.map(([head, of, look = 'figure'], column) => {
                const cellLook = (typeof look === 'function' ? look(row) : look) || undefined;
                return isHeaded && column === 0 ? <th key={head} scope="row" class={cellLook}>{of(row)}</th>
                  : <td key={head} class={cellLook}>{of(row)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
