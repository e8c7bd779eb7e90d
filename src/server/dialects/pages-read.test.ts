import { expect, it } from 'vitest';
import { messagesFacts } from './anthropic-messages/facts.ts';
import { facts as geminiFacts } from './gemini/facts.ts';

/** A prompt grows by the pages that an upstream reads for its model: they are held like a document. */

const asked = {
  model: 'm',
  messages: [{ role: 'user', content: 'Read it' }],
  contents: [{ parts: [{ text: 'Read it' }] }],
};
const cases = [
  // Beside what any tool adds to a prompt there.
  ['Messages', messagesFacts, { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }, 600],
  ['Gemini', geminiFacts, { tools: [{ urlContext: {} }] }, 100],
  ['Gemini in the other case', geminiFacts, { tools: [{ url_context: {} }] }, 100],
] as const;

it.each(cases)('%s: the tool that reads pages is held for', (_, factsOf, tools, besideMost) => {
  const without = factsOf(asked).inputTokensEstimate;
  const more = factsOf({ ...asked, ...tools }).inputTokensEstimate - without;
  expect(more).toBeGreaterThanOrEqual(10_000);
  expect(more).toBeLessThan(10_000 + besideMost);
});
