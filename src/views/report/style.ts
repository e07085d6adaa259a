import { darkColours, lightColours } from './colours.ts';

const properties = (colours: Readonly<Record<string, string>>): string =>
  Object.entries(colours).map(([name, colour]) => `--${name}: ${colour};`).join(' ');

/**
 * Colours of the report and of the dashboard, as custom properties. Each run has an ink for text, dark enough on paper
 * (or light enough in dark mode) to be read.
 */
export const palette = `
:root { color-scheme: light dark; ${properties(lightColours)} }
@media screen and (prefers-color-scheme: dark) { :root { ${properties(darkColours)} } }
@media print { :root { --paper: #ffffff; --raised: #ffffff; --wash: #f4f4f2; } }
`;

/** The report's style. */
export const style = `${palette}* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; }
main { max-width: 1120px; margin: 0 auto; padding: 56px 40px 80px; }
h1 { font-size: 34px; line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; margin: 0 0 10px; overflow-wrap: anywhere; }
h2 { font-size: 21px; line-height: 1.3; font-weight: 620; letter-spacing: -0.008em; margin: 0 0 2px; }
.lede { color: var(--soft); font-size: 17px; margin: 0 0 36px; max-width: 46em; }
.lede:has(+ .lede) { margin-bottom: 8px; }
.warning { background: var(--warn-wash); color: var(--warn); border-radius: 8px; padding: 12px 18px; margin: 0 0 28px; max-width: 60em; }
bdi { overflow-wrap: anywhere; }

.tiles { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 30px 28px; margin: 0 0 72px; padding: 26px 28px; background: var(--raised); border: 1px solid var(--faint); border-radius: 12px; }
.tile .name { color: var(--soft); font-size: 13px; }
.tile .value { font-size: 25px; line-height: 1.25; font-weight: 600; letter-spacing: -0.01em; font-variant-numeric: tabular-nums; white-space: nowrap; }
.tile .note { color: var(--soft); font-size: 12.5px; line-height: 1.4; }
/* Shadows at the edges beyond which a table goes on: covers of the paper's colour move with the table, shadows stay. */
.scroll { overflow-x: auto; margin: 0 0 72px; scrollbar-width: thin; background: linear-gradient(to right, var(--paper) 40%, transparent) left / 40px 100%, linear-gradient(to left, var(--paper) 40%, transparent) right / 40px 100%, linear-gradient(to right, var(--edge), transparent) left / 14px 100%, linear-gradient(to left, var(--edge), transparent) right / 14px 100%; background-repeat: no-repeat; background-attachment: local, local, scroll, scroll; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14.5px; }
th { font-weight: 500; color: var(--soft); font-size: 13px; text-align: left; vertical-align: bottom; }
th, td { padding: 8px 22px 8px 0; border-bottom: 1px solid var(--faint); max-width: 26em; }
td:has(code) { max-width: none; }
td bdi, th bdi { overflow-wrap: break-word; } td code { display: block; min-width: 17em; word-break: break-all; }
th:first-child, td:first-child { position: sticky; left: 0; background: var(--paper); }
td { vertical-align: top; }
.hint { max-width: none; color: var(--soft); font-size: 12.5px; margin: 0 0 4px; text-align: right; } .hint[hidden] { display: none; }
.headline { width: 100%; }
.headline th.figure, .headline td.figure { text-align: right; } .headline td.figure { white-space: nowrap; } .headline th, .headline td { padding-right: 16px; } .headline tr > :last-child { padding-right: 2px; }
.headline td { vertical-align: middle; }
.run { font-weight: 600; color: var(--run-ink); white-space: nowrap; max-width: 20em; overflow: hidden; text-overflow: ellipsis; }
.run::before { content: ""; display: inline-block; width: 10px; height: 10px; border-radius: 50%; background: var(--run); margin-right: 9px; }
.scroll.tight { margin-bottom: 0; } .sentence { margin-bottom: 76px; }
.hosts { float: left; margin-right: 48px; }
.hosts td:last-child, .partition td:not(.run), .partition th:not(:first-child) { text-align: right; }
.scale { display: block; overflow: visible; }

figure { margin: 0 0 76px; }
.panels { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 30px 34px; margin-top: 14px; }
.panel.full { grid-column: span 6; } .panel.wide { grid-column: span 4; } .panel.third { grid-column: span 2; } .panel.half { grid-column: span 3; }
.panel { min-width: 0; display: flex; flex-direction: column; }
.panel > .caption { font-size: 13.5px; color: var(--soft); margin: 0 0 4px; }
.panel > .plot { margin-top: auto; }
.saves { align-self: flex-end; display: flex; gap: 6px; } .saves[hidden] { display: none; }
.saves button { font: inherit; font-size: 11.5px; line-height: 1; padding: 4px 7px; color: var(--soft); background: none; border: 1px solid var(--faint); border-radius: 5px; cursor: pointer; } .saves button:hover { color: var(--ink); border-color: var(--axis); }
.panel:not(:has(.plot)) > .caption { margin: 0 0 -18px; }
figcaption, .sentence { color: var(--ink); font-size: 16px; max-width: 46em; margin: 12px 0 0; }
.key { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 4px 0 6px; padding: 0; list-style: none; font-size: 13.5px; color: var(--soft); }
.key i, .run::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.key i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 7px; vertical-align: -1px; }
.key i.quiet, .key i.dashed { background: none; width: 20px; height: 0; border-top: 2px dotted; border-radius: 0; vertical-align: 4px; } .key i.dashed { border-top: 3px dashed; }
.key i.hollow { background: var(--raised); border: 2px solid var(--soft); border-radius: 50%; }
.plot svg { display: block; max-width: 100%; height: auto; overflow: visible; --plot-background: var(--raised); color: var(--soft); font: 12px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; }
.plot svg [aria-label="tip"] { color: var(--ink); }
.plot .nothing { color: var(--soft); font-size: 14px; padding: 24px 0; }

.settings { columns: 2; column-gap: 56px; margin: 14px 0 28px; }
.settings dl { margin: 0; }
.settings div { display: flex; gap: 16px; justify-content: space-between; border-bottom: 1px solid var(--faint); padding: 6px 0; break-inside: avoid; font-size: 14px; }
.settings dt { color: var(--soft); flex: none; max-width: 65%; overflow-wrap: break-word; } .settings dd { margin: 0; min-width: 0; text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
section { margin: 0 0 60px; }
section p { max-width: 46em; }
pre { background: var(--wash); border-radius: 8px; padding: 14px 18px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 13.5px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font: 12.5px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.contents { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 0 0 56px; padding: 12px 0; border: solid var(--faint); border-width: 1px 0; font-size: 14px; }
.fold { border-top: 1px solid var(--faint); } .fold > summary { font-size: 17px; font-weight: 600; color: var(--ink); padding: 14px 0; } .fold[open] > summary { margin-bottom: 24px; } .fold + section { border-top: 1px solid var(--faint); padding-top: 26px; }
.folded { margin: 0 0 28px; } summary { cursor: pointer; color: var(--soft); } .folded > .lede { margin: 10px 0 0; font-size: 15px; }
.measured { margin: 0 0 88px; } .measured > h2 { margin-bottom: 10px; } .measured > .panels { margin: 30px 0 36px; }
.measured .scroll { margin: 0 0 36px; } .measured .caption { max-width: 52em; color: var(--soft); font-size: 14px; margin: 28px 0 6px; }
.measured > .key { margin: 22px 0 0; } .lede.command code { font-size: 14.5px; }
.measured td, .measured th { white-space: nowrap; padding: 5px 20px 5px 0; } .measured th.figure { white-space: normal; max-width: 9em; }
.measured .dense { font-size: 13.5px; } .measured .dense td, .measured .dense th { padding-right: 13px; } .measured .dense th { font-size: 12px; } .measured .figure { text-align: right; }
.measured tr > :last-child, .measured .dense tr > :last-child { padding-right: 2px; } .measured .wrapped { white-space: normal; min-width: 18em; }
.measured tbody th.section { color: var(--ink); font-weight: 600; font-size: 14.5px; padding-top: 20px; } .measured tbody:first-of-type th.section { padding-top: 12px; }
.measured .panel > .caption { margin: 0 0 4px; color: var(--ink); font-weight: 600; } .synthetic { color: var(--soft); font-weight: 400; }
.findings { columns: 2; column-gap: 48px; margin: 0 0 32px; font-size: 15px; line-height: 1.5; } .findings p { margin: 0 0 12px; break-inside: avoid; }
.bars { margin: 0 0 36px; } .bar { display: grid; grid-template-columns: 7.5em 1fr 13em; gap: 14px; align-items: center; font-size: 14.5px; padding: 3px 0; }
.bar i { display: block; height: 18px; border-radius: 3px; background: var(--run-0); print-color-adjust: exact; } .bar .value { color: var(--soft); font-variant-numeric: tabular-nums; }
.measured details > .scroll { margin-top: 6px; }
.notes { color: var(--soft); font-size: 14px; line-height: 1.5; max-width: 52em; padding-left: 1.1em; } .notes li { margin: 0 0 5px; }
footer { color: var(--soft); font-size: 13.5px; border-top: 1px solid var(--faint); padding-top: 16px; }
a { color: var(--run-0); }

@media (max-width: 760px) {
  main { padding: 28px 18px 48px; }
  h1 { font-size: 26px; }
  .lede { font-size: 16px; margin-bottom: 24px; }
  .panels { gap: 26px; }
  .panel.full, .panel.wide, .panel.half, .panel.third { grid-column: span 6; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); padding: 18px; gap: 20px 16px; margin-bottom: 52px; }
  .tile .value { font-size: 21px; }
  .scroll { margin-bottom: 52px; }
  .run { max-width: 9.5em; }
  th, td { padding-right: 16px; }
  figure { margin-bottom: 56px; }
  .settings, .findings { columns: 1; }
  .bar { grid-template-columns: 7em 1fr 9em; gap: 10px; font-size: 13.5px; }
  .measured { margin-bottom: 60px; } .measured td, .measured th, .measured .dense td, .measured .dense th { padding-right: 12px; }
}
@media print {
  .contents, .saves, .hint { display: none; }
  .panel.full, .panel.wide { grid-column: span 6; } .panel.half, .panel.third { grid-column: span 3; }
  table, .measured .dense { font-size: 8pt; } .measured td, .measured th, td.run { white-space: normal; padding-right: 8px; }
  html { font-size: 11pt; }
  main { padding: 0; max-width: none; }
  h2, .key, .panel > .caption { break-after: avoid; }
  figure, .panel, .tiles, .settings div { break-inside: avoid; }
  .scroll { overflow: visible; }
}
`;
