import { expect, test } from 'vitest';
import { chatRequest, type ChatSettings } from '../wire/chat-request.ts';
import {
  appended,
  before,
  contextCleared,
  divider,
  ended,
  type Item,
  metered,
  pendingReply,
  sampleExchange,
  settled,
  userMessage,
} from './conversation.ts';
import { kept, readItems } from './stored-items.ts';

const settings: ChatSettings = {
  format: 'openai-chat',
  group: 'vip',
  model: 'gpt-4o-mini',
  temperature: 0,
  sendsTemperature: false,
  maxTokens: 0,
  systemPrompt: 'Be brief.',
  extra: '',
};

const message = (items: readonly Item[], id: string) => {
  const found = items.find((item) => item.id === id);
  if (found?.kind !== 'message') throw new Error(`no message ${id}`);
  return found;
};

test('a reply goes from loading through incomplete to complete, and then never changes', () => {
  const reply = pendingReply('m');
  const loading: readonly Item[] = [reply];
  expect(message(loading, reply.id).status).toBe('loading');
  const incomplete = appended(appended(loading, reply.id, 'Hel', ''), reply.id, 'lo', '');
  expect(message(incomplete, reply.id)).toMatchObject({ status: 'incomplete', content: 'Hello' });
  const complete = ended(incomplete, reply.id, { status: 'complete' });
  const late = ended(appended(complete, reply.id, '!', ''), reply.id, { status: 'error', error: 'late' });
  expect(message(late, reply.id)).toMatchObject({ status: 'complete', content: 'Hello', error: '' });
});

test('a failed reply keeps its error, and can still get its cost', () => {
  const reply = pendingReply('m');
  const failed = ended([reply], reply.id, { status: 'error', error: 'no channel' });
  const after = metered(ended(failed, reply.id, { status: 'complete' }), reply.id, { quotaUnits: 3 });
  expect(message(after, reply.id)).toMatchObject({
    status: 'error',
    error: 'no channel',
    meter: { quotaUnits: 3 },
  });
});

test('a disabled temperature, max_tokens of 0 and an empty system prompt are not sent', () => {
  const asked = [userMessage('hi', [])];
  expect(chatRequest({ ...settings, systemPrompt: ' ' }, asked).body).toEqual({
    model: 'gpt-4o-mini',
    group: 'vip',
    messages: [{ role: 'user', content: 'hi' }],
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(
    chatRequest({ ...settings, temperature: 0.3, sendsTemperature: true, maxTokens: 12.9 }, asked).body,
  ).toMatchObject({
    temperature: 0.3,
    max_tokens: 12,
    messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
  });
});

test('only messages after the last divider are sent, without empty replies', () => {
  const empty = ended([pendingReply('m')], '', { status: 'complete' });
  const items = [
    userMessage('a', []),
    divider(),
    userMessage('b', []),
    divider(),
    userMessage('c', []),
    ...empty,
    userMessage('d', []),
  ];
  expect(chatRequest({ ...settings, systemPrompt: '' }, items).body['messages']).toEqual([
    { role: 'user', content: 'c' },
    { role: 'user', content: 'd' },
  ]);
});

test('the sample exchange of an empty conversation is never sent', () => {
  const items = [...sampleExchange('Hello', 'Hello!'), userMessage('typed', [])];
  expect(chatRequest({ ...settings, systemPrompt: '' }, items).body['messages']).toEqual([
    { role: 'user', content: 'typed' },
  ]);
});

test('pictures are sent as parts beside the text', () => {
  const url = 'data:image/png;base64,AA==';
  const picture = { type: 'image_url', image_url: { url } };
  const sent = chatRequest({ ...settings, systemPrompt: '' }, [
    userMessage('what?', [url]),
    userMessage('', [url]),
  ]);
  expect(sent.body['messages']).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'what?' }, picture] },
    { role: 'user', content: [picture] },
  ]);
});

test('clearing the context twice adds one divider, in an empty conversation none', () => {
  const once = contextCleared([userMessage('a', [])]);
  expect(once.map(({ kind }) => kind)).toEqual(['message', 'divider']);
  expect(contextCleared(once)).toBe(once);
  expect(contextCleared([])).toEqual([]);
});

test('regenerating drops the reply and everything after it', () => {
  const asked = userMessage('a', []);
  const reply = pendingReply('m');
  expect(before([asked, reply, userMessage('b', [])], reply.id)).toEqual([asked]);
});

test('a reply interrupted by a reload is ended', () => {
  const silent = pendingReply('m');
  const half = pendingReply('m');
  const after = settled(appended([silent, half], half.id, 'ha', ''), 'interrupted');
  expect(message(after, silent.id)).toMatchObject({ status: 'error', error: 'interrupted' });
  expect(message(after, half.id)).toMatchObject({ status: 'complete', cut: 'stopped', content: 'ha' });
});

test('a stored conversation reads back unchanged, and invalid data is refused', () => {
  const items = [userMessage('a', ['data:image/png;base64,AA==']), divider(), pendingReply('m')];
  expect(readItems(structuredClone(items))).toEqual(items);
  expect(readItems({ items })).toBeUndefined();
  expect(readItems([{ id: 'x', kind: 'message', role: 'system', status: 'complete' }])).toBeUndefined();
});

test('the newest 400 items within 24 million characters are kept', () => {
  const many = Array.from({ length: 500 }, (_, at) => userMessage(String(at), []));
  expect(kept(many).map((item) => item.id)).toEqual(many.slice(100).map((item) => item.id));
  const large = 'x'.repeat(10 * 1024 * 1024);
  const heavy = [userMessage(large, []), userMessage(large, []), userMessage(large, [])];
  expect(kept(heavy)).toEqual(heavy.slice(1));
});
