import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { transcriptionTokens } from '../../src/server/dialects/openai-audio/transcriptions.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/**
 * Transcription at xAI (docs.x.ai/developers: model-capabilities/audio/speech-to-text, a form with the file at the end) and
 * realtime conversations (model-capabilities/audio/voice-agent: OpenAI's events, paid by the minute of sound, so that
 * answers report no tokens).
 */

const HEARD = {
  text: 'All is well.',
  language: 'English',
  duration: 2.5,
  words: [{ text: 'All', start: 0.1, end: 0.3, speaker: 0 }],
};
/** Half a second: 24 000 samples of two bytes a second. */
const SOUND = Buffer.alloc(24_000).toString('base64');

const seen: { readonly path: string; readonly key: string | undefined; readonly form: [string, string][] }[] =
  [];
const upstream = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    void new Response(Buffer.concat(chunks), { headers }).formData().then(async (form) => {
      const fields: [string, string][] = [];
      for (const [name, value] of form)
        fields.push([
          name,
          typeof value === 'string' ? value : `${value.name} ${value.type} ${await value.text()}`,
        ]);
      seen.push({ path: request.url ?? '', key: request.headers.authorization, form: fields });
      const isKnown = form.get('model') !== 'nobody';
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
      const refusal = {
        code: 'Some requested entity was not found',
        error: 'The model nobody does not exist.',
      };
      response.end(JSON.stringify(isKnown ? HEARD : refusal));
    });
  });
});
const sockets = new WebSocketServer({ server: upstream });
sockets.on('connection', (socket, request) => {
  seen.push({ path: request.url ?? '', key: request.headers.authorization, form: [] });
  socket.send(JSON.stringify({ type: 'conversation.created', conversation: { id: 'conv_1' } }));
  socket.on('message', (data: Buffer) => {
    if ((JSON.parse(data.toString()) as Json)['type'] !== 'response.create') return;
    const said = (type: string, fields: Json): void => socket.send(JSON.stringify({ type, ...fields }));
    said('response.created', { response: { id: 'r', object: 'realtime.response', status: 'in_progress' } });
    said('response.output_audio.delta', { response_id: 'r', item_id: 'i', delta: SOUND });
    said('response.done', { response: { id: 'r', object: 'realtime.response', status: 'completed' } });
  });
});

let rig: Rig;
beforeAll(async () => {
  const baseUrl = await listening(upstream);
  const names = { hears: 'grok-voice-transcribe-2.0', deaf: 'nobody', talks: 'grok-voice-latest' };
  rig = await startRig(
    Object.entries(names).map(([models, model]) => ({
      type: 48,
      baseUrl,
      encryptedKey: 'xai-key',
      models,
      modelMapping: JSON.stringify({ [models]: model }),
    })),
    { ModelRatio: { hears: 1, deaf: 1, talks: 1 }, CompletionRatio: { talks: 1 }, RetryTimes: 0 },
  );
});
afterAll(async () => {
  await rig.stop();
  sockets.close();
  await new Promise((resolve) => upstream.close(resolve));
});
beforeEach(() => void (seen.length = 0));

const hear = async (fields: readonly (readonly [string, string | File])[]) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const headers = { authorization: `Bearer ${rig.key}` };
  const answer = await fetch(`${rig.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
  return { status: answer.status, body: (await answer.json()) as Json };
};
const file = new File(['RIFF all is well'], 'a "b".wav', { type: 'audio/wav' });
const lastRow = async () => {
  await expect.poll(rig.openHolds).toBe(0);
  return (await rig.logs()).at(-1);
};

test('a sound goes to its place behind all fields that are known there, and is paid by its seconds', async () => {
  const said = await hear([
    ['file', file],
    ['model', 'hears'],
    ['language', 'en'],
    ['temperature', '0'],
    ['keyterm', 'well'],
  ]);
  expect(said).toEqual({
    status: 200,
    body: { text: 'All is well.', usage: { type: 'duration', seconds: 2.5 } },
  });
  expect(seen).toEqual([
    {
      path: '/v1/stt',
      key: 'Bearer xai-key',
      form: [
        ['model', 'grok-voice-transcribe-2.0'],
        ['language', 'en'],
        ['keyterm', 'well'],
        ['file', 'a _b_.wav audio/wav RIFF all is well'],
      ],
    },
  ]);
  expect((await lastRow())?.quota).toBe(transcriptionTokens(2.5));
});

test('verbose transcripts have the fields of OpenAI’s format', async () => {
  const { body } = await hear([
    ['model', 'hears'],
    ['response_format', 'verbose_json'],
    ['file', file],
  ]);
  expect(body).toMatchObject({
    task: 'transcribe',
    language: 'English',
    duration: 2.5,
    words: [{ word: 'All', start: 0.1, end: 0.3, speaker: 0 }],
  });
});

test.each([
  ['response_format', 'srt'],
  ['stream', 'true'],
])('%s %s is refused by its name, and nothing is sent', async (name, value) => {
  const said = await hear([
    ['model', 'hears'],
    [name, value],
    ['file', file],
  ]);
  expect(said).toMatchObject({ status: 400, body: { error: { param: name } } });
  expect(seen).toEqual([]);
});

test('its refusals are passed on in its words', async () => {
  const said = await hear([
    ['model', 'deaf'],
    ['file', file],
  ]);
  expect([said.status, JSON.stringify(said.body)]).toEqual([404, expect.stringContaining('does not exist')]);
});

test('a realtime conversation works, and is charged by its sound', async () => {
  const address = `${rig.url.replace('http', 'ws')}/v1/realtime?model=talks`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${rig.key}` } });
  const types: unknown[] = [];
  socket.on('message', (data: Buffer) => void types.push((JSON.parse(data.toString()) as Json)['type']));
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'response.create' }));
  await expect.poll(() => types).toContain('response.done');
  socket.close();
  expect(types[0]).toBe('conversation.created');
  expect(seen).toEqual([{ path: '/v1/realtime?model=grok-voice-latest', key: 'Bearer xai-key', form: [] }]);
  // Half a second at 833 tokens a minute.
  expect((await lastRow())?.completion_tokens).toBe(7);
});
