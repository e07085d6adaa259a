export type { ReportData } from './data.ts';
export { reportData, type LabelledRun, type ReportOptions } from './gather.ts';
export { reportHtml } from './html.ts';
