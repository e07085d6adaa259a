export { curvesCsv } from './curves-csv.ts';
export type { Curve, ReportData } from './data.ts';
export { reportData, type LabelledRun, type ReportOptions } from './gather.ts';
export { reportHtml, shownHtml } from './html.ts';
export type { Axis, Bars, Chart, Column, Point, Series, Shown, ShownPart, ShownReport, ShownTable } from './shown.ts';
export { thin } from './thin.ts';
