import { expect, it } from 'vitest';
import type { OutboundReply } from '#core/outbound/outbound.ts';
import { openaiSpeech } from '../../dialects/openai-audio/speech.ts';
import { openaiTranscriptions } from '../../dialects/openai-audio/transcriptions.ts';
import { bytesAnswer } from './pass.ts';

const replyOf = (headers: OutboundReply['headers'], text: string): OutboundReply => {
  const pieces = (async function* () {
    yield Buffer.from(text, 'latin1');
  })();
  return { status: 200, headers, body: Object.assign(pieces, { discard: () => {} }) };
};

const passed = async (headers: OutboundReply['headers']) => {
  const answer = await bytesAnswer(replyOf(headers, 'sound'), openaiSpeech);
  return answer.kind === 'bytes' ? answer.headers : undefined;
};

it('Content-Length is passed on only where it is what framed the body', async () => {
  const type = { 'content-type': 'audio/mpeg' };
  expect(await passed({ ...type, 'content-length': '5', 'x-internal': '1' })).toEqual({
    ...type,
    'content-length': '5',
  });
  expect(await passed({ ...type, 'content-length': '5', 'transfer-encoding': 'chunked' })).toEqual(type);
  expect(await passed({ ...type, 'content-length': '5, 5' })).toEqual(type);
});

const ERROR = '{"error":{"message":"the engine is down","type":"server_error"}}';

it.each([
  ['audio/mpeg', ERROR, 'the engine is down'],
  ['text/plain', `\n ${ERROR}`, 'the engine is down'],
  [undefined, '{"code":500,"msg":"the engine is down","data":null}', 'the engine is down'],
  ['text/event-stream', `data: ${ERROR}\n\ndata: [DONE]\n\n`, 'the engine is down'],
  ['text/event-stream', `event: error\ndata: ${ERROR}\n\n`, 'the engine is down'],
  ['text/plain', '<html><h1>Log in</h1></html>', 'the upstream answered with a web page'],
])(
  'an error under status 200 is no sound and no text, whatever its type says: %s, %s',
  async (type, text, message) => {
    for (const format of [openaiSpeech, openaiTranscriptions])
      await expect(bytesAnswer(replyOf({ 'content-type': type }, text), format)).rejects.toMatchObject({
        upstream: { status: 0, message },
      });
  },
);

it.each([
  ['audio/pcm', '{\x00\x01"error"'],
  ['text/plain', '{"text":"error: what a day"}'],
  ['text/plain', 'The page begins with <html>.'],
  ['text/vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\n{"error":1}'],
  ['text/event-stream', 'data: {"type":"speech.audio.delta","audio":"AAAA"}\n\n'],
])('sound and text are passed on: %s, %s', async (type, text) => {
  for (const format of [openaiSpeech, openaiTranscriptions])
    expect(await bytesAnswer(replyOf({ 'content-type': type }, text), format)).toMatchObject({
      kind: 'bytes',
      first: Buffer.from(text, 'latin1'),
    });
});
