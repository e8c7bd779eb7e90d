import { expect, test } from 'vitest';
import { dial, upstreamThat } from '../support/realtime-call.ts';
import { useGateway } from '../faults/use-gateway.ts';

/** Words that are forbidden in prompts are forbidden in conversations too. */

const { start } = useGateway();

const OPTIONS = {
  ModelRatio: { talk: 1 },
  CheckSensitiveEnabled: true,
  CheckSensitiveOnPromptEnabled: true,
  StopOnSensitiveEnabled: true,
  SensitiveWords: 'rosebud',
};

const startUpstream = async () => {
  const heard: { type: string }[] = [];
  const url = await upstreamThat((socket) => {
    socket.on('message', (data: Buffer) => void heard.push(JSON.parse(data.toString()) as { type: string }));
  });
  return { heard, url };
};

const itemOf = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});
const WORD = 'say Rosebud';

const saying: [string, object][] = [
  ['an item', itemOf(WORD)],
  [
    'what a tool answered',
    { type: 'conversation.item.create', item: { type: 'function_call_output', call_id: 'c', output: WORD } },
  ],
  ['instructions of an answer', { type: 'response.create', response: { instructions: WORD } }],
  ['what an answer is given to read', { type: 'response.create', response: { input: [itemOf(WORD).item] } }],
  ['instructions of the session', { type: 'session.update', session: { instructions: WORD } }],
  [
    'tools of the session',
    { type: 'session.update', session: { tools: [{ type: 'function', name: 'f', description: WORD }] } },
  ],
];

/** Contains no listed word: formats and field names are not part of what is said. */
const FINE = { type: 'session.update', session: { input_audio_format: 'pcm16', instructions: 'be kind' } };

test.each(saying)('%s with a listed word is refused and not forwarded', async (_, message) => {
  const upstream = await startUpstream();
  const rig = await start([{ baseUrl: upstream.url, models: 'talk' }], OPTIONS);
  const call = await dial(rig);
  call.say({ event_id: 'mine', ...message });
  call.say({ type: 'input_audio_buffer.append', audio: Buffer.from('rosebud').toString('base64') });
  call.say(itemOf('nothing bad'));
  await expect
    .poll(() => upstream.heard.map(({ type }) => type))
    .toEqual(['input_audio_buffer.append', 'conversation.item.create']);
  await expect.poll(() => call.events).toHaveLength(1);
  expect(call.events[0]).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', code: 'sensitive_words_detected', event_id: 'mine' },
  });
  expect(JSON.stringify(call.events)).not.toContain('osebud');
  call.socket.close();
  await expect.poll(() => rig.openHolds()).toBe(0);
  expect([(await rig.balance()).used, (await rig.logs()).length]).toEqual([0, 0]);
});

test.each([
  ['are not to be stopped', { ...OPTIONS, StopOnSensitiveEnabled: false }, itemOf(WORD)],
  ['are not checked', { ...OPTIONS, CheckSensitiveOnPromptEnabled: false }, itemOf(WORD)],
  [
    'only look like it by the format’s own words',
    { ...OPTIONS, SensitiveWords: 'rosebud\npcm16\nvad' },
    FINE,
  ],
])('messages that %s go on', async (_, options, message) => {
  const upstream = await startUpstream();
  const rig = await start([{ baseUrl: upstream.url, models: 'talk' }], options);
  const call = await dial(rig);
  call.say(message);
  await expect.poll(() => upstream.heard).toEqual([message]);
  expect(call.events).toEqual([]);
  call.socket.close();
  await expect.poll(() => rig.openHolds()).toBe(0);
});
