import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { assert, checkFields, wrongArgument } from '../../base/index.ts';
import type { ReportData } from './data.ts';
import { reportData, type LabelledRun, type ReportOptions } from './gather.ts';
import type { ShownReport } from './shown.ts';
import { style } from './style.ts';

/**
 * `report.html`: one self-contained file that draws one run, or several over one another, and needs no network.
 *
 * Data never becomes markup: it travels as JSON in which no `<` is left, and the page
 * puts it into text nodes. The content security policy allows only this script, by its hash, and no loading or sending.
 * Styles are not restricted, because the drawings have inline styles.
 *
 * @param runs - finished runs, at least one, each with a label.
 * @param options - a title, and what else the report shows.
 * @returns the text of the file.
 * @throws AssertionError if there are no runs.
 */
export function reportHtml(runs: readonly LabelledRun[], options: ReportOptions): string {
  if (!Array.isArray(runs)) throw wrongArgument('runs', 'a list of labelled runs', runs);
  checkFields('options', options, { title: true, command: true, parts: true });
  assert(runs.length > 0, 'a report needs at least one run');
  return page(reportData(runs, options), 'main.js', 'run.json and supersteps.csv');
}

/** `report.html` of a measurement: its sentences, charts and tables, in one file that needs nothing else. */
export function shownHtml(report: ShownReport): string {
  return page(report, 'shown.js', 'the JSON and CSV files');
}

/** @param numbers where a reader without scripts finds the numbers. */
function page(data: ReportData | ShownReport, scriptName: string, numbers: string): string {
  const script = pageScript(scriptName);
  const policy = [
    "default-src 'none'", `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="orbweaver">
<title>${escapedMarkup(data.title)}</title>
<style>${style}</style>
</head>
<body>
<main id="report">
<noscript>This report draws itself with JavaScript; its numbers are in ${numbers} beside it.</noscript>
</main>
<script type="application/json" id="report-data">${escapedJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** JSON that is safe within a script element, and as JavaScript: none of its characters can end or open anything. */
export function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escapedMarkup(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A page's script as bundled by `npm run build`: beside this file once built, under `dist/` when run from source. */
function pageScript(name: string): string {
  const places = [
    new URL(`./page/${name}`, import.meta.url),
    new URL(`../../../dist/views/report/page/${name}`, import.meta.url),
  ];
  const place = places.find((url) => existsSync(url));
  assert(place !== undefined, () => `dist/views/report/page/${name} is missing: run npm run build`);
  // A carriage return would be read as a line feed, and the hash would not match.
  const script = readFileSync(place, 'utf8').replaceAll('\r\n', '\n').trim();
  assert(!/<\/script|<!--/i.test(script), () => `dist/views/report/page/${name} would end its own script element`);
  return script;
}
