import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/** MiniMax's speech (platform.minimax.io/docs/api-reference/speech-t2a-http; errorcode): hexadecimal sound in JSON, always status 200. */

const SOUND = Buffer.from('ID3 all is well');
let last: { readonly path: string; readonly body: Json } | undefined;

/** By the requested voice. */
const PROBLEMS: Readonly<Record<string, Json>> = {
  nobody: { status_code: 2013, status_msg: 'invalid params, voice_id not exist' },
  keyless: { status_code: 1004, status_msg: 'login fail' },
};

const upstream = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
    last = { path: request.url ?? '', body };
    const problem = PROBLEMS[String((body['voice_setting'] as Json)['voice_id'])];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        problem === undefined
          ? {
              data: { audio: SOUND.toString('hex'), status: 2 },
              extra_info: { audio_length: 9900, audio_format: 'mp3', usage_characters: 12 },
              trace_id: '01b8bf9bb7433cc75c18eee6cfa8fe21',
              base_resp: { status_code: 0, status_msg: 'success' },
            }
          : { trace_id: '01b8', base_resp: problem },
      ),
    );
  });
});

let rig: Rig;

beforeAll(async () => {
  const baseUrl = await listening(upstream);
  rig = await startRig([{ type: 35, baseUrl, models: 'speech-2.8-hd' }], {
    ModelRatio: { 'speech-2.8-hd': 1 },
    RetryTimes: 0,
  });
});
afterAll(async () => {
  await rig.stop();
  await new Promise((resolve) => upstream.close(resolve));
});

const say = async (body: Json) => {
  const answer = await fetch(`${rig.url}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'speech-2.8-hd', input: 'All is well.', ...body }),
  });
  const type = answer.headers.get('content-type');
  return { status: answer.status, type, bytes: Buffer.from(await answer.arrayBuffer()) };
};

test('a request of OpenAI is asked in its form, and answered by the sound', async () => {
  const said = await say({ voice: 'English_Graceful_Lady', speed: 1.2, response_format: 'wav' });
  expect(last).toEqual({
    path: '/v1/t2a_v2',
    body: {
      model: 'speech-2.8-hd',
      text: 'All is well.',
      stream: false,
      output_format: 'hex',
      voice_setting: { voice_id: 'English_Graceful_Lady', speed: 1.2 },
      audio_setting: { format: 'wav' },
    },
  });
  expect(said).toEqual({ status: 200, type: 'audio/wav', bytes: SOUND });
});

test('the format is mp3 by default, and settings of the voice are passed on', async () => {
  const said = await say({ voice: 'v', voice_setting: { vol: 2, emotion: 'happy' }, language_boost: 'auto' });
  expect(last?.body).toMatchObject({
    language_boost: 'auto',
    voice_setting: { voice_id: 'v', vol: 2, emotion: 'happy' },
    audio_setting: { format: 'mp3' },
  });
  expect(said.type).toBe('audio/mpeg');
});

test.each([
  ['nobody', 400, 'voice_id not exist'],
  ['keyless', 502, ''],
])('what it refuses in an answer of status 200 is a refusal: %s', async (voice, status, words) => {
  const said = await say({ voice });
  expect([said.status, said.bytes.toString()]).toEqual([status, expect.stringContaining(words)]);
  expect(said.bytes.toString()).not.toContain('login fail');
});

test('events are not offered', async () => {
  last = undefined;
  expect((await say({ voice: 'v', stream_format: 'sse' })).status).toBe(400);
  expect(last).toBeUndefined();
});
