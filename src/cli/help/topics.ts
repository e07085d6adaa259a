import { unitKinds } from '../../base/index.ts';
import { formatNames, formats, stores } from '../../graphs/formats/index.ts';
import { runFigures } from '../../core/measure/figures/index.ts';
import { measureTitles } from '../../core/measure/index.ts';
import { shippedPolicies } from '../../core/policy/index.ts';
import { flagName, isWeights, type PolicyFacts, type PolicyOption } from '../../core/settings/index.ts';
import { paragraph } from '../text/figures.ts';

/** The text of each help topic, made from the registries on demand. */
export const topicTexts: Readonly<Record<string, () => string>> = {
  policies: () => {
    const { policies } = shippedPolicies.settings;
    const file = { name: './my-policy.js', title: 'your own policy: the default export of a file, which is run as code' };
    const width = widest([...policies, file].map(({ name }) => name));
    return [
      'Policies, and the page that each takes next (--policy NAME):', '',
      ...policies.flatMap((policy) => policyLines(policy, width)), entry(file.name, file.title, width),
    ].join('\n');
  },
  measures: () => [
    listed('Figures by which runs are judged:', Object.values(runFigures).map(({ title, better, meaning }) =>
      [title, `${meaning}${better === undefined ? '' : `; ${better} is better`}`])),
    '',
    listed('Figures of a run, in the summary of run.json:', Object.entries(measureTitles)),
  ].join('\n'),
  formats: () => [
    listed('Formats that are read (import --format NAME, or detected from the content):', formatNames.map((name) =>
      [name, `${formats[name].holds}${formats[name].several ? '; several files can form one graph' : ''}`])),
    '',
    listed('Formats that are written (import --out FILE), by the ending of the file:', stores.map(
      ({ endings, title }) => [endings.join(', '), title],
    )),
  ].join('\n'),
  units: () => [
    'Values of flags, settings files and studies may have a unit. A number without one has the unit that its name',
    'ends in (--politeness-ms 500, --max-seconds 60), or is a plain number.', '',
    ...Object.values(unitKinds).map(({ title, units, examples }) =>
      paragraph(`${units.join(', ')}; such as ${examples.join(', ')}`, `  ${title.replace(/^a /, '').padEnd(11)}`)),
    '',
    'In durations, m is a minute. bit, kbit, Mbit and so on count eighths of bytes; kB is 1000 bytes, KiB is 1024.',
  ].join('\n'),
};

function listed(heading: string, entries: readonly (readonly [name: string, text: string])[]): string {
  const width = widest(entries.map(([name]) => name));
  return [heading, '', ...entries.map(([name, text]) => entry(name, text, width))].join('\n');
}

function policyLines({ name, title, source, options, isOracle }: PolicyFacts, width: number): string[] {
  const notes = [
    ...(isOracle ? ['knows before the crawl what a crawler cannot: a yardstick'] : []),
    ...(source === undefined ? [] : [`source: ${source}`]),
    ...Object.entries(options).map(([option, facts]) => `--${flagName(option)} ${valuesOf(facts)}: ${facts.description}`),
  ];
  return [entry(name, title, width), ...notes.map((note) => entry('', note, width))];
}

function valuesOf(option: PolicyOption): string {
  if (isWeights(option)) return 'NAME=W,...';
  return 'enum' in option ? option.enum.join('|') : `N (default: ${option.default})`;
}

function entry(name: string, text: string, width: number): string {
  return paragraph(text, `  ${name.padEnd(width)}  `);
}

function widest(names: readonly string[]): number {
  return Math.max(...names.map(({ length }) => length));
}
