import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Rig } from '../faults/rig.ts';
import { useGateway } from '../faults/use-gateway.ts';

const { start, good, simulator } = useGateway();

const MODELS =
  'dall-e-3,dall-e-2,gpt-image-1,gpt-image-1.5,tts-1,tts-cut,tts-slow,gpt-4o-mini-tts,whisper-1,gpt-4o-transcribe,omni,rank,e';
const OPTIONS = {
  ModelRatio: {
    'gpt-image-1': 2,
    'gpt-image-1.5': 1,
    'tts-1': 1,
    'tts-cut': 1,
    'tts-slow': 1,
    'gpt-4o-mini-tts': 1,
    'whisper-1': 1,
    'gpt-4o-transcribe': 1,
    omni: 1,
    rank: 1,
    e: 1,
    'omni-moderation-latest': 1,
  },
  CompletionRatio: {
    'gpt-image-1': 4,
    'gpt-image-1.5': 1,
    'gpt-4o-transcribe': 2,
    'gpt-4o-mini-tts': 3,
    e: 2,
  },
  ModelPrice: { 'dall-e-3': 0.04, 'dall-e-2': 0.02 },
};
const open = (): Promise<Rig> => start([good({ models: `${MODELS},omni-moderation-latest` })], OPTIONS);

const post = (rig: Rig, path: string, body: object | FormData): Promise<Response> =>
  fetch(`${rig.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${rig.key}`,
      ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });

const form = (fields: Readonly<Record<string, string | Blob>>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};

interface Row {
  readonly type: number;
  readonly quota: number;
  readonly other: Readonly<Record<string, unknown>>;
}

const settled = async (rig: Rig): Promise<Row> => {
  await expect.poll(() => rig.openHolds()).toBe(0);
  const row = (await rig.logs()).at(-1)!;
  return { ...row, other: JSON.parse(row.other) as Row['other'] };
};

/** A WAV file of the given length in seconds, at 8 KB a second. */
const wav = (seconds: number): Blob => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(8, 34);
  return new Blob([head, Buffer.alloc(8000 * seconds - 44)], { type: 'audio/wav' });
};

describe('pictures', () => {
  test.each([
    [{ model: 'dall-e-3' }, 20_000],
    // Without a model, the one that OpenAI's reference names: 50 in, 1056 out.
    [{}, 50 + 1056],
    [{ model: 'dall-e-3', size: '1792x1024' }, 40_000],
    [{ model: 'dall-e-3', quality: 'hd' }, 40_000],
    [{ model: 'dall-e-3', size: '1024x1792', quality: 'hd' }, 60_000],
    [{ model: 'dall-e-2', size: '256x256', n: 3 }, 12_000],
    // 10 of text at ratio 2, 40 of pictures at the same, 1056 out at 4 times that.
    [{ model: 'gpt-image-1', quality: 'medium' }, 100 + 1056 * 8],
  ])('%j cost %i units', async (body, units) => {
    const rig = await open();
    const response = await post(rig, '/v1/images/generations', { prompt: 'a cat', ...body });
    expect(response.status).toBe(200);
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength('n' in body ? body.n : 1);
    expect((await settled(rig)).quota).toBe(units);
  });

  test('a form is sent as it came, except for the name of the model', async () => {
    const rig = await start([good({ models: 'picture', modelMapping: '{"picture":"gpt-image-1"}' })], {
      ModelRatio: { picture: 1 },
      CompletionRatio: { picture: 1 },
    });
    const image = new Blob([readFileSync(import.meta.filename)], { type: 'image/png' });
    const response = await post(
      rig,
      '/v1/images/edits',
      form({ model: 'picture', prompt: 'greener', n: '2', image }),
    );
    expect(response.status).toBe(200);
    expect((await settled(rig)).quota).toBe(50 + 2 * 1056);
    const { last } = await simulator().calls();
    expect(last?.body).toMatchObject({ model: 'gpt-image-1', prompt: 'greener', n: '2' });
  });

  test('streamed, they cost what their last event says', async () => {
    const rig = await open();
    const response = await post(rig, '/v1/images/generations', {
      model: 'gpt-image-1',
      prompt: 'a cat',
      stream: true,
    });
    expect(await response.text()).toMatch(/partial_image.*image_generation\.completed/s);
    expect((await settled(rig)).quota).toBe(100 + 1056 * 8);
  });

  test('too many at once are refused by the field before anything is held', async () => {
    const rig = await open();
    const response = await post(rig, '/v1/images/generations', { model: 'dall-e-2', prompt: 'x', n: 1e9 });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: 'n' } });
    expect((await rig.balance()).used).toBe(0);
  });
});

describe('pictures whose quality is left to the upstream', () => {
  const asked = { model: 'gpt-image-1', prompt: 'a fox' };

  test('are held for at the most expensive quality and size', async () => {
    const rig = await open();
    expect((await post(rig, '/v1/images/generations', asked)).status).toBe(200);
    expect((await settled(rig)).other['hold_units']).toBeGreaterThanOrEqual(6240 * 8);
    const said = { ...asked, quality: 'low', size: '1024x1024' };
    expect((await post(rig, '/v1/images/generations', said)).status).toBe(200);
    expect((await settled(rig)).other['hold_units']).toBeLessThan(272 * 8 + 200);
  });

  test('are made for a payer who can afford the usual ones', async () => {
    const rig = await start([good({ models: MODELS })], OPTIONS, 9000);
    expect((await post(rig, '/v1/images/generations', asked)).status).toBe(200);
    expect((await settled(rig)).other['hold_units']).toBe(9000);
    const poor = await start([good({ models: MODELS })], OPTIONS, 8000);
    expect((await post(poor, '/v1/images/generations', asked)).status).toBe(403);
  });
});

