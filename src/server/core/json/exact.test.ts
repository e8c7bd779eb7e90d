import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseChatJson, parseExact } from './exact.ts';

describe('long numbers', () => {
  test.each([
    '{"id":1234567890123456789}',
    '{"a":[-98765432109876543210,{"b":9007199254740993}],"c":1.5,"d":"12345678901234567890"}',
  ])('come out of %s as they went in', (text) => {
    expect(JSON.stringify(parseExact(text))).toBe(text);
  });

  test('are exact where a call or its result holds them, and plain numbers elsewhere', () => {
    const call = '{"type":"tool_use","name":"f","input":{"id":1234567890123456789}}';
    const part = '{"name":"f","args":{"id":1234567890123456789}}';
    const schema = '{"properties":{"input":{"type":"integer","maximum":9223372036854775807}}}';
    const read = parseChatJson(`[${call},${part},${schema},{"input":[1234567890123456789]}]`);
    expect(JSON.stringify(read)).toBe(
      `[${call},${part},${schema.replace('5807', '6000')},{"input":[1234567890123456800]}]`,
    );
  });

  test('change nothing of any other JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseExact(text))).toBe(text);
        expect(parseChatJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
