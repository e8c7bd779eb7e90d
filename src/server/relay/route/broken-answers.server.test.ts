import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { plainFormats } from '../testing/plain-formats.ts';

/** An upstream whose answers begin and never end well. */

const format = plainFormats.chat;
const HALF = `${format.stream.split('\n\n')[0]}\n\n`;
const ERROR = 'data: {"error":{"message":"Overloaded","type":"overloaded_error"}}\n\n';
/** How the answers of the first channel end, by its model; an empty text ends them there. */
const ends: Readonly<Record<string, string>> = {
  'connection-cut': 'cut',
  'without-end-mark': '',
  'error-event': ERROR,
};
const REVOKED =
  'data: {"error":{"message":"bad key","type":"authentication_error","code":"invalid_api_key"}}\n\n';

let upstream: Server;
let scene: Scene;
let caller = '';
let baseUrl = '';
/** Ends the answer that has begun. */
let hasBegun = (): void => undefined;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const { model = '' } = JSON.parse(body) as { model?: string };
      const isBad = request.url?.startsWith('/bad/') === true;
      const isRevoked = isBad && request.headers.authorization?.endsWith('baad') === true;
      const end = model === 'revoked' && isRevoked ? REVOKED : isBad ? ends[model] : undefined;
      hasBegun = () => undefined;
      if (end === undefined) return void response.end(format.stream);
      response.write(HALF);
      hasBegun = () => void (end === 'cut' ? request.socket.destroy() : response.end(end));
    });
  });
  baseUrl = await listening(upstream);
  scene = await openScene();
  const models = [...Object.keys(ends), 'revoked'];
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))));
  await scene.set('AutomaticDisableChannelEnabled', true);
  caller = (await scene.spender('agent', 1_000_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

/** @returns whether the answer came to its end */
const ask = async (model: string, session: string): Promise<boolean> => {
  const reply = await fetch(scene.server.url + format.path(model, true), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'session-id': session,
      ...format.headers(`sk-${caller}`),
    },
    body: JSON.stringify(format.body(model, true)),
  });
  let text = '';
  try {
    for await (const piece of reply.body ?? []) {
      text += Buffer.from(piece).toString();
      hasBegun();
    }
  } catch {
    return false;
  }
  return text.includes('[DONE]') && !text.includes('"error"');
};

it.each(Object.keys(ends))(
  'that ends like this gets no more calls after five of them, though each began: %s',
  async (model) => {
    await scene.stage.channel(scene.root, { baseUrl: `${baseUrl}/bad`, models: model, priority: 1 });
    await scene.stage.channel(scene.root, { baseUrl, models: model });
    const whole: boolean[] = [];
    for (let call = 0; call < 12; call += 1) whole.push(await ask(model, `of ${model}`));
    expect(whole).toEqual(Array.from({ length: 12 }, (_, call) => call >= 5));
  },
);

it('that says within an answer that its key is revoked does not get that key again', async () => {
  const key = 'sk-a-long-enough-key-baad\nsk-a-long-enough-key-good';
  const { id } = await scene.stage.pool(scene.root, { baseUrl: `${baseUrl}/bad`, models: 'revoked', key });
  const whole: boolean[] = [];
  for (let call = 0; call < 6; call += 1) whole.push(await ask('revoked', `session ${String(call)}`));
  expect(whole.filter((isWhole) => !isWhole)).toHaveLength(1);
  expect(whole.at(-1)).toBe(true);
  const state = async () => (await scene.stage.keysOf(id)).map(({ status }) => status).toSorted();
  await expect.poll(state).toEqual(['enabled', 'revoked']);
});
