import { afterAll, beforeAll, expect, test } from 'vitest';
import { asking, upstreamThat } from '../support/realtime-call.ts';
import { keepBusy, openCharges, watchWhileBusy } from './busy-database.ts';
import { startStepwiseUpstream } from './stepwise-upstream.ts';
import { useGateway } from './use-gateway.ts';

/** Answers other than chats are charged before their end too: sound, pictures, conversations. */

const { start } = useGateway();
let upstream: Awaited<ReturnType<typeof startStepwiseUpstream>>;
beforeAll(async () => void (upstream = await startStepwiseUpstream()));
afterAll(() => upstream.stop());

const OPTIONS = { ModelRatio: { 'tts-1': 1, 'gpt-image-1': 1, talk: 1 }, CompletionRatio: { talk: 1 } };

const askWhileBusy = async (path: string, body: Readonly<Record<string, unknown>>) => {
  const models = 'tts-1,gpt-image-1';
  const rig = await start([{ baseUrl: upstream.addressOf('openai-chat'), models }], OPTIONS);
  const response = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { moments, sees } = watchWhileBusy(rig);
  const text = await upstream.read(response, sees);
  return { rig, text, moments, charges: openCharges(rig)() };
};

const SPEECH = ['/v1/audio/speech', { model: 'tts-1', input: 'hello', voice: 'alloy' }] as const;

test('the last bytes of sound with a known length wait for the charge', async () => {
  const headers = { 'content-type': 'audio/mpeg', 'content-length': '10' };
  upstream.say({ headers, pieces: ['ébc!', 'éfgh'] });
  const { moments, text } = await askWhileBusy(...SPEECH);
  expect(text).toBe('ébc!éfgh');
  expect(moments).toEqual([
    { text: 'ébc!', charges: [] },
    { text: 'ébc!éfgh', charges: [5] },
  ]);
});

test('sound of any length: the end of the body waits, and nothing before it', async () => {
  upstream.say({ headers: { 'content-type': 'audio/mpeg' }, pieces: ['ébcd', 'éfgh'] });
  const { moments, text, charges } = await askWhileBusy(...SPEECH);
  expect(text).toBe('ébcdéfgh');
  expect(moments.map((moment) => moment.charges)).toEqual([[], []]);
  expect(charges).toEqual([5]);
});

test('a picture that is drawn in steps: its last event waits', async () => {
  const event = (type: string, more: object = {}): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: 'aGk=', ...more })}\n\n`;
  const usage = { input_tokens: 10, output_tokens: 20, total_tokens: 30 };
  upstream.say({
    pieces: [
      event('image_generation.partial_image', { partial_image_index: 0 }),
      event('image_generation.partial_image', { partial_image_index: 1 }) +
        event('image_generation.completed', { usage }),
    ],
  });
  const asked = { model: 'gpt-image-1', prompt: 'a cat', stream: true, partial_images: 2 };
  const { moments } = await askWhileBusy('/v1/images/generations', asked);
  const isWhole = ({ text }: { text: string }): boolean => text.includes('image_generation.completed');
  expect(moments.filter(isWhole).map(({ charges }) => charges.length)).toEqual([1]);
  expect(
    moments
      .filter((moment) => !isWhole(moment))
      .at(-1)
      ?.text.match(/partial_image"/g),
  ).toHaveLength(2);
});

/** An upstream that begins an answer when asked, and ends it with the next message. */
const startTalker = (): Promise<string> =>
  upstreamThat((socket) => {
    const say = (event: object): void => socket.send(JSON.stringify(event));
    socket.once('message', () => {
      say({ type: 'response.created', response: { id: 'r1' } });
      socket.once('message', () => {
        say({ type: 'response.done', response: { usage: { input_tokens: 10, output_tokens: 20 } } });
        say({ type: 'rate_limits.updated', rate_limits: [] });
        socket.close(4000, 'session expired');
      });
    });
  });

test('in a conversation the end of an answer waits for the charge, then follow later messages and the close', async () => {
  const rig = await start([{ baseUrl: await startTalker(), models: 'talk' }], OPTIONS);
  const charges = openCharges(rig);
  const socket = asking(rig);
  const heard: (readonly [unknown, readonly number[]])[] = [];
  socket.on('message', (data: Buffer) => {
    const { type } = JSON.parse(data.toString()) as { type: string };
    heard.push([type, charges()]);
    if (type !== 'response.created') return;
    keepBusy(rig);
    socket.send('{"type":"input_audio_buffer.clear"}');
  });
  socket.once('open', () => socket.send('{"type":"response.create"}'));
  const code = await new Promise((resolve) => void socket.once('close', resolve));
  expect(heard).toEqual([
    ['response.created', []],
    ['response.done', [30]],
    ['rate_limits.updated', [30]],
  ]);
  expect(code).toBe(4000);
});
