import * as z from 'zod';
import { liveSchema, type LiveInput } from '../../../core/live/settings.ts';

export interface ScopeFile {
  readonly scope: NonNullable<LiveInput['scope']>;
  /** "file:line:column" of a part: `['scope', 3, 'regex']`. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
}

const example = 'a list of entries such as "- domain: example.org"';

const schema = z.strictObject({ scope: liveSchema.shape.scope.unwrap().min(1, 'must have at least one entry') }, {
  error: ({ code }) => (code === 'invalid_type' ? `must have "scope:", and below it ${example}` : undefined),
});

const rules = {
  // As many tokens as the most entries have, with a line for `extraHops` each.
  what: 'a scope file', maxBytes: 4 * 1024 * 1024, maxTokens: 250_000, schema,
  explain: (key: string, path: readonly PropertyKey[]): string | undefined => {
    if (path.length === 0) return `known there: scope alone, ${example}`;
    return /hop/i.test(key) ? 'did you mean extraHops?' : undefined;
  },
};

/**
 * The file of `--scope`: YAML with `scope`, a list of entries as the setting of that name has them.
 * @throws InputError naming file, line, column and what is allowed.
 */
export async function readScope(path: string): Promise<ScopeFile> {
  const { readCheckedYaml } = await import('../../../base/yaml/index.ts');
  const { value, placeOf } = await readCheckedYaml(path, rules);
  return { scope: value.scope, placeOf };
}
