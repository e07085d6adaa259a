import { describe, expect, test } from 'vitest';
import { limitKinds } from '../../src/core/measure/index.ts';
import { isAsBuilt, limitCase, limitCaseText, limitedWebs } from './limits.ts';

describe('what limits a crawl is named, and no other thing', () => {
  test.each(limitedWebs().map((web) => [web.name, web] as const))('%s', async (_, web) => {
    const done = await limitCase(web);
    expect(isAsBuilt(done), limitCaseText(done)).toBe(true);
    for (const kind of limitKinds) {
      if (done.built.includes(kind)) expect(done.gains[kind], kind).toBeGreaterThanOrEqual(0.2);
      else expect(done.gains[kind], kind).toBeLessThan(0.05);
    }
  });
});
