import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';
import { givenBack } from './testing/given-back.ts';

const { gemini } = chatDialects;
const picture = { mimeType: 'image/png', data: 'AAAA' };

const answer = (parts: readonly Fields[]): Fields => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
});

const nextTurn = (name: DialectName, parts: readonly Fields[]): Fields[] => {
  const dialect = chatDialects[name];
  const given = fieldsOf(dialect.writeWhole(gemini.readWhole(answer(parts))));
  const request = dialect.readRequest({ model: 'm', ...givenBack(name, given) });
  return listOf(gemini.writeRequest(request)['contents'])
    .map(fieldsOf)
    .filter(({ role }) => role === 'model')
    .flatMap((content) => listOf(content['parts']).map(fieldsOf));
};

describe.each(Object.keys(chatDialects) as DialectName[])('a caller of %s gives back to Gemini', (name) => {
  test('the signature of a text on the text', () => {
    const text = { text: 'hello', thoughtSignature: 'c2ln' };
    expect(nextTurn(name, [text])).toEqual([text]);
    const thought = { text: 'Hm', thought: true };
    expect(nextTurn(name, [thought, text])).toContainEqual(text);
  });

  test('the signature that came behind a text on the text, or by itself', () => {
    const behind = nextTurn(name, [{ text: 'hello' }, { text: '', thoughtSignature: 'c2ln' }]);
    expect(JSON.stringify(behind)).toContain('"thoughtSignature":"c2ln"');
    expect(behind.map(({ text }) => text).join('')).toBe('hello');
  });

  test('a thought nobody signed in front of a signed text, and the call behind it', () => {
    const parts = [
      { text: 'Hm', thought: true },
      { text: 'hello', thoughtSignature: 'dGV4dA==' },
      { functionCall: { id: 'c1', name: 'f', args: {} }, thoughtSignature: 'Y2FsbA==' },
    ];
    expect(nextTurn(name, parts)).toEqual(parts);
  });

  test('the signature of a text that is followed by a signed call, each on its own', () => {
    const parts = [
      { text: 'hello', thoughtSignature: 'dGV4dA==' },
      { functionCall: { id: 'c1', name: 'f', args: {} }, thoughtSignature: 'Y2FsbA==' },
    ];
    expect(nextTurn(name, parts)).toEqual(parts);
  });
});

test.each(['openai-chat', 'anthropic-messages', 'gemini'] as const)(
  'pictures come back to Gemini signed, from a caller of %s',
  (name) => {
    const parts = [
      { text: 'look' },
      { inlineData: picture, thoughtSignature: 'b25l' },
      { inlineData: { ...picture, data: 'BBBB' }, thoughtSignature: 'dHdv' },
    ];
    expect(nextTurn(name, parts)).toEqual(parts);
  },
);

test('a Messages caller gives pictures back as pictures, among the words and thoughts they stood in', () => {
  const parts = [
    { text: 'Hm', thought: true, thoughtSignature: 'dGhpbms=' },
    { text: 'first ' },
    { inlineData: picture, thoughtSignature: 'b25l' },
    { text: ' then ' },
    { inlineData: { mimeType: 'image/webp', data: 'B+/=' } },
    { text: ' done', thoughtSignature: 'dHdv' },
  ];
  expect(nextTurn('anthropic-messages', parts)).toEqual(parts);
});

test('to Claude a picture that a model drew is shown by the user', () => {
  const request = chatDialects['openai-chat'].readRequest({
    model: 'm',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'draw' },
      {
        role: 'assistant',
        content: 'here',
        images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
      },
      { role: 'user', content: 'again' },
    ],
  });
  expect(chatDialects['anthropic-messages'].writeRequest(request)['messages']).toEqual([
    { role: 'user', content: 'draw' },
    { role: 'assistant', content: 'here' },
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'text', text: 'again' },
      ],
    },
  ]);
});
