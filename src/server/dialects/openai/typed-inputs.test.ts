import { describe, expect, it } from 'vitest';
import { openaiEmbeddings } from '../openai-embeddings/openai-embeddings.ts';
import { rerank } from '../rerank/rerank.ts';

/** Inputs of embeddings and rerankers name no type, and still are pictures, sound, films and files. */

const ADDRESS = 'https://files.example/one';
/** The head of a PNG of 4000 × 4000 pixels, without `data:` before it, as these upstreams take it. */
const PICTURE = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000fa000000fa00802000000'.padEnd(120, '0'),
  'hex',
).toString('base64');

const embedded = (inputs: readonly object[]) => openaiEmbeddings.facts({ model: 'jina', input: inputs });
const ranked = (documents: readonly object[]) => rerank.facts({ model: 'jina', query: 'one', documents });
const asked = ([query]: readonly object[]) => rerank.facts({ model: 'jina', query, documents: ['one'] });

describe.each([
  ['vectors', embedded],
  ['documents to rank', ranked],
  ['a question to rank by', asked],
])('%s', (_, factsOf) => {
  it.each([
    ['image', { type: 'image_url', image_url: ADDRESS }],
    ['url', { type: 'image_url', image_url: ADDRESS }],
    ['audio', { type: 'audio_url', audio_url: ADDRESS }],
    ['video', { type: 'video_url', video_url: ADDRESS }],
    ['pdf', { type: 'file', file: { file_data: ADDRESS } }],
  ])('are held with an %s as a chat with one is', (field, part) => {
    const [own, typed] = [factsOf([{ [field]: ADDRESS }]), factsOf([part])];
    expect(own.promptTokensMost).toBeUndefined();
    expect(own.inputTokensEstimate).toBeGreaterThan(400);
    expect(Math.abs(own.inputTokensEstimate - typed.inputTokensEstimate)).toBeLessThan(20);
    expect([own.morePictureTokens, own.mayFillContext]).toEqual([
      typed.morePictureTokens,
      typed.mayFillContext,
    ]);
  });

  it('have the pictures that are sent along, and the text beside them', () => {
    const { pictureTokens, inputTokensEstimate } = factsOf([{ image: PICTURE, text: 'word '.repeat(1000) }]);
    expect(pictureTokens).toBe(20_449);
    expect(inputTokensEstimate).toBeGreaterThan(20_449 + 2000);
  });
});

it('a word stays a word, and what has a type is what it says', () => {
  const [words, typed] = [embedded([{ text: 'image' }]), embedded([{ type: 'text', image: 'one' }])];
  expect([words.pictureTokens, typed.pictureTokens]).toEqual([undefined, undefined]);
});
