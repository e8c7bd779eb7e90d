import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { embed, embedMany, generateImage, generateSpeech, transcribe } from 'ai';
import OpenAI, { toFile } from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useGateway } from '../faults/use-gateway.ts';
import { startJsonUpstream } from '../providers/json-upstream.ts';

/** Calls of the official clients other than chats: vectors, pictures, sound, lists of models page by page. */

const { start, good } = useGateway();
const MODELS = [
  'text-embedding-3-small',
  'gpt-image-1',
  'dall-e-2',
  'tts-1',
  'gpt-4o-mini-tts',
  'whisper-1',
  'gpt-4o-transcribe',
  'omni-moderation-latest',
  'gpt-3.5-turbo-instruct',
];
/** Google's own call for vectors is answered by upstreams that support it. */
const GEMINI = 24;
const GEMINI_MODEL = 'gemini-embedding-001';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SOUND = Buffer.alloc(8000, 1);

const open = async () => {
  const rig = await start([good({ models: MODELS.join(',') })], {
    ModelRatio: Object.fromEntries(MODELS.map((model) => [model, 1])),
  });
  return {
    rig,
    client: new OpenAI({ baseURL: `${rig.url}/v1`, apiKey: rig.key, maxRetries: 0 }),
    google: new GoogleGenAI({ apiKey: rig.key, httpOptions: { baseUrl: rig.url } }),
    ai: createOpenAI({ baseURL: `${rig.url}/v1`, apiKey: rig.key }),
  };
};

describe('the openai client', () => {
  test('is given vectors, in base64 as it asks for them by itself', async () => {
    const { client } = await open();
    const { data, usage } = await client.embeddings.create({
      model: 'text-embedding-3-small',
      input: ['one', 'two'],
    });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([1536, 1536]);
    expect(usage.prompt_tokens).toBe(2);
  });

  test('is given pictures: drawn, changed, varied, and in a stream', async () => {
    const { client } = await open();
    const prompt = 'a tollgate';
    const drawn = await client.images.generate({ model: 'gpt-image-1', prompt, n: 2 });
    const drawing = PNG.toString('base64');
    expect(drawn.data).toEqual([{ b64_json: drawing }, { b64_json: drawing }]);
    const image = await toFile(PNG, 'gate.png', { type: 'image/png' });
    const edited = await client.images.edit({ model: 'gpt-image-1', image: [image, image], prompt });
    expect(edited.data).toEqual([{ b64_json: drawing }]);
    const varied = await client.images.createVariation({ model: 'dall-e-2', image });
    expect(varied.data).toEqual([{ b64_json: drawing }]);
    const types: string[] = [];
    const events = await client.images.generate({
      model: 'gpt-image-1',
      prompt,
      stream: true,
      partial_images: 1,
    });
    for await (const { type } of events) types.push(type);
    expect(types).toEqual(['image_generation.partial_image', 'image_generation.completed']);
  });

  test('speaks and listens, whole and in streams', async () => {
    const { client } = await open();
    const speech = await client.audio.speech.create({
      model: 'tts-1',
      voice: 'alloy',
      input: 'All is well.',
    });
    expect((await speech.arrayBuffer()).byteLength).toBe(16 * 32 * 1024);
    const file = () => toFile(SOUND, 'said.mp3', { type: 'audio/mpeg' });
    const heard = await client.audio.transcriptions.create({ model: 'whisper-1', file: await file() });
    expect(heard.text).toContain('All is well');
    const text = await client.audio.transcriptions.create({
      model: 'whisper-1',
      file: await file(),
      response_format: 'text',
    });
    expect(text).toContain('All is well');
    const told = await client.audio.translations.create({ model: 'whisper-1', file: await file() });
    expect(told.text).toContain('All is well');
    const events = await client.audio.transcriptions.create({
      model: 'gpt-4o-transcribe',
      file: await file(),
      stream: true,
    });
    const types: string[] = [];
    for await (const { type } of events) types.push(type);
    expect(types).toEqual(['transcript.text.delta', 'transcript.text.done']);
  });

  test('has texts judged, and old completions continued', async () => {
    const { client } = await open();
    const { results } = await client.moderations.create({
      model: 'omni-moderation-latest',
      input: ['a bad word', 'a good one'],
    });
    expect(results.map(({ flagged }) => flagged)).toEqual([true, false]);
    const pieces: string[] = [];
    const stream = await client.completions.create({
      model: 'gpt-3.5-turbo-instruct',
      prompt: 'Say something',
      max_tokens: 8,
      stream: true,
    });
    for await (const { choices } of stream) pieces.push(choices[0]?.text ?? '');
    expect(pieces.join('')).toBe('Good question. In short:\n\n- **');
  });
});

