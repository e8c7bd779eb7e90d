import { describe, expect, test } from 'vitest';
import { fillRequest } from './fill-request.ts';

const body = { model: 'x', messages: [{ role: 'user', content: 'hi' }] };
const fill = (model: string, beside: object = {}, settings = {}) =>
  fillRequest({ ...body, model, ...beside }, model, settings);

describe('max_tokens, which the format requires', () => {
  test("is the operator's for this model, else the default, else 8192; the caller's own is kept", () => {
    const defaultMaxTokens = { default: 4000, 'claude-3-haiku': 2000 };
    expect(fill('claude-3-haiku', {}, { defaultMaxTokens })).toMatchObject({ max_tokens: 2000 });
    expect(fill('claude-3-opus', {}, { defaultMaxTokens })).toMatchObject({ max_tokens: 4000 });
    expect(fill('m')).toMatchObject({ max_tokens: 8192 });
    const complete = { ...body, max_tokens: 3 };
    expect(fillRequest(complete, 'x', {})).toBe(complete);
  });

  test('leaves room beside a budget for thinking that came without it', () => {
    const thinking = { type: 'enabled', budget_tokens: 16_384 };
    expect(fill('m', { thinking })).toMatchObject({ max_tokens: 24_576, thinking });
  });
});

describe("what the end of a Claude's name asks for", () => {
  test('-thinking thinks with a part of max_tokens, at least 1280 of it, without the knobs that forbid it', () => {
    expect(
      fill('claude-sonnet-4-5-thinking', { max_tokens: 10_001, temperature: 0.2, top_p: 0.9, top_k: 3 }),
    ).toEqual({
      ...body,
      model: 'claude-sonnet-4-5',
      max_tokens: 10_001,
      thinking: { type: 'enabled', budget_tokens: 8000 },
    });
    expect(fill('claude-sonnet-4-5-thinking', { max_tokens: 5 })).toMatchObject({
      max_tokens: 1280,
      thinking: { budget_tokens: 1024 },
    });
    expect(
      fill('claude-3-7-sonnet-20250219-thinking', { max_tokens: 4000 }, { budgetShare: 0.5 }),
    ).toMatchObject({ thinking: { budget_tokens: 2000 } });
  });

  test('-thinking-N thinks with N, and the answer has room behind it', () => {
    expect(fill('claude-sonnet-4-5-thinking-3000', { max_tokens: 100 })).toMatchObject({
      model: 'claude-sonnet-4-5',
      max_tokens: 3256,
      thinking: { type: 'enabled', budget_tokens: 3000 },
    });
  });

  test('models that decide themselves how much to think are told so', () => {
    expect(fill('claude-opus-4-7-thinking', { max_tokens: 4000 })).toMatchObject({
      model: 'claude-opus-4-7',
      thinking: { type: 'adaptive' },
    });
    expect(fill('claude-opus-4-7-xhigh', { max_tokens: 4000 })).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'xhigh' },
    });
  });

  test('-nothinking switches it off', () => {
    expect(fill('claude-sonnet-4-5-nothinking', { temperature: 0.2 })).toMatchObject({
      model: 'claude-sonnet-4-5',
      temperature: 0.2,
      thinking: { type: 'disabled' },
    });
  });

  test('counts less than what the caller says, and nothing where the operator switched it off', () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    expect(fill('claude-sonnet-4-5-thinking', { thinking, max_tokens: 9000 })).toEqual({
      ...body,
      model: 'claude-sonnet-4-5',
      max_tokens: 9000,
      thinking,
    });
    expect(fill('claude-sonnet-4-5-thinking', {}, { readsSuffix: false })).toMatchObject({
      model: 'claude-sonnet-4-5-thinking',
    });
  });

  test('is a part of the name where the model is not a Claude', () => {
    expect(fill('kimi-k2-thinking')).toEqual({ ...body, model: 'kimi-k2-thinking', max_tokens: 8192 });
  });
});
