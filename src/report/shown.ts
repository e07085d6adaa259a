/**
 * What people see of a measurement, free of any form of output: `orbweaver bench queues` makes it, and texts, CSV files
 * and the page of `shownHtml` are made of it alone. This file imports nothing, so that the page (which has a DOM and no
 * Node) can share it.
 */
export interface Shown {
  /** What was measured, how, and what the figures say: sentences, computed from the result. */
  readonly paragraphs: readonly string[];
  readonly tables: readonly ShownTable[];
  readonly charts: readonly Chart[];
  /** Parts of a whole, before the charts. */
  readonly bars?: readonly Bars[];
  /** What was not measured and what is not known: sentences, in small print. */
  readonly notes?: readonly string[];
}

export interface ShownTable {
  /** Of its CSV file, without the ending; the part's name where it has one table only. */
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  /** A cell a column; null where nothing is known. Numbers as they are: output rounds them, a CSV file does not. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /**
   * The number of leading columns that name the section of a row: people see one heading per section instead. 0 if
   * omitted.
   */
  readonly sections?: number;
}

export interface Column {
  readonly name: string;
  /** Digits after the point where a person reads it; 0 where it is left out. */
  readonly digits?: number;
}

export interface Chart {
  readonly title: string;
  /** Drawn by us, not taken from the web: said beside the title. */
  readonly isSynthetic: boolean;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** Points that are no curve: no line joins them. */
  readonly isScatter?: true;
  /** One of many alike: drawn a third as wide as the page. */
  readonly isSmall?: true;
  /** What its notable points are; the key says so. */
  readonly notable?: string;
}

/** Values side by side, as long as they are large. */
export interface Bars {
  readonly title: string;
  readonly values: readonly { readonly name: string; readonly value: number; readonly remark?: string }[];
}

export interface Axis {
  readonly label: string;
  readonly scale: 'linear' | 'log';
}

export interface Series {
  /** The same name has the same colour in every chart of a part. */
  readonly name: string;
  readonly points: readonly Point[];
  /** A yardstick, such as what the paper says: drawn thin, in the colour of the series whose name its own contains. */
  readonly isReference?: boolean;
}

export interface Point {
  readonly x: number;
  readonly y: number;
  /** Computed from counted work where it could not be measured: drawn hollow. */
  readonly isModelled?: boolean;
  /** One of those that the chart marks with a ring. */
  readonly isNotable?: true;
  /** What a tooltip adds. */
  readonly remark?: string;
}

/** A section of a page. */
export interface ShownPart {
  /** By which the page's contents find it. */
  readonly name: string;
  readonly title: string;
  readonly shown: Shown;
}

/** Parts of a measurement one after the other, with how it was run: what one page shows. */
export interface ShownReport {
  readonly title: string;
  /** How it was run: sentences. */
  readonly circumstances: readonly string[];
  /** What makes its figures doubtful; null where nothing does. */
  readonly warning: string | null;
  /** The command, as one would type it; null where none was given. */
  readonly command: string | null;
  readonly parts: readonly ShownPart[];
  /** On all parts. */
  readonly notes: readonly string[];
}
