import { expect, it } from 'vitest';
import { vendorOf } from './vendors.ts';

it('finds the maker of a model by its name', () => {
  const names = ['gpt-4o-mini', 'openai/o3', 'claude-sonnet-4', 'gemini-2.5-pro', 'deepseek-chat', 'my-own'];
  expect(names.map((name) => vendorOf(name).name)).toEqual([
    'OpenAI',
    'OpenAI',
    'Anthropic',
    'Google',
    'DeepSeek',
    '',
  ]);
});
