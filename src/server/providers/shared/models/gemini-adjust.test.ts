import { describe, expect, test } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { adjustForModel } from './gemini-adjust.ts';
import { expectInProportion } from '#core/testing/thread-time.ts';

const options = (changes: Partial<OptionValues>): OptionValues => ({ ...initialOptions, ...changes });
const suffixes = options({ 'gemini.thinking_adapter_enabled': true });
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const safetySettings: unknown[] = [];

const thinkingOf = (model: string, generationConfig: object = {}, on = suffixes): unknown => {
  const body = adjustForModel({ contents, safetySettings, generationConfig }, { model, options: on });
  return (body['generationConfig'] as Record<string, unknown>)['thinkingConfig'];
};

describe('the end of a model name says how much to think', () => {
  test.each([
    ['gemini-2.5-flash-thinking-1000', {}, { thinkingBudget: 1000, includeThoughts: true }],
    ['gemini-2.5-flash-thinking-99999', {}, { thinkingBudget: 24_576, includeThoughts: true }],
    ['gemini-2.5-flash-lite-thinking-1', {}, { thinkingBudget: 512, includeThoughts: true }],
    ['gemini-2.5-pro-thinking-1', {}, { thinkingBudget: 128, includeThoughts: true }],
    ['gemini-2.5-flash-thinking', { maxOutputTokens: 1000 }, { thinkingBudget: 600, includeThoughts: true }],
    ['gemini-2.5-flash-thinking', {}, { includeThoughts: true }],
    ['gemini-2.5-flash-nothinking', {}, { thinkingBudget: 0 }],
    // This one always thinks.
    ['gemini-2.5-pro-nothinking', {}, { thinkingBudget: 128 }],
    ['gemini-3.8-flash-nothinking', {}, { thinkingLevel: 'low' }],
    ['gemini-3.5-flash-lite-nothinking', {}, { thinkingLevel: 'minimal' }],
    ['gemini-3.1-pro-preview-nothinking', {}, { thinkingLevel: 'low' }],
    ['gemini-3-pro-preview-low', {}, { thinkingLevel: 'low', includeThoughts: true }],
    ['gemini-4-argon-nothinking', {}, { thinkingLevel: 'low' }],
    ['gemini-4-argon-thinking-3000', {}, { thinkingLevel: 'medium', includeThoughts: true }],
    ['gemini-4-neon-xhigh', {}, { thinkingLevel: 'xhigh', includeThoughts: true }],
    ['gemini-2.5-flash', {}, undefined],
  ])('%s %j', (model, config, thinking) => {
    expect(thinkingOf(model, config)).toEqual(thinking);
  });

  test('nothing, where the operator has not switched it on', () => {
    expect(thinkingOf('gemini-2.5-flash-nothinking', {}, initialOptions)).toBeUndefined();
  });
});

