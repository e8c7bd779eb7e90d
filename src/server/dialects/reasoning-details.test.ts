import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';
import { readStream } from './testing/streams.ts';

/** Thoughts as a router sends them: each entry with its format and id, which the router wants back. */
const details = [
  { type: 'reasoning.text', text: 'Hm', signature: 'SIG', id: 'r1', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'ENC', id: 'rs_1', format: 'openai-responses-v1', index: 1 },
];
const chat = chatDialects['openai-chat'];
const question = { role: 'user', content: 'a' };

/** The caller's next request, which contains the answer as received. */
const nextTurn = (name: DialectName, given: Fields): Fields => {
  switch (name) {
    case 'openai-chat':
      return { messages: [question, fieldsOf(fieldsOf(listOf(given['choices'])[0])['message']), question] };
    case 'openai-responses':
      return { input: [question, ...listOf(given['output']), question], store: false };
    case 'anthropic-messages':
      return {
        max_tokens: 9,
        messages: [question, { role: 'assistant', content: given['content'] }, question],
      };
    case 'gemini': {
      const asked = { role: 'user', parts: [{ text: 'a' }] };
      return { contents: [asked, fieldsOf(listOf(given['candidates'])[0])['content'], asked] };
    }
  }
};

describe.each(Object.keys(chatDialects) as DialectName[])('to a caller of %s', (name) => {
  const dialect = chatDialects[name];
  const answer = { role: 'assistant', content: 'ok', reasoning: 'Hm', reasoning_details: details };
  const back = (given: unknown): unknown => {
    const request = dialect.readRequest({ model: 'm', ...nextTurn(name, fieldsOf(given)) });
    return fieldsOf(listOf(chat.writeRequest(request)['messages'])[1])['reasoning_details'];
  };

  test('a router thinks, and gets its thoughts back whole in the next turn', () => {
    const events = chat.readWhole({ choices: [{ index: 0, message: answer, finish_reason: 'stop' }] });
    expect(back(dialect.writeWhole(events))).toEqual(details);
  });

  test('the same where it streams them in pieces', async () => {
    const [first, second] = details;
    const deltas = [
      { reasoning: 'H', reasoning_details: [{ ...first, text: 'H', signature: undefined }] },
      { reasoning: 'm', reasoning_details: [{ ...first, text: 'm', signature: undefined }] },
      { reasoning_details: [{ ...first, text: undefined }] },
      { reasoning_details: [second] },
      { content: 'ok' },
    ];
    async function* frames() {
      for (const delta of deltas) {
        const data = Buffer.from(JSON.stringify({ id: 'r', model: 'm', choices: [{ index: 0, delta }] }));
        yield { raw: data, event: '', data };
      }
    }
    const events = [];
    for await (const event of readStream(chat, frames())) events.push(event);
    expect(back(dialect.writeWhole(events))).toEqual(details);
  });
});

test('an entry that its caller has spoiled is a seal like any other', () => {
  const written = chat.writeRequest({
    model: 'm',
    stream: false,
    messages: [
      {
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'Hm', signature: 'detail.{"a":', signatureFrom: 'openai-chat' }],
      },
    ],
    extras: {},
  });
  expect(written['messages']).toMatchObject([
    { reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 'detail.{"a":' }] },
  ]);
});
