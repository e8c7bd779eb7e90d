import { expect, it } from 'vitest';
import type { KeptResponse } from '#core/kept/kept-response.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { type ConversationOperation, noReply } from './calls.ts';
import { respond } from './conversation-calls.ts';
import { readKeptReply } from './kept/kept-reply.ts';
import type { KeptResponses } from './kept/kept-responses.ts';

/** An answer about a conversation, and what happens in which order; the database is ready when `ready` is. */
const answering = (
  operation: ConversationOperation,
  answer: object,
  ready: Promise<void> = Promise.resolve(),
) => {
  const happened: unknown[] = [];
  const kept = standIn<KeptResponses>({
    noteAt: (_: unknown, ids: unknown) => void happened.push(ids),
    noteItems: () => undefined,
    flush: async () => {
      await ready;
      happened.push('stored');
    },
  });
  const reply = { ...noReply, end: (bytes?: Buffer) => void happened.push(String(bytes)) };
  const bytes = Buffer.from(JSON.stringify(answer));
  const given = { status: 200, bytes, reply: readKeptReply(bytes) };
  return { happened, over: respond({ kept }, { reply, operation }, given, {} as KeptResponse) };
};

it('the caller learns the id of a conversation once it is stored where it is', async () => {
  const ready = Promise.withResolvers<void>();
  const { happened, over } = answering('create', { id: 'conv_1', object: 'conversation' }, ready.promise);
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(happened).toEqual([['conv_1']]);
  ready.resolve();
  await over;
  expect(happened).toEqual([['conv_1'], 'stored', '{"id":"conv_1","object":"conversation"}']);
});

it('a conversation that is deleted is not remembered again', async () => {
  const { happened, over } = answering('delete-conversation', {
    id: 'conv_1',
    object: 'conversation.deleted',
  });
  await over;
  expect(happened[0]).toBe('stored');
});