/** As Google answers (ai.google.dev/api/embeddings), in its own format and in OpenAI's. */
const openGoogle = async () => {
  const values = [0.1, 0.2, 0.3];
  const upstream = await startJsonUpstream((path, body) => {
    if (path.includes(':embedContent')) return { embedding: { values } };
    if (path.includes(':batchEmbedContents'))
      return { embeddings: (body['requests'] as unknown[]).map(() => ({ values })) };
    return { object: 'list', data: [{ object: 'embedding', index: 0, embedding: values }] };
  });
  onTestFinished(() => upstream.stop());
  const rig = await start([{ type: GEMINI, baseUrl: upstream.url, models: GEMINI_MODEL }], {
    ModelRatio: { [GEMINI_MODEL]: 1 },
  });
  return { rig, values };
};

describe('a model of Google’s', () => {
  test('gives the google client vectors, one and many', async () => {
    const { rig, values } = await openGoogle();
    const google = new GoogleGenAI({ apiKey: rig.key, httpOptions: { baseUrl: rig.url } });
    const model = GEMINI_MODEL;
    const one = await google.models.embedContent({ model, contents: 'one' });
    expect(one.embeddings).toMatchObject([{ values }]);
    const many = await google.models.embedContent({ model, contents: ['one', 'two'] });
    expect(many.embeddings).toMatchObject([{ values }, { values }]);
  });

  test('gives the ai client vectors, as Google and as OpenAI', async () => {
    const { rig, values } = await openGoogle();
    const google = createGoogleGenerativeAI({ baseURL: `${rig.url}/v1beta`, apiKey: rig.key });
    const openai = createOpenAI({ baseURL: `${rig.url}/v1`, apiKey: rig.key });
    const model = google.embeddingModel(GEMINI_MODEL);
    expect((await embed({ model, value: 'one' })).embedding).toEqual(values);
    expect((await embedMany({ model, values: ['one', 'two'] })).embeddings).toEqual([values, values]);
    const other = openai.embeddingModel(GEMINI_MODEL);
    expect((await embed({ model: other, value: 'one' })).embedding).toEqual(values);
  });
});

describe('the ai client', () => {
  test('is given vectors', async () => {
    const { ai } = await open();
    const model = ai.embeddingModel('text-embedding-3-small');
    expect((await embed({ model, value: 'one' })).embedding).toHaveLength(1536);
    const { embeddings } = await embedMany({ model, values: ['one', 'two'] });
    expect(embeddings.map(({ length }) => length)).toEqual([1536, 1536]);
  });

  test('draws, speaks and listens', async () => {
    const { ai } = await open();
    const drawn = await generateImage({ model: ai.image('gpt-image-1'), prompt: 'a tollgate' });
    expect(drawn.image.mediaType).toBe('image/png');
    const { audio } = await generateSpeech({ model: ai.speech('tts-1'), text: 'All is well.' });
    expect(audio.uint8Array.byteLength).toBe(16 * 32 * 1024);
    const { text } = await transcribe({ model: ai.transcription('whisper-1'), audio: SOUND });
    expect(text).toContain('All is well');
  });
});

test('lists of models come page by page to clients that ask for pages', async () => {
  const { rig, client, google } = await open();
  const anthropic = new Anthropic({ baseURL: rig.url, apiKey: rig.key });
  const names: Record<string, string[]> = { openai: [], anthropic: [], google: [] };
  for await (const { id } of client.models.list()) names['openai']?.push(id);
  for await (const { id } of anthropic.models.list({ limit: 2 })) names['anthropic']?.push(id);
  for await (const { name = '' } of await google.models.list({ config: { pageSize: 2 } }))
    names['google']?.push(name.replace('models/', ''));
  const all = MODELS.toSorted();
  expect(names).toEqual({ openai: all, anthropic: all, google: all });
  expect((await client.models.retrieve('whisper-1')).id).toBe('whisper-1');
  expect((await anthropic.models.retrieve('whisper-1')).id).toBe('whisper-1');
  await expect(anthropic.models.retrieve('nothing')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  await expect(client.models.retrieve('nothing')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  await expect(google.models.get({ model: 'nothing' })).rejects.toMatchObject({ status: 404 });
});
