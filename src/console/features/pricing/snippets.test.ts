import { expect, it } from 'vitest';
import { snippet } from './snippets.ts';

const of = (model: string, kind: Parameters<typeof snippet>[1]['kind'] = 'chat') => ({
  model,
  kind,
  address: 'https://gate.example',
});

it('can be pasted and run, also if the name contains quotes', () => {
  expect(snippet('curl', of("it's"))).toBe(
    [
      String.raw`curl https://gate.example/v1/chat/completions \ `.trimEnd(),
      String.raw`  -H "Authorization: Bearer $API_KEY" \ `.trimEnd(),
      String.raw`  -H 'Content-Type: application/json' \ `.trimEnd(),
      String.raw`  -d '{"model":"it'\''s","messages":[{"role":"user","content":"Hello"}]}'`,
    ].join('\n'),
  );
  expect(snippet('python', of('gpt-4o'))).toContain('    messages=[{"role": "user", "content": "Hello"}],');
  expect(snippet('python', of('a":b,"c'))).toContain(String.raw`    model="a\":b,\"c",`);
  expect(snippet('javascript', of('a"b'))).toContain(String.raw`  model: "a\"b",`);
});

it('fits the kind of the model; kinds that need more than text have none', () => {
  expect(snippet('curl', of('text-embedding-3', 'embedding'))).toContain('/v1/embeddings');
  expect(snippet('python', of('gpt-image-1', 'image'))).toContain('client.images.generate(');
  expect(snippet('curl', of('whisper-1', 'transcription'))).toBeUndefined();
  expect(snippet('curl', of('mj_imagine', 'image'))).toBeUndefined();
});
