import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as bounds from './bounds.ts';
import { choiceCount, modelName, parseBounds, parseField } from './bounds.ts';

const schema = z.object({
  model: modelName,
  messages: z.array(z.object({ role: z.string() })).min(1),
  n: choiceCount,
});
const refusal = (body: unknown): unknown => {
  try {
    return parseBounds(schema, body);
  } catch (thrown) {
    return thrown;
  }
};

describe('a request body that does not fit', () => {
  test.each([
    [{ model: 'm' }, 'messages'],
    [{ messages: [{ role: 'user' }] }, 'model'],
    [{ model: 'm', messages: [{}] }, 'messages.0.role'],
  ])('is told which field is missing, in the words of a caller: %o', (body, param) => {
    expect(refusal(body)).toMatchObject({
      code: 'invalid_request',
      message: `'${param}': this field is required`,
      param,
    });
  });

  test.each([
    [{ model: 7, messages: [{ role: 'user' }] }, 'model', 'expected string, received number'],
    [{ model: 'm', messages: [] }, 'messages', '>=1 items'],
    [{ model: 'm', messages: [{ role: 'user' }], n: 0 }, 'n', '>=1'],
  ])('is told what is wrong with a field that is there: %o', (body, param, words) => {
    expect(refusal(body)).toMatchObject({ message: expect.stringContaining(words), param });
  });

  test('is accepted if the missing field is optional', () => {
    const body = { model: 'm', messages: [{ role: 'user' }], n: null };
    expect(parseBounds(schema, body)).toEqual(body);
    expect(() => parseField(modelName, 'model', undefined)).toThrow("'model': this field is required");
  });
});

describe('the quick check of a field', () => {
  const { choiceCount: choices, tokenCount, smallCount, knob, wholeNumber, flag, streamOptions } = bounds;
  const fields = { modelName, choices, tokenCount, smallCount, knob, wholeNumber, flag, streamOptions };
  const objects = { anyObject: bounds.anyObject, someObjects: bounds.someObjects };
  const numbers = [
    0,
    -0,
    1,
    -1,
    0.5,
    128,
    129,
    1000,
    1001,
    1e6,
    1e6 + 0.1,
    1e7,
    1e7 + 1,
    2 ** 53,
    Infinity,
    NaN,
  ];
  const others = [
    undefined,
    null,
    true,
    false,
    '',
    'm',
    'm'.repeat(10_000),
    {},
    [],
    [{}],
    [{}, 1],
    [[]],
    () => 1,
  ];
  const options = [{ include_usage: true }, { include_usage: null, a: 1 }, { include_usage: 'yes' }];

  test.each(Object.entries({ ...fields, ...objects }))('accepts of %s what its schema does', (_, field) => {
    const values = [...numbers, ...others, ...options];
    const isAccepted = (value: unknown): boolean => {
      try {
        return parseBounds(z.object({ field }), { field: value }) !== undefined;
      } catch {
        return false;
      }
    };
    expect(values.filter(isAccepted)).toEqual(values.filter((value) => field.safeParse(value).success));
  });
});
