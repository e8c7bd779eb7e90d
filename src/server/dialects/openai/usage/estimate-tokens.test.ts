import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { partsOf } from '#core/json/body-parts.ts';
import { surveyJson } from '#core/json/bounds.ts';
import { KnownParts } from '#core/json/known-parts.ts';
import { estimateTokens, measurePrompt } from './estimate-tokens.ts';

it('a known message has the estimate it had before', () => {
  const known = new KnownParts((bytes) => hash('sha256', bytes, 'base64'), []);
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } };
  const messages = [
    { role: 'user', content: 'é'.repeat(5000) },
    { role: 'user', content: [picture, { type: 'text', text: 'what is it?' }, 7] },
  ];
  const bytes = Buffer.from(JSON.stringify({ messages }));
  for (let call = 0; call < 3; call += 1) {
    const parts = partsOf(known, bytes);
    const read = parts?.read(surveyJson(bytes, undefined, parts))?.body['messages'];
    expect(read).toEqual(messages);
    expect(estimateTokens(read)).toBe(estimateTokens(messages));
    // Deeper than at first it is counted anew.
    expect(estimateTokens([read])).toBe(estimateTokens([messages]));
  }
});

it('a document in the part of Mistral has the tokens of a file, not those of its base64 as text', () => {
  const data = `data:application/pdf;base64,${'A'.repeat(300_000)}`;
  const asked = (part: object) => measurePrompt([{ role: 'user', content: [part] }]);
  const file = asked({ type: 'input_file', file_data: data });
  expect(asked({ type: 'document_url', document_url: data }).tokens).toBeLessThan(1.01 * file.tokens);
  expect(asked({ type: 'document_url', document_url: 'https://example.com/a.pdf' }).most).toBeUndefined();
});
