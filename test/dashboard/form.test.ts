import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { schemaWithUnits } from '../../src/base/schema/index.ts';
import { fieldsOf, soughtFields, type Schema } from '../../src/views/dashboard/form/fields.ts';
import { fieldNamed, seedsOf, settingsOf } from '../../src/views/dashboard/form/values.ts';
import { shippedPolicies } from '../../src/core/policy/index.ts';

const { experiment } = shippedPolicies.settings;
const fields = fieldsOf(schemaWithUnits(z.toJSONSchema(experiment, { io: 'input' })));
const field = (path: string) => fields.find((one) => one.path === path)!;

// Goal: the form offers every setting that there is, and what it sends means what was typed.
describe('the form of a run', () => {
  test('has every setting of the schema once, with what the schema says of it', () => {
    const paths = fields.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const name of Object.keys(experiment.shape)) {
      expect(paths.some((path) => path === name || path.startsWith(`${name}.`)), name).toBe(true);
    }
    for (const { title } of fields) expect(title).toMatch(/^\S.*\S$/);
    expect(field('processors')).toMatchObject({ kind: 'number', standard: '8', bounds: '1 to 4,096', group: '' });
    expect(field('network.latencyMs')).toMatchObject({
      title: 'Latency', unit: 'milliseconds', standard: '150', group: 'Network', kind: 'number',
    });
    expect(field('superstepLimit')).toMatchObject({ kind: 'number', choices: ['auto'], standard: '' });
    expect(field('policy')).toMatchObject({ kind: 'choice', standard: 'opic' });
    expect(field('policy').choices).toContain('breadth-first');
    expect(field('policyOptions.opicWindow').bounds).toBe('above 0 to 1,000,000');
    expect(field('seedPages').kind).toBe('numbers');
    expect(field('policyOptions.weights').kind).toBe('json');
  });

  test('a schema of its own: titles, flags, words and what is no object', () => {
    const schema: Schema = {
      properties: {
        a: { type: 'string', title: 'The A' }, b: { type: 'boolean', default: false }, cMs: { type: 'integer' },
        d: { type: 'array', items: { type: 'string' } },
      },
    };
    expect(fieldsOf(schema)).toMatchObject([
      { title: 'The A', kind: 'text' }, { kind: 'choice', choices: ['true', 'false'], standard: 'false' },
      { title: 'C', kind: 'number', unit: 'milliseconds', bounds: '' }, { kind: 'words' },
    ]);
    expect(fieldsOf({})).toEqual([]);
  });

  test('what was typed becomes nested settings; what was not is left out', () => {
    const typed = {
      processors: ' 16 ', superstepLimit: 'auto', 'network.latencyMs': '2 s', 'network.preset': 'web', robots: ' ',
      seedPages: '1, 2', 'queue.kind': 'cbt', 'policyOptions.weights': '{"opic": 0.5}',
    };
    const settings = settingsOf(fields, typed);
    expect(settings).toEqual({
      processors: 16, superstepLimit: 'auto', network: { preset: 'web', latencyMs: '2 s' }, seedPages: [1, 2],
      queue: { kind: 'cbt' }, policyOptions: { weights: { opic: 0.5 } },
    });
    // The schema takes what the form makes, units apart, which the server converts.
    expect(experiment.safeParse({ ...settings, network: { preset: 'web', latencyMs: 2000 } }).success).toBe(true);
    expect(settingsOf(fields, { seedPages: '1 x' })).toEqual({ seedPages: [1, 'x'] });
    expect(settingsOf(fields, { 'policyOptions.weights': '{' })).toEqual({ policyOptions: { weights: '{' } });
    expect(settingsOf(fieldsOf({ properties: { b: { type: 'boolean' } } }), { b: 'false' })).toEqual({ b: false });
    const words = fieldsOf({ properties: { d: { type: 'array', items: { type: 'string' } } } });
    expect(settingsOf(words, { d: 'a.example, 7' })).toEqual({ d: ['a.example', '7'] });
  });

  test('an error is shown at its setting, or at the one that it is a part of', () => {
    const paths = ['seedPages', 'network.latencyMs', 'graph'];
    expect(fieldNamed('seedPages.3', paths)).toBe('seedPages');
    expect(fieldNamed('network.latencyMs', paths)).toBe('network.latencyMs');
    expect(fieldNamed('network', paths)).toBeUndefined();
    expect(fieldNamed(undefined, paths)).toBeUndefined();
  });

  test('search finds all words in name and description; seeds are separated', () => {
    const found = soughtFields(fields, 'latency PARETO').map(({ path }) => path);
    expect(found).toEqual(['network.latencyTailShare', 'network.latencyTailIndex']);
    expect(soughtFields(fields, '')).toHaveLength(fields.length);
    expect(seedsOf([' http://a.example/ \nhttp://b.example/', ''])).toEqual(['http://a.example/', 'http://b.example/']);
  });
});
