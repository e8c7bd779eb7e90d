import { expect, test } from 'vitest';
import { openaiCompletions } from '../../dialects/openai-completions/openai-completions.ts';
import { openaiEmbeddings } from '../../dialects/openai-embeddings/openai-embeddings.ts';
import { chargeOf, newMeter, note } from './meter.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
/** What every prompt has beside its text, by our own count. */
const MARKUP = 8;

test.each([
  ['one text of a completion', openaiCompletions.facts({ model: 'm', prompt: numbers(4000) })],
  ['several', openaiCompletions.facts({ model: 'm', prompt: [numbers(1000), numbers(3000)] })],
  ['a text to embed', openaiEmbeddings.facts({ model: 'm', input: numbers(4000) })],
  ['several to embed', openaiEmbeddings.facts({ model: 'm', input: [numbers(1000), numbers(3000)] })],
])('token numbers are paid one by one where no usage is told: %s', (_, facts) => {
  const meter = newMeter();
  note(meter, { content: true, done: true });
  const charge = chargeOf(meter, facts);
  expect(charge).toMatchObject({ usage: { inputTokens: 4000 + MARKUP } });
});
