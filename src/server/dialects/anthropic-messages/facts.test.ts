import { expect, it } from 'vitest';
import { messagesFacts } from './facts.ts';

const held = (body: object): number =>
  messagesFacts({
    model: 'claude-opus-4-6',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
    ...body,
  }).inputTokensEstimate;
const COMPUTER = {
  type: 'computer_20251124',
  name: 'computer',
  display_width_px: 1024,
  display_height_px: 768,
};
const document = (citations: object) => ({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Facts' }, citations },
      ],
    },
  ],
});

it('what the maker adds to a prompt with tools or citations is held for: as recorded, 1921 with a computer', () => {
  const words = held({});
  expect(words).toBeLessThan(100);
  expect(held({ tools: [{ name: 'f', input_schema: { type: 'object' } }] })).toBeGreaterThan(words + 530);
  expect(held({ tools: [COMPUTER] })).toBeGreaterThan(1921);
  expect(held({ tools: [{ type: 'text_editor_20250728', name: 'e' }] })).toBeGreaterThan(words + 1230);
  expect(held(document({ enabled: true })) - held(document({ enabled: false }))).toBeGreaterThanOrEqual(600);
});
