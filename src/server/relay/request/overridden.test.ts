import { describe, expect, test } from 'vitest';
import { channelOverrides } from '#contract/channel/channel-overrides.ts';
import { overrideOf } from '#core/channel/overrides/override.ts';
import { dropsLimit } from './overridden.ts';

/** A call whose channel takes away the limit of its answer is held for as long as the model may write. */

const byRule = (...rules: readonly object[]) => dropsLimit({}, channelOverrides.parse(rules).map(overrideOf));

describe.each(['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'])(
  '%s',
  (name) => {
    test('is taken away by a field or a rule that puts no number in its place', () => {
      for (const value of [null, -1, 'many', {}]) expect(dropsLimit({ [name]: value }, [])).toBe('by-name');
      expect(byRule({ op: 'delete', path: name })).toBe('by-name');
      expect(byRule({ op: 'delete', path: `generationConfig.${name}` })).toBe('by-name');
    });

    test('stays a limit where another number is set', () => {
      expect(dropsLimit({ [name]: 5 }, [])).toBeUndefined();
      expect(byRule({ op: 'set', path: name, value: 5 })).toBeUndefined();
    });
  },
);

test('a limit may be taken away together with the object that holds it, or by a rule for every field', () => {
  expect(dropsLimit({ generationConfig: {} }, [])).toBe('with-holder');
  expect(byRule({ op: 'delete', path: 'generationConfig' })).toBe('with-holder');
  expect(byRule({ op: 'delete', path: 'metadata.*' })).toBe('with-holder');
  expect(byRule({ op: 'delete', path: 'metadata' })).toBeUndefined();
});
