import { Option, type Command } from 'commander';
import { shippedPolicies } from '../../core/policy/index.ts';
import type { OptionValue, Settings } from '../../core/settings/index.ts';
import { didYouMean, InputError, nearest } from '../../base/index.ts';
import { printableShort } from '../text/printable.ts';
import { addOne, camelCase, kebabCase, numberOrText, type RawFlags } from './words.ts';

/** Adds the flag for settings of policies from files, and the list of policies. */
export function addPolicyFlags(command: Command): void {
  const option = new Option('--policy-option <NAME=VALUE>', 'setting of a policy from a file; repeatable');
  command.addOption(option.argParser(addOne).helpGroup('Order of pages:'));
  const { policies } = shippedPolicies.settings;
  const width = Math.max(...policies.map(({ name }) => name.length));
  const lines = policies.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`);
  const file = `  ${'./my-policy.js'.padEnd(width)}  your own policy: the default export of a file, which is run as code`;
  command.addHelpText('after', `\nPolicies, and the page that each takes next:\n${[...lines, file].join('\n')}`);
}

/** Settings of the user's own policies. All others have flags. */
export function ownOptions(
  { policyOption }: RawFlags, { policyOptions: { shape } }: Settings,
): Record<string, OptionValue> {
  const options: Record<string, OptionValue> = {};
  for (const text of (policyOption as readonly string[] | undefined) ?? []) {
    const [name, value] = text.split('=').map((word) => word.trim());
    const key = camelCase(name);
    if (!value || !(key in shape)) {
      const names = Object.keys(shape).map(kebabCase);
      const near = nearest(name, names);
      throw new InputError(
        `--policy-option ${printableShort(text) || "''"}: must be like name=0.5, with one of the names ${names.join(', ')}` +
          (near === undefined || near === name ? '' : `; did you mean ${near}?`),
      );
    }
    const number = numberOrText(value);
    options[key] = typeof number === 'number' ? number : value;
  }
  return options;
}

/** "opic=0.7,depth-first=0.3" as { opic: 0.7, 'depth-first': 0.3 }; the schema checks the numbers. */
export function weightsOf(text: string, names: readonly string[]): Record<string, unknown> {
  const weights: Record<string, unknown> = {};
  const refused = (problem: string): InputError =>
    new InputError(`--weights ${printableShort(text) || "''"}: ${problem}`);
  for (const part of text.split(',')) {
    const [name, weight] = part.split('=').map((word) => word.trim());
    if (name === '' || !weight) throw refused('must be like opic=0.7,depth-first=0.3');
    if (!names.includes(name)) {
      throw refused(`${printableShort(name)} is not one of ${names.join(', ')}${didYouMean(name, names)}`);
    }
    if (name in weights) throw refused(`${name} is named twice`);
    weights[name] = numberOrText(weight);
  }
  return weights;
}
