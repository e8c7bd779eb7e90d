import { expect, it } from 'vitest';
import { sentEffort } from './outgoing.ts';

it.each([
  ['a chat', { reasoning_effort: 'high' }, 'high'],
  ['a response', { reasoning: { effort: 'minimal', summary: 'auto' } }, 'minimal'],
  ['a message', { output_config: { effort: 'max' } }, 'max'],
  ['Gemini', { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } }, 'low'],
  ['Claude at Bedrock', { additionalModelRequestFields: { output_config: { effort: 'low' } } }, 'low'],
  ['nothing', { model: 'm' }, undefined],
  ['no word', { reasoning_effort: 3, reasoning: 'x', output_config: null }, undefined],
  ['more than a word', { reasoning_effort: 'x'.repeat(21) }, undefined],
])('the effort of %s', (_, body, effort) => {
  expect(sentEffort(body)).toBe(effort);
});
