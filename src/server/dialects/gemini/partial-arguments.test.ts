import { describe, expect, test } from 'vitest';
import { gemini } from './gemini.ts';
import { PartialArguments } from './partial-arguments.ts';

const call = (functionCall: object, more: object = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ functionCall, ...more }] } }],
});

describe('arguments of a call that come in pieces', () => {
  test('are one call with all of them, its texts put together', () => {
    const events = gemini.readWhole([
      call({ name: 'f', id: 'c1', willContinue: true }, { thoughtSignature: 'c2ln' }),
      call({
        partialArgs: [{ jsonPath: '$.city', stringValue: 'New ', willContinue: true }],
        willContinue: true,
      }),
      call({ partialArgs: [{ jsonPath: '$.city', stringValue: 'Delhi' }], willContinue: true }),
      call({
        partialArgs: [
          { jsonPath: '$.at[0].hour', numberValue: 7 },
          { jsonPath: "$['is it']", boolValue: false },
          { jsonPath: '$.none', nullValue: 'NULL_VALUE' },
        ],
        willContinue: true,
      }),
      call({}),
      call({ name: 'g', args: { x: 1 } }),
      { candidates: [{ index: 0, finishReason: 'STOP' }] },
    ]);
    expect(events.slice(1)).toEqual([
      {
        type: 'tool-call-start',
        choice: 0,
        index: 0,
        id: 'c1',
        name: 'f',
        signature: 'c2ln',
        signatureFrom: 'gemini',
      },
      {
        type: 'tool-call-delta',
        choice: 0,
        index: 0,
        argumentsText: '{"city":"New Delhi","at":[{"hour":7}],"is it":false,"none":null}',
      },
      { type: 'tool-call-start', choice: 0, index: 1, id: expect.any(String), name: 'g' },
      { type: 'tool-call-delta', choice: 0, index: 1, argumentsText: '{"x":1}' },
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ]);
  });

  test('that are cut off are told as far as they came', () => {
    const events = gemini.readWhole([
      call({ name: 'f', id: 'c1', willContinue: true }),
      call({ partialArgs: [{ jsonPath: '$.a', stringValue: 'half' }], willContinue: true }),
      { candidates: [{ index: 0, finishReason: 'MAX_TOKENS' }] },
    ]);
    expect(events.slice(2)).toMatchObject([{ argumentsText: '{"a":"half"}' }, { reason: 'length' }]);
  });

  test('reach no further than the arguments, whatever their path says', () => {
    const hostile = new PartialArguments();
    hostile.add([
      { jsonPath: '$.__proto__.polluted', stringValue: 'x' },
      { jsonPath: '$.list[999999999]', stringValue: 'x' },
      { jsonPath: 'a', stringValue: 'x' },
      { stringValue: 'x' },
    ]);
    expect(JSON.parse(hostile.text)).toEqual(JSON.parse('{"__proto__":{"polluted":"x"}}'));
    expect('polluted' in {}).toBe(false);
  });
});
