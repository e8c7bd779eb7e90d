import { describe, expect, test } from 'vitest';
import { plainWorkIn } from '../unpriced-work.ts';
import { geminiEmbeddings } from './gemini-embeddings.ts';

const content = { parts: [{ text: 'hello world' }] };

describe("Gemini's embeddings", () => {
  test('one and many name their model by the path, and are bounded', () => {
    expect(geminiEmbeddings.facts({ model: 'e', content })).toMatchObject({
      model: 'e',
      stream: false,
      maxOutputTokens: 0,
      inputTokensEstimate: 28,
    });
    const requests = [
      { content },
      { content: { parts: [{ inline_data: { mime_type: 'image/png', data: 'AA' } }] } },
    ];
    expect(geminiEmbeddings.facts({ model: 'e', requests }).inputTokensEstimate).toBeGreaterThan(2000);
    expect(() => geminiEmbeddings.facts({ model: 'e' })).toThrow("'content'");
    expect(() =>
      geminiEmbeddings.facts({ model: 'e', requests: Array.from({ length: 2049 }, () => ({})) }),
    ).toThrow("'requests'");
  });

  test('the size that is asked for decides how many fit into an answer, wherever it stands', () => {
    const of = (size: object) => ({
      model: 'gemini-embedding-2',
      requests: Array.from({ length: 2000 }, () => ({ content, ...size })),
    });
    expect(() => geminiEmbeddings.facts(of({}))).toThrow('3072 numbers');
    for (const size of [
      { outputDimensionality: 768 },
      { embedContentConfig: { outputDimensionality: 768 } },
      { embed_content_config: { output_dimensionality: 768 } },
    ])
      expect(geminiEmbeddings.facts(of(size)).model).toBe('gemini-embedding-2');
  });

  test('usage is what Google tells, else the text counted', () => {
    const usageMetadata = {
      promptTokenCount: 261,
      promptTokensDetails: [{ modality: 'IMAGE', tokenCount: 258 }],
    };
    expect(geminiEmbeddings.tapWhole({ embeddings: [{ values: [0.1] }], usageMetadata })).toMatchObject({
      content: true,
      usage: { inputTokens: 3, imageInputTokens: 258 },
    });
    expect(geminiEmbeddings.tapWhole({ embedding: { values: [0.1] } })).toEqual({ content: true });
    expect(geminiEmbeddings.usageWithoutReport?.({ model: 'e', content }, {})).toMatchObject({
      inputTokens: 6,
      estimated: true,
    });
  });

  test('a film or a document of many bytes is held and counted as the longest that is embedded', () => {
    const of = (mimeType: string, bytes: number) => {
      const data = 'A'.repeat(bytes);
      const body = { model: 'e', content: { parts: [{ inlineData: { mimeType, data } }] } };
      const counted = geminiEmbeddings.usageWithoutReport?.(body, {}).inputTokens ?? 0;
      return [geminiEmbeddings.facts(body).inputTokensEstimate, counted];
    };
    const [film, document] = [of('video/mp4', 9_000_000), of('application/pdf', 9_000_000)];
    for (const [[held = 0, counted = 0], most] of [
      [film, 36_000],
      [document, 12_000],
    ] as const) {
      expect(held).toBeGreaterThanOrEqual(most);
      expect(held).toBeLessThan(most + 100);
      expect(counted).toBeLessThan(most / 2 + 50);
    }
    expect(of('application/pdf', 10_000)[0]).toBeLessThan(6000);
  });

  test.each([
    ['content.parts.1', { content: { parts: [{ text: 'a' }, { inlineData: { mimeType: 'video/mp4' } }] } }],
    [
      'requests.1.content.parts.0',
      { requests: [{ content: {} }, { content: { parts: [{ inline_data: { mime_type: 'VIDEO/mp4' } }] } }] },
    ],
    [undefined, { content: { parts: [{ inlineData: { mimeType: 'audio/mp3' } }] } }],
  ])('a film is work without a price: %s', (field, body) => {
    expect(plainWorkIn({ model: 'e', ...body })).toBe(field);
  });

  test('an error under status 200 counts as an error', () => {
    const error = { code: 404, message: 'models/x is not found', status: 'NOT_FOUND' };
    expect(geminiEmbeddings.tapWhole({ error }).error?.upstream).toMatchObject({ type: 'NOT_FOUND' });
  });
});
