import { describe, expect, test } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { anthropic } from './anthropic.ts';
import { writtenFor } from '../../dialects/upstream.ts';

const options = (changes: Partial<OptionValues>): OptionValues => ({ ...initialOptions, ...changes });
const headersOf = (model: string, beside: object = {}) =>
  anthropic.address(channelOf(14), { operation: 'chat', model, stream: false, ...beside }).headers;

describe('what Anthropic is sent beside the body', () => {
  test('the key, and the version of the format', () => {
    expect(headersOf('m')).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-api-key': 'secret-key',
      'anthropic-version': '2023-06-01',
    });
  });

  test('a caller may ask for another version and for features under test, and for nothing else', () => {
    const callerHeaders = {
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'files-api-2025-04-14, context-1m-2025-08-07',
      'x-api-key': 'sk-of-the-caller',
      cookie: 'session=1',
    };
    expect(headersOf('m', { callerHeaders })).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'x-api-key': 'secret-key',
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'files-api-2025-04-14,context-1m-2025-08-07',
    });
    const odd = { 'anthropic-version': 'x\r\ny: z', 'anthropic-beta': 'a\r\nb: c"' };
    expect(headersOf('m', { callerHeaders: odd })).toMatchObject({ 'anthropic-version': '2023-06-01' });
    expect(headersOf('m', { callerHeaders: odd })['anthropic-beta']).toBeUndefined();
  });

  test('the version that our bodies are written in, whatever the caller asks for, if the body is ours', () => {
    const asked = { callerHeaders: { 'anthropic-version': '2026-10-21' } };
    expect(headersOf('m', { ...asked, isRepeated: false })['anthropic-version']).toBe('2023-06-01');
    expect(headersOf('m', { ...asked, isRepeated: true })['anthropic-version']).toBe('2026-10-21');
  });

  test("the operator's headers for a model, its betas put together with the caller's", () => {
    const settings = options({
      'claude.model_headers_settings': {
        'claude-sonnet-4-5': {
          'anthropic-beta': ['interleaved-thinking-2025-05-14', 'b'],
          'X-Team': 'research',
        },
      },
    });
    const callerHeaders = { 'anthropic-beta': 'b,c' };
    expect(headersOf('claude-sonnet-4-5-thinking', { options: settings, callerHeaders })).toMatchObject({
      'anthropic-beta': 'b,c,interleaved-thinking-2025-05-14',
      'x-team': 'research',
    });
    expect(headersOf('other', { options: settings })['anthropic-beta']).toBeUndefined();
  });

  test("the operator's default for max_tokens, and what the model's name asks for", () => {
    const call = {
      operation: 'chat' as const,
      model: 'claude-sonnet-4-5-thinking',
      stream: false,
      options: options({
        'claude.default_max_tokens': { default: 4000 },
        'claude.thinking_adapter_budget_tokens_percentage': 0.5,
      }),
    };
    expect(writtenFor(anthropic, { model: call.model, messages: [] }, call, channelOf(14))).toEqual({
      model: 'claude-sonnet-4-5',
      messages: [],
      max_tokens: 4000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
    });
  });
});
