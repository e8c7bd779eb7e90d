import { describe, expect, it } from 'vitest';
import type { Tool } from '#core/chat/request.ts';
import { expectInProportion } from '#core/testing/thread-time.ts';
import { countTokens } from './count-tokens.ts';
import { toolTemplateOf, toolText } from './tool-templates.ts';

const weather: Tool = {
  name: 'get_weather',
  description: 'The weather of a place',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Where' },
      unit: { enum: ['c', 'f'] },
      days: { type: 'array', items: { type: 'object', properties: { date: { type: 'string' } } } },
    },
    required: ['city'],
  },
};
const countOf = (model: string, tools: readonly Tool[]): number =>
  countTokens({
    model,
    stream: false,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools,
    extras: {},
  });

describe('tools as models are told about them', () => {
  it('are functions of a namespace to OpenAI’s models', () => {
    expect(toolText(weather, toolTemplateOf('gpt-5.5'))).toBe(
      [
        '// The weather of a place',
        'type get_weather = (_: {',
        '// Where',
        'city: string,',
        'unit?: "c" | "f",',
        'days?: {',
        'date?: string,',
        '}[],',
        '}) => any;',
        '',
      ].join('\n'),
    );
    expect(toolText({ name: 'now' }, toolTemplateOf('o4-mini'))).toBe('type now = () => any;\n');
  });

  it('are JSON to most, words to Gemini, and cost what stands around them once', () => {
    expect(toolText(weather, toolTemplateOf('glm-5'))).toBe(JSON.stringify(weather));
    expect(toolText(weather, toolTemplateOf('gemini-2.5-pro'))).toMatch(/^get_weather The weather[^{}"]*$/);
    for (const model of ['glm-5', 'claude-sonnet-4-5', 'deepseek-chat', 'gpt-4o', 'nobody-knows']) {
      const [none, one, two] = [[], [weather], [weather, weather]].map((tools) => countOf(model, tools));
      expect((one ?? 0) - (none ?? 0)).toBeGreaterThanOrEqual((two ?? 0) - (one ?? 0));
      expect(two).toBeGreaterThan(one ?? 0);
    }
  });

  it('are counted in time in proportion, however long or deep they are', () => {
    for (const model of ['gpt-5', 'gemini-3-pro', 'glm-5']) {
      expectInProportion(250_000, (length) => {
        const long = [{ name: 'long', description: 'a'.repeat(length), parameters: {} }];
        return () => expect(countOf(model, long)).toBeGreaterThan(1000);
      });
      expectInProportion(750, (depth) => {
        let deep: object = { type: 'string' };
        for (let level = 0; level < depth; level += 1) deep = { type: 'object', properties: { a: deep } };
        return () => expect(countOf(model, [{ name: 'deep', parameters: deep }])).toBeGreaterThan(50);
      });
    }
  });
});
