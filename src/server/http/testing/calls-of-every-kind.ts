import { WebSocket } from 'ws';
import { expect } from 'vitest';
import type { RunningServer } from '../../main.ts';

/** Calls that are no chats, at the simulator: tasks, conversations, pictures, tools, answers in the background. */

/** The models they are priced by; the simulator's channel serves all but the last two, which draw and hear. */
export const KIND_PRICES = {
  ratios: { talk: 1.1, thinker: 0.7, vectors: 0.13, draws: 0.9, 'whisper-live': 0.6 },
  prices: { mj_imagine: 0.0111, suno_music: 0.0123, pictures: 0.0047 },
} as const;
export const KIND_MODELS = 'talk,thinker,vectors,pictures';
export const DRAWING_MODELS = 'mj_imagine';
export const MUSIC_MODELS = 'suno_music';

export type Kind = (server: RunningServer, key: string) => Promise<void>;

const send = async (
  { url }: RunningServer,
  key: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> => {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
};

/** Two spoken answers, and what the caller said as text. */
const talk: Kind = async ({ url }, key) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?model=talk`, ['realtime'], {
    headers: { authorization: `Bearer sk-${key}` },
  });
  const said: string[] = [];
  socket.on('message', (data: Buffer) => {
    said.push((JSON.parse(data.toString()) as { type: string }).type);
  });
  const times = (type: string, count: number) =>
    expect.poll(() => said.filter((one) => one === type).length).toBe(count);
  await times('session.created', 1);
  socket.send('{"type":"input_audio_buffer.commit"}');
  await times('conversation.item.input_audio_transcription.completed', 1);
  for (const count of [1, 2]) {
    socket.send('{"type":"response.create"}');
    await times('response.done', count);
  }
  socket.close();
  await new Promise((resolve) => socket.once('close', resolve));
};

/** Of the three drawings one fails and one is refused: their holds are given back. */
const draw: Kind = async (server, key) => {
  for (const prompt of ['a fox', 'fail', 'banned']) await send(server, key, '/mj/submit/imagine', { prompt });
};
const sing: Kind = async (server, key) => {
  for (const prompt of ['a song', 'fail']) await send(server, key, '/suno/submit/music', { prompt });
};
const paint: Kind = async (server, key) => {
  for (const n of [1, 3])
    await send(server, key, '/v1/images/generations', { model: 'pictures', prompt: 'x', n });
};
const embed: Kind = async (server, key) => {
  await send(server, key, '/v1/embeddings', { model: 'vectors', input: ['some words', 'more of them'] });
};
/** The picture is a row of its own, of the model that draws. */
const paintByTool: Kind = async (server, key) => {
  const tools = [{ type: 'image_generation', model: 'draws' }];
  await send(server, key, '/v1/responses', { model: 'thinker', input: 'draw a hat', tools });
};
const later: Kind = async (server, key) => {
  const made = await send(server, key, '/v1/responses', {
    model: 'thinker',
    input: 'later',
    background: true,
  });
  const path = `/v1/responses/${String(made['id'])}`;
  await expect.poll(async () => (await send(server, key, path))['status']).toBe('completed');
};

export const kinds: readonly Kind[] = [talk, draw, sing, paint, embed, paintByTool, later];