describe('what a model needs changed', () => {
  test("the operator's thresholds are sent for callers who bring none", () => {
    const set = options({
      'gemini.safety_settings': { default: 'OFF', HARM_CATEGORY_HARASSMENT: 'BLOCK_LOW_AND_ABOVE' },
    });
    const sent = adjustForModel({ contents }, { model: 'gemini-2.5-flash', options: set });
    expect(sent['safetySettings']).toHaveLength(5);
    expect(sent['safetySettings']).toContainEqual({
      category: 'HARM_CATEGORY_HARASSMENT',
      threshold: 'BLOCK_LOW_AND_ABOVE',
    });
    const own = { contents, safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }] };
    expect(adjustForModel(own, { model: 'gemini-2.5-flash', options: set })).toBe(own);
  });

  test.each(['gemini-2.0-flash', 'gemini-2.5-flash', 'gemini-3-pro-preview', 'gemini-2.5-flash-image'])(
    'nothing, in a request of the same format to %s: its body is sent as it came',
    (model) => {
      const body = {
        contents,
        tools: [{ functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT' } }] }],
        generationConfig: { temperature: 1, responseSchema: { type: 'STRING' } },
      };
      expect(adjustForModel(body, { model, options: initialOptions, isRepeated: true })).toBe(body);
    },
  );

  test('thresholds that the operator has set hold for callers of the format as well', () => {
    const set = options({ 'gemini.safety_settings': { default: 'BLOCK_NONE' } });
    const sent = adjustForModel({ contents }, { model: 'gemini-2.5-flash', options: set, isRepeated: true });
    expect(sent['safetySettings']).toHaveLength(5);
  });

  test('the model and whether to stream are taken out: they stand in the path', () => {
    const body = { contents, safetySettings, model: 'm', stream: true };
    expect(adjustForModel(body, { model: 'm' })).toEqual({ contents, safetySettings });
  });

  test('a model that draws is asked for pictures', () => {
    const model = 'gemini-2.0-flash-exp-image-generation';
    expect(adjustForModel({ contents, safetySettings }, { model })['generationConfig']).toEqual({
      responseModalities: ['TEXT', 'IMAGE'],
    });
  });

  test('a model before 2.5 gets the older schema, without what it refuses', () => {
    const schema = {
      type: 'object',
      additionalProperties: false,
      $defs: { colour: { type: 'string', enum: ['red', 'blue'] } },
      properties: {
        colour: { $ref: '#/$defs/colour' },
        size: { type: ['integer', 'null'], minimum: 1 },
        one: { const: 'x' },
        either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        when: { type: 'string', format: 'uri' },
      },
      required: ['colour'],
    };
    const tools = [
      {
        functionDeclarations: [
          { name: 'f', parametersJsonSchema: schema },
          { name: 'g', parametersJsonSchema: { type: 'object', properties: {} } },
        ],
      },
    ];
    const sent = adjustForModel({ contents, safetySettings, tools }, { model: 'gemini-2.0-flash' });
    expect(sent['tools']).toEqual([
      {
        functionDeclarations: [
          {
            name: 'f',
            parameters: {
              type: 'OBJECT',
              properties: {
                colour: { type: 'STRING', enum: ['red', 'blue'] },
                size: { type: 'INTEGER', nullable: true, minimum: 1 },
                one: { type: 'STRING', enum: ['x'] },
                either: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] },
                when: { type: 'STRING' },
              },
              required: ['colour'],
            },
          },
          { name: 'g' },
        ],
      },
    ]);
    const body = { contents, safetySettings, tools };
    expect(adjustForModel(body, { model: 'gemini-2.5-flash' })).toBe(body);
  });

  test('a schema that contains itself ends', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } };
    const schema = { ...tree, $defs: { tree } };
    const tools = [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }];
    const sent = adjustForModel({ contents, safetySettings, tools }, { model: 'gemini-1.5-pro' });
    expect(JSON.stringify(sent).length).toBeLessThan(10_000);
  });

  test('a schema that doubles with every level does not grow without end', () => {
    expectInProportion(20, (levels) => {
      const $defs = Object.fromEntries(
        Array.from({ length: levels }, (_, at) => {
          const next = { $ref: `#/$defs/d${at + 1}` };
          return [`d${at}`, { type: 'object', properties: { left: next, right: next } }];
        }),
      );
      const schema = { type: 'object', properties: { root: { $ref: '#/$defs/d0' } }, $defs };
      const tools = [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }];
      return () => {
        const sent = adjustForModel({ contents, safetySettings, tools }, { model: 'gemini-1.5-pro' });
        expect(JSON.stringify(sent).length).toBeLessThan(2_000_000);
      };
    });
  });

  test('since Gemini 3 a turn whose calls were never signed says so, once', () => {
    const turn = (signature: object = {}) => ({
      role: 'model',
      parts: [
        { functionCall: { name: 'f', args: {} }, ...signature },
        { functionCall: { name: 'g', args: {} } },
      ],
    });
    const sent = adjustForModel(
      { contents: [turn(), turn({ thoughtSignature: 'abc' })], safetySettings },
      { model: 'gemini-3-flash' },
    );
    const beside = { role: 'model', parts: [{ text: 'a', thoughtSignature: 'abc' }, ...turn().parts] };
    const besideSent = adjustForModel({ contents: [beside], safetySettings }, { model: 'gemini-3-flash' });
    expect(besideSent['contents']).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'a', thoughtSignature: 'abc' },
          ...turn({ thoughtSignature: 'skip_thought_signature_validator' }).parts,
        ],
      },
    ]);
    expect(sent['contents']).toEqual([
      turn({ thoughtSignature: 'skip_thought_signature_validator' }),
      turn({ thoughtSignature: 'abc' }),
    ]);
  });

  test('before Gemini 3 pictures of a result stand beside it, and what else the part says stays', () => {
    const partMetadata = { step: 1 };
    const picture = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
    const result = { name: 'f', response: { output: 'see' } };
    const body = {
      contents: [
        { role: 'user', parts: [{ functionResponse: { ...result, parts: [picture] }, partMetadata }] },
      ],
      safetySettings,
    };
    expect(adjustForModel(body, { model: 'gemini-2.5-flash' })['contents']).toEqual([
      { role: 'user', parts: [{ functionResponse: result, partMetadata }, picture] },
    ]);
    expect(adjustForModel(body, { model: 'gemini-3-flash' })).toBe(body);
  });
});
