/**
 * The presentation of a measurement, independent of any output format: made by `orbweaver bench queues`; texts, CSV
 * files and the page of `shownHtml` are made from it alone. This file imports nothing, so that the page (which has a
 * DOM and no Node) can share it.
 */
export interface Shown {
  /** What was measured, how, and what the figures show: sentences, computed from the result. */
  readonly paragraphs: readonly string[];
  readonly tables: readonly ShownTable[];
  readonly charts: readonly Chart[];
  /** Parts of a whole, shown before the charts. */
  readonly bars?: readonly Bars[];
  /** Sentences in small print: missing measurements, open questions. */
  readonly notes?: readonly string[];
}

export interface ShownTable {
  /** Name of its CSV file, without the extension; the part's name if it has only one table. */
  readonly name: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  /** One cell per column; null if unknown. Numbers are exact: they are rounded for display, but not in a CSV file. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** The number of leading columns that name the section of a row, shown as one heading per section. 0 if omitted. */
  readonly sections?: number;
}

export interface Column {
  readonly name: string;
  /** Decimals for display; 0 if omitted. */
  readonly digits?: number;
}

export interface Chart {
  readonly title: string;
  /** Synthetic data, not taken from the web: marked beside the title. */
  readonly isSynthetic: boolean;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** The points are not a curve, so no line joins them. */
  readonly isScatter?: true;
  /** One of many similar ones: drawn at a third of the page's width. */
  readonly isSmall?: true;
  /** The meaning of its notable points, for the key. */
  readonly notable?: string;
}

/** Values side by side, with bars proportional to them. */
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
  /** A yardstick, such as the paper's figure: drawn thin, in the colour of the series whose name its own contains. */
  readonly isReference?: boolean;
}

export interface Point {
  readonly x: number;
  readonly y: number;
  /** An interval around y, drawn as a band behind the curve. */
  readonly band?: readonly [low: number, high: number];
  /** Computed from counted work because it could not be measured: drawn hollow. */
  readonly isModelled?: boolean;
  /** Marked with a ring in the chart. */
  readonly isNotable?: true;
  /** Additional text of the tooltip. */
  readonly remark?: string;
}

/** A section of a page. */
export interface ShownPart {
  /** Anchor used by the page's contents. */
  readonly name: string;
  readonly title: string;
  readonly shown: Shown;
}

/** Several parts of a measurement, with how it was run: the content of one page. */
export interface ShownReport {
  readonly title: string;
  /** How it was run: sentences. */
  readonly circumstances: readonly string[];
  /** What makes its figures doubtful; null if nothing does. */
  readonly warning: string | null;
  /** The command, as one would type it; null if unknown. */
  readonly command: string | null;
  readonly parts: readonly ShownPart[];
  /** Notes that apply to all parts. */
  readonly notes: readonly string[];
}
