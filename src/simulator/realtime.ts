import type { IncomingMessage, Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** 50 ms of silence: 24 000 samples of two bytes a second, in base64. */
const SOUND = Buffer.alloc(2400).toString('base64');
const PIECES = 4;

/** The usage of one answer: text and audio in and out, some of it cached. */
const USAGE = {
  total_tokens: 253,
  input_tokens: 132,
  output_tokens: 121,
  input_token_details: {
    text_tokens: 119,
    audio_tokens: 13,
    cached_tokens: 64,
    cached_tokens_details: { text_tokens: 60, audio_tokens: 4 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 91 },
};

/** The usage of a transcription. */
const TRANSCRIPTION_USAGE = {
  type: 'tokens',
  total_tokens: 22,
  input_tokens: 13,
  input_token_details: { text_tokens: 0, audio_tokens: 13 },
  output_tokens: 9,
};

/**
 * `GET …/realtime`, as OpenAI answers it: a session, and a spoken answer for each `response.create`. A model whose name
 * ends in `slow` never ends its answer, one in `mute` reports no usage, one in `refused` is refused before it opens. What
 * the caller says (`input_audio_buffer.commit`) is transcribed by `whisper-live`, reported in seconds for a model in `timed`.
 */
export const speakRealtime = (server: Server): void => {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'realtime' });
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator');
    const model = searchParams.get('model') ?? searchParams.get('deployment') ?? '';
    if (!pathname.endsWith('/realtime') || model.endsWith('refused')) {
      socket.end('HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (raw) => converse(raw, model, request));
  });
};

const converse = (raw: WebSocket, model: string, request: IncomingMessage): void => {
  let number = 0;
  const say = (type: string, fields: object): void =>
    raw.send(JSON.stringify({ type, event_id: `event_${String(number++)}`, ...fields }));
  say('session.created', {
    session: {
      model,
      object: 'realtime.session',
      key: request.headers.authorization,
      audio: { input: { transcription: { model: 'whisper-live' } } },
    },
  });
  raw.on('message', (data) => {
    if (!Buffer.isBuffer(data)) return;
    const { type } = JSON.parse(data.toString()) as { type?: unknown };
    if (type === 'input_audio_buffer.commit') {
      const name = 'conversation.item.input_audio_transcription';
      const usage = model.endsWith('timed') ? { type: 'duration', seconds: 60 } : TRANSCRIPTION_USAGE;
      say(`${name}.delta`, { item_id: 'item_1', content_index: 0, delta: 'hello' });
      say(`${name}.completed`, { item_id: 'item_1', content_index: 0, transcript: 'hello', usage });
    }
    if (type !== 'response.create') return;
    const id = `resp_${String(number)}`;
    say('response.created', { response: { id, status: 'in_progress' } });
    for (let piece = 0; piece < PIECES; piece += 1) {
      say('response.output_audio.delta', { response_id: id, delta: SOUND });
      say('response.output_audio_transcript.delta', { response_id: id, delta: 'la ' });
    }
    if (model.endsWith('slow')) return;
    const usage = model.endsWith('mute') ? null : USAGE;
    say('response.done', { response: { id, status: 'completed', output: [], usage } });
  });
};
