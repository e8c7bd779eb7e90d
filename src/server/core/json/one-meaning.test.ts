import { expect, it } from 'vitest';
import { surveyJson } from './bounds.ts';
import { parseChatJson } from './exact.ts';
import { assertOneMeaning } from './one-meaning.ts';

const refusal = (text: string): string | undefined => {
  try {
    const bytes = Buffer.from(text);
    const body = parseChatJson(text) as Record<string, unknown>;
    assertOneMeaning(bytes, body, surveyJson(bytes).members);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

it.each([
  ['{"model":"dear","n":1,"model":"cheap"}', "the field 'model' is given twice"],
  ['{"mod\\u0065l":"dear","model":"cheap"}', "the field 'model' is given twice"],
  ['{"n":100, "prompt":"a \\"n\\" b","n":1}', "the field 'n' is given twice"],
  [`{"n":9,"prompt":"${'x'.repeat(20_000)}","n":1}`, "the field 'n' is given twice"],
  ['{"model":"cheap","Model":"dear"}', "unknown field 'Model': write 'model'"],
  ['{"model":"cheap","model ":"dear"}', "unknown field 'model ': write 'model'"],
  ['{"model":"cheap","\\u200bmodel":"dear"}', "unknown field '\u200bmodel': write 'model'"],
  ['{"model":"cheap","model\\u0000":"dear"}', "unknown field 'model\0': write 'model'"],
  ['{"model":"cheap","model\\u0000x":"dear"}', "unknown field 'model\0x': write 'model'"],
  ['{"model":"m","\\tMax_tokens":9}', "unknown field '\tMax_tokens': write 'max_tokens'"],
  ['{"model":"m","MAX_TOKENS":9}', "unknown field 'MAX_TOKENS': write 'max_tokens'"],
  ['{"model":"m","max_to\\u212aens":9}', "unknown field 'max_to\u212aens': write 'max_tokens'"],
  [
    '{"tools":[{"type":"image_generation","model":"cheap","model":"dear"}]}',
    'a name is given twice in one object of the body',
  ],
  [
    '{"generationConfig":{"candidateCount":1,"candidate\\u0043ount":8}}',
    'a name is given twice in one object of the body',
  ],
  [
    '{"messages":[{"role":"user","content":{"a":1},"content":"b"}]}',
    'a name is given twice in one object of the body',
  ],
  ['{"model":"m","$files":[]}', "unknown field '$files'"],
])('%.40s has two meanings', (text, message) => {
  expect(refusal(text)).toBe(message);
});

it('names of inner objects, and texts that look like names, are not taken for top-level names', () => {
  const text = JSON.stringify({
    model: 'model',
    messages: [{ role: 'user', content: '"model": 1, "n": "\u0001' }],
    metadata: { model: 'x', Model: 'y', n: 1 },
    tools: [{ function: { parameters: { properties: { model: {}, messages: {} } } } }],
  });
  expect(refusal(text)).toBeUndefined();
  expect(refusal('{}')).toBeUndefined();
  expect(refusal(' { "a" : [ ] , "b":{"a":1},"":2 } ')).toBeUndefined();
});

it('more fields than any format has are refused before they are examined', () => {
  const fields = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1])));
  expect(refusal(fields(1000))).toBeUndefined();
  expect(refusal(fields(1001))).toBe('the body has too many fields');
});

it('long numbers in what a tool was given are numbers, not objects', () => {
  expect(refusal('{"messages":[{"type":"tool_use","input":{"id":12345678901234567890}}]}')).toBeUndefined();
});
