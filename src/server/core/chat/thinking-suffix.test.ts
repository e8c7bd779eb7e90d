import { expect, test } from 'vitest';
import { readThinkingSuffix } from './thinking-suffix.ts';

test.each([
  ['claude-opus-4-1-thinking', 'claude-opus-4-1', { enabled: true }],
  ['claude-opus-4-1-thinking-2048', 'claude-opus-4-1', { enabled: true, budgetTokens: 2048 }],
  ['claude-3-7-sonnet-20250219-nothinking', 'claude-3-7-sonnet-20250219', { enabled: false }],
  ['claude-opus-4-7-xhigh', 'claude-opus-4-7', { effort: 'xhigh' }],
  ['gemini-2.5-flash-thinking-0', 'gemini-2.5-flash', { enabled: true, budgetTokens: 0 }],
])('%s is %s that is asked to think like %j', (name, model, reasoning) => {
  expect(readThinkingSuffix(name)).toEqual({ model, reasoning });
});

test.each([
  'claude-opus-4-1',
  'thinking',
  '-thinking',
  'claude-thinking-x',
  'gpt-4o',
  'claude-thinking-12345678',
])('%s asks for nothing', (name) => {
  expect(readThinkingSuffix(name)).toBeUndefined();
});
