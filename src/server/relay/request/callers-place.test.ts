import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { requestOf } from '../testing/answered-call.ts';
import { Translations } from './translations.ts';

/** What another format cannot say is refused by the place at which its caller said it. */

const film = { type: 'file', file: { file_data: 'data:video/mp4;base64,AAAA' } };
const filmPart = { inlineData: { mimeType: 'video/mp4', data: 'AAAA' } };
const odd = { type: 'input_odd', odd: 1 };
const sheet = { type: 'document', source: { type: 'container', id: 'a' } };

const refusalOf = (from: DialectName, to: DialectName, body: object, terms: object = {}): AppError => {
  const request = requestOf({ model: 'm', ...(from === 'gemini' && { stream: false }), ...body });
  const written = new Translations(chatDialects[from], request).in(chatDialects[to], {
    model: 'm',
    systemPrompt: '',
    isUnsigned: false,
    omitsTools: false,
    outputLimit: undefined,
    ...terms,
  });
  if (!(written instanceof AppError)) throw new Error(`it was written: ${JSON.stringify(written)}`);
  expect(written.message).toContain(String(written.param));
  return written;
};

const text = (words: string) => ({ role: 'user', content: words });
const item = (role: string, words: string) => ({ type: 'message', role, content: words });

describe('a message is named by its place in the caller’s own list', () => {
  test.each<[string, DialectName, DialectName, object, string]>([
    [
      'Messages, behind instructions',
      'anthropic-messages',
      'openai-chat',
      { system: 'Be brief.', messages: [text('a'), { role: 'user', content: [sheet] }] },
      'messages.1',
    ],
    [
      'Messages, without instructions',
      'anthropic-messages',
      'openai-chat',
      { messages: [{ role: 'user', content: [sheet] }] },
      'messages.0',
    ],
    [
      'chats, behind instructions in the middle',
      'openai-chat',
      'anthropic-messages',
      {
        messages: [
          { role: 'system', content: 'a' },
          text('b'),
          { role: 'developer', content: 'c' },
          { role: 'user', content: [film] },
        ],
      },
      'messages.3',
    ],
    [
      'chats, behind messages of nothing',
      'openai-chat',
      'anthropic-messages',
      { messages: [text('a'), { role: 'assistant', content: '' }, { role: 'user', content: [film] }] },
      'messages.2',
    ],
    [
      'Responses, behind instructions and items that are one turn',
      'openai-responses',
      'openai-chat',
      {
        instructions: 'Be brief.',
        input: [
          item('user', 'a'),
          item('assistant', 'b'),
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: 'd' },
          { role: 'user', content: [odd] },
        ],
      },
      'input.4',
    ],
    [
      'Gemini, behind a turn in two contents',
      'gemini',
      'openai-responses',
      {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'a' }] },
          { role: 'model', parts: [{ text: 'b' }] },
          { role: 'model', parts: [{ text: 'c' }] },
          { role: 'user', parts: [filmPart] },
        ],
      },
      'contents[3]',
    ],
    [
      'Gemini, one content that is no list',
      'gemini',
      'openai-responses',
      { contents: { role: 'user', parts: [filmPart] } },
      'contents',
    ],
  ])('%s', (_, from, to, body, param) => {
    expect(refusalOf(from, to, body).param).toBe(param);
    expect(refusalOf(from, to, body, { systemPrompt: 'The operator’s.' }).param).toBe(param);
  });

  test('a place that the caller’s own format named stays as it is', () => {
    const messages = [{ role: 'user', content: [{ type: 'compaction', content: null, encrypted: 'x' }] }];
    expect(refusalOf('anthropic-messages', 'openai-chat', { system: 'a', messages }).param).toBe(
      'messages.0',
    );
  });
});

test('a YouTube address is a video even without a type', () => {
  const film = { fileData: { fileUri: 'https://www.youtube.com/watch?v=abc' } };
  for (const to of ['openai-responses', 'anthropic-messages'] as const)
    expect(refusalOf('gemini', to, { contents: [{ parts: [film] }] })).toMatchObject({
      param: 'contents[0]',
      reason: 'unsupported_content',
    });
});

describe('a tool is named by its place in the caller’s own list', () => {
  const own = (name: string) => ({ type: 'function', name, parameters: {} });
  test.each<[string, DialectName, DialectName, object, string]>([
    [
      'Gemini, behind a tool of two functions',
      'gemini',
      'openai-chat',
      {
        contents: [{ role: 'user', parts: [{ text: 'a' }] }],
        tools: [{ functionDeclarations: [{ name: 'f' }, { name: 'g' }] }, { codeExecution: {} }],
      },
      'tools[1]',
    ],
    [
      'Responses, behind a namespace of two functions',
      'openai-responses',
      'openai-chat',
      {
        input: 'a',
        tools: [{ type: 'namespace', name: 'n', tools: [own('f'), own('g')] }, { type: 'web_search' }],
      },
      'tools.1',
    ],
    [
      'chats, a search in a field of its own',
      'openai-chat',
      'openai-responses',
      {
        messages: [text('a')],
        tools: [{ type: 'function', function: { name: 'f' } }, { type: 'browser_search' }],
        web_search_options: {},
      },
      'tools.1',
    ],
  ])('%s', (_, from, to, body, param) => {
    expect(refusalOf(from, to, body).param).toBe(param);
  });
});
