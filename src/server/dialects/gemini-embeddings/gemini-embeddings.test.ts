import { describe, expect, test } from 'vitest';
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

  test('an error under status 200 is one', () => {
    const error = { code: 404, message: 'models/x is not found', status: 'NOT_FOUND' };
    expect(geminiEmbeddings.tapWhole({ error }).error?.upstream).toMatchObject({ type: 'NOT_FOUND' });
  });
});
