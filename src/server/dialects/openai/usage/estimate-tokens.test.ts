import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { partsOf } from '#core/json/body-parts.ts';
import { surveyJson } from '#core/json/bounds.ts';
import { KnownParts } from '#core/json/known-parts.ts';
import { estimateTokens } from './estimate-tokens.ts';

it('a message that came before weighs what it did', () => {
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
