import { describe, expect, test } from 'vitest';
import type { Fields } from '#core/json/fields.ts';
import { openaiImages } from './openai-images.ts';

const factsOf = (body: object) => openaiImages.facts({ prompt: 'a', ...body });

describe('what a picture costs', () => {
  const dear = { model: 'dall-e-3' };
  test.each([
    ['large', { ...dear, size: '1792x1024' }, 2],
    ['large in an object', { ...dear, size: '1024x1024', extra_body: { size: '1792x1024' } }, 2],
    ['large under another spelling', { ...dear, size: '1024x1024', parameters: { Size: '1792 × 1024' } }, 2],
    ['fine in an object', { ...dear, extra_body: { quality: 'HD' } }, 2],
    ['fine and large, each elsewhere', { ...dear, quality: 'hd', input: { size: '1024x1792' } }, 3],
    ['a size nobody knows', { model: 'dall-e-2', size: '4096x4096' }, 2],
    ['a quality nobody knows', { ...dear, quality: 'ultra' }, 2],
    ['a quality that is a word of every object', { ...dear, quality: 'constructor' }, 2],
    ['a size that is a word of every object', { ...dear, size: '__proto__', constructor: 'a' }, 2],
    ['no word', { ...dear, extra_body: { size: { width: 2 } } }, 2],
    ['what says nothing', { ...dear, size: 'auto', quality: 'standard' }, 1],
    ['a file beside it', { ...dear, $files: [{ size: 4096, name: 'a.png' }] }, 1],
    ['small', { model: 'dall-e-2', size: '256x256' }, 0.4],
    ['several, counted deep in objects', { ...dear, extra_body: { parameters: { num_images: 3 } } }, 3],
    [
      'a series in an object',
      { model: 'x', extraBody: { sequential_image_generation_options: { max_images: 5 } } },
      5,
    ],
  ])('%s', (_, body, factor) => expect(factsOf(body).callFactor).toBe(factor));

  test.each([
    ['usual', {}, 1056],
    ['low', { quality: 'low' }, 272],
    ['high in an object beside low', { quality: 'low', extra_body: { quality: 'high' } }, 4160],
    ['a quality nobody knows', { quality: 'ultra' }, 7024],
    ['of the best quality there is', { quality: 'max' }, 7024],
    ['not square', { size: '1536x1024' }, 1584],
    ['a size nobody knows', { quality: 'low', size: 'giant' }, 408],
    ['large and square', { size: '2048x2048' }, 4224],
    ['as large as may be', { quality: 'low', size: '3840x2160' }, 2152],
    ['shown three times before it is done', { quality: 'low', stream: true, partial_images: 3 }, 572],
    ['shown twice, asked for in a form', { quality: 'low', partial_images: '2' }, 472],
    ['shown more often than any is', { quality: 'low', partial_images: 1e9 }, 572],
  ])('tokens of one that is %s', (_, body, tokens) =>
    expect(factsOf({ model: 'gpt-image-1', ...body }).maxOutputTokens).toBe(tokens),
  );
});

const file = { size: 4096, name: 'a.png' };
const url = { image_url: 'https://example.com/a.png' };

describe('a picture that is sent along', () => {
  test.each<[string, Fields, number]>([
    ['usual', { model: 'gpt-image-1', $files: [file] }, 1000],
    ['one of several', { model: 'gpt-image-1', $files: [file, file, file] }, 3000],
    ['to be kept as it is', { model: 'gpt-image-1', input_fidelity: 'high', $files: [file, file] }, 14_480],
    ['of a model that always keeps it', { model: 'openai/gpt-image-2.6-sunburst', $files: [file] }, 7240],
    [
      'of a model that never does',
      { model: 'gpt-image-1-mini', input_fidelity: 'high', $files: [file] },
      1000,
    ],
    ['at an address, in JSON', { model: 'gpt-image-1', images: [url, url], mask: url }, 3000],
    ['in JSON alone', { model: 'flux', image: 'data:image/png;base64,AAAA' }, 1000],
  ])('is held for: %s', (_, body, tokens) => {
    expect(factsOf(body)).toMatchObject({ pictureTokens: tokens });
    expect(factsOf(body).inputTokensEstimate).toBe(16 + 1 + tokens);
  });

  test('is none where none is', () => {
    expect(factsOf({ model: 'gpt-image-2', image: null, images: [] }).pictureTokens).toBeUndefined();
  });
});