describe('sound', () => {
  test('speech comes as bytes with their type and costs its characters', async () => {
    const rig = await open();
    const response = await post(rig, '/v1/audio/speech', {
      model: 'tts-1',
      input: '你好, Wörld',
      voice: 'alloy',
    });
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect((await response.arrayBuffer()).byteLength).toBe(16 * 32 * 1024);
    const { quota, other } = await settled(rig);
    expect(quota).toBe(9);
    expect(other['usage']).toMatchObject({ inputTokens: 9, estimated: true });
  });

  test('speech as events costs what its last event says', async () => {
    const rig = await open();
    const body = { model: 'gpt-4o-mini-tts', input: 'hi', voice: 'alloy', stream_format: 'sse' };
    expect(await (await post(rig, '/v1/audio/speech', body)).text()).toContain('speech.audio.done');
    expect((await settled(rig)).quota).toBe(14 + 101 * 3);
  });

  test.each([
    // Four bytes a token of text, five tokens of sound for four letters, and four for a syllable; sound is paid threefold.
    ['a'.repeat(80), {}, 20 + 3 * 100],
    ['好'.repeat(20), {}, 15 + 3 * 80],
    ['a'.repeat(80), { instructions: 'b'.repeat(40) }, 30 + 3 * 100],
  ])(
    'speech of a model that is paid by its sound costs that also where it comes as bytes',
    async (input, more, units) => {
      const rig = await open();
      const body = { model: 'gpt-4o-mini-tts', input, voice: 'alloy', ...more };
      expect((await post(rig, '/v1/audio/speech', body)).headers.get('content-type')).toBe('audio/mpeg');
      const { quota, other } = await settled(rig);
      expect(quota).toBe(units);
      expect(other['hold_units']).toBeGreaterThanOrEqual(2 * units);
    },
  );

  test('speech as events is held for before the upstream is asked', async () => {
    const rig = await open();
    const body = { model: 'gpt-4o-mini-tts', input: 'hi', voice: 'alloy', stream_format: 'sse' };
    await (await post(rig, '/v1/audio/speech', body)).text();
    const { quota, other } = await settled(rig);
    expect(other['hold_units']).toBeGreaterThanOrEqual(quota - 14);
  });

  test('cut off in the middle, the caller is cut off too, and pays for the text', async () => {
    const rig = await open();
    const response = await post(rig, '/v1/audio/speech', { model: 'tts-cut', input: 'hello', voice: 'a' });
    await expect(response.arrayBuffer()).rejects.toThrow();
    const { type, quota } = await settled(rig);
    expect([type, quota]).toEqual([2, 5]);
  });

  test('the upstream stops when the caller leaves', async () => {
    const rig = await open();
    const leave = new AbortController();
    const response = await fetch(`${rig.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tts-slow', input: 'hello', voice: 'a' }),
      signal: leave.signal,
    });
    expect(response.status).toBe(200);
    leave.abort();
    await expect.poll(async () => (await simulator().calls()).open).toBe(0);
    expect((await settled(rig)).quota).toBe(5);
  });

  test.each([
    // The upstream reports 30 seconds of sound.
    [{ model: 'whisper-1' }, 500, /"text"/],
    [{}, 500, /"text"/],
    // Plain text does not state the length, but the file does: 6 seconds.
    [{ model: 'whisper-1', response_format: 'text' }, 100, /^All is well/],
    [{ model: 'gpt-4o-transcribe' }, 14 + 9 * 2, /"text"/],
    [{ model: 'gpt-4o-transcribe', stream: 'true' }, 14 + 9 * 2, /transcript\.text\.done/],
  ])('a transcript of %j costs %i', async (fields, units, said) => {
    const rig = await open();
    const response = await post(rig, '/v1/audio/transcriptions', form({ file: wav(6), ...fields }));
    expect(await response.text()).toMatch(said);
    expect((await settled(rig)).quota).toBe(units);
  });

  test('a broken form is refused in the shape OpenAI has for it', async () => {
    const rig = await open();
    const response = await fetch(`${rig.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-1',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });
});

describe('the rest', () => {
  test('rerank costs what its upstream counts', async () => {
    const rig = await open();
    const documents = ['the capital of France', 'the price of tea'];
    const response = await post(rig, '/v1/rerank', { model: 'rank', query: 'price', documents, top_n: 1 });
    const { results, usage } = (await response.json()) as {
      results: { index: number }[];
      usage: { total_tokens: number };
    };
    expect(results.map(({ index }) => index)).toEqual([1]);
    expect((await settled(rig)).quota).toBe(usage.total_tokens);
  });

  test('moderations without a model go to the one that is meant, counted by their text', async () => {
    const rig = await open();
    const response = await post(rig, '/v1/moderations', { input: 'something bad'.repeat(10) });
    expect(await response.json()).toMatchObject({
      model: 'omni-moderation-latest',
      results: [{ flagged: true }],
    });
    const { quota, other } = await settled(rig);
    expect(quota).toBeGreaterThan(20);
    expect(other['usage']).toMatchObject({ estimated: true });
  });

  test('edits cost what their upstream reports', async () => {
    const rig = await open();
    const response = await post(rig, '/v1/edits', { model: 'e', input: 'Hello', instruction: 'Add a mark' });
    expect(await response.json()).toMatchObject({ choices: [{ text: 'Hello!' }] });
    expect((await settled(rig)).quota).toBe(20 + 5 * 2);
  });

  test('a kind of channel that does not offer a call is not asked', async () => {
    const rig = await start([good({ type: 43, models: 'rank' })], OPTIONS);
    const response = await post(rig, '/v1/rerank', { model: 'rank', query: 'q', documents: ['d'] });
    expect(response.status).toBe(501);
    expect((await simulator().calls()).count).toBe(0);
  });
});
