import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { requireSupported } from '#core/chat/require-supported.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from './chat-dialects.ts';

/** Fields that change the answer, with words that no maker's reference has. */

type Json = Readonly<Record<string, unknown>>;

const formats = Object.keys(chatDialects) as DialectName[];
const named = { type: 'function', function: { name: 'f' } };
const parameters = { type: 'object', properties: {} };

const PLAIN: Readonly<Record<DialectName, Json>> = {
  'openai-chat': {
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ type: 'function', function: { name: 'f', parameters } }],
  },
  'openai-responses': { input: 'hi', tools: [{ type: 'function', name: 'f', parameters }] },
  'anthropic-messages': {
    max_tokens: 5000,
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ name: 'f', input_schema: parameters }],
  },
  gemini: {
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: parameters }] }],
  },
};

/** The field that each upstream of another format refuses; the caller's own is sent it. */
const refusedBy = (caller: DialectName, fields: Json) =>
  Object.fromEntries(
    formats.map((target) => {
      const request = chatDialects[caller].readRequest({ model: 'm', ...PLAIN[caller], ...fields });
      try {
        requireSupported(request, target);
        return [target, undefined];
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== 'invalid_request') throw thrown;
        return [target, thrown.param];
      }
    }),
  );

const UNKNOWN: readonly (readonly [DialectName, Json, string])[] = [
  ['openai-chat', { reasoning_effort: 'ludicrous' }, 'reasoning_effort'],
  ['openai-chat', { reasoning: { effort: 'ludicrous' } }, 'reasoning'],
  ['openai-chat', { thinking: { type: 'ludicrous' } }, 'thinking'],
  ['openai-chat', { extra_body: { google: { thinking_config: { thinking_level: 'x' } } } }, 'extra_body'],
  ['openai-chat', { tool_choice: 'ludicrous' }, 'tool_choice'],
  [
    'openai-chat',
    { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'ludicrous', tools: [named] } } },
    'tool_choice',
  ],
  [
    'openai-responses',
    { tool_choice: { type: 'allowed_tools', mode: 'ludicrous', tools: [{ type: 'function', name: 'f' }] } },
    'tool_choice',
  ],
  ['openai-responses', { reasoning: { effort: 'ludicrous' } }, 'reasoning'],
  ['openai-responses', { reasoning: { effort: 7 } }, 'reasoning'],
  ['openai-responses', { tool_choice: 'ludicrous' }, 'tool_choice'],
  ['openai-responses', { tool_choice: { type: 'ludicrous' } }, 'tool_choice'],
  ['anthropic-messages', { output_config: { effort: 'ludicrous' } }, 'output_config.effort'],
  ['anthropic-messages', { output_config: { format: { type: 'ludicrous' } } }, 'output_config.format'],
  ['anthropic-messages', { output_config: { format: { type: 'json_schema' } } }, 'output_config.format'],
  ['anthropic-messages', { output_format: { type: 'ludicrous' } }, 'output_format'],
  ['anthropic-messages', { thinking: { type: 'ludicrous' } }, 'thinking'],
  ['anthropic-messages', { tool_choice: { type: 'ludicrous' } }, 'tool_choice'],
  ['gemini', { generationConfig: { thinkingConfig: { thinkingLevel: 'LUDICROUS' } } }, 'thinkingLevel'],
  ['gemini', { toolConfig: { functionCallingConfig: { mode: 'LUDICROUS' } } }, 'mode'],
];

describe('a word that changes the answer and is not known', () => {
  test.each(UNKNOWN)('%s: %j is refused by its name where it would be lost', (caller, fields, param) => {
    const expected = Object.fromEntries(
      formats.map((target) => [target, target === caller ? undefined : param]),
    );
    expect(refusedBy(caller, fields)).toEqual(expected);
  });

  test.each<[DialectName, Json]>([
    ['openai-chat', { reasoning_effort: 'default', reasoning: { effort: null }, thinking: { type: 'auto' } }],
    ['openai-chat', { reasoning_effort: '', tool_choice: null }],
    ['openai-responses', { reasoning: { effort: null }, tool_choice: 'any' }],
    ['anthropic-messages', { output_config: { effort: 'minimal', format: null }, tool_choice: 'any' }],
    ['anthropic-messages', { thinking: { type: 'between_tools' }, output_format: null }],
    ['gemini', { generationConfig: { thinkingConfig: { thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' } } }],
    ['gemini', { toolConfig: { functionCallingConfig: { mode: 'MODE_UNSPECIFIED' } } }],
  ])('is not one that leaves the choice to the model, or that other makers have: %s %j', (caller, fields) => {
    expect(Object.values(refusedBy(caller, fields))).toEqual([undefined, undefined, undefined, undefined]);
  });
});
