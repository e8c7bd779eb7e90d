import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { requestOf } from '../relay/testing/answered-call.ts';
import { Translations } from '../relay/request/translations.ts';
import { chatDialects } from './chat-dialects.ts';

/**
 * What a caller says reaches an upstream of another format, or is refused with its place: no element of a list is passed over
 * because it is of a kind that no format has. Every case is one that the maker of the caller's format refuses with 400.
 */

type Json = Readonly<Record<string, unknown>>;
const formats = Object.keys(chatDialects) as DialectName[];

const TERMS = {
  model: 'm',
  systemPrompt: '',
  isUnsigned: false,
  omitsTools: false,
  outputLimit: undefined,
};

const written = (from: DialectName, to: DialectName, body: Json): unknown => {
  const request = requestOf({ model: 'm', ...(from === 'gemini' && { stream: false }), ...body });
  try {
    return new Translations(chatDialects[from], request).in(chatDialects[to], TERMS);
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
};

const said = { role: 'user', content: 'the question' };
const chat = (message: unknown, more: Json = {}): Json => ({ messages: [said, message], ...more });
const responses = (item: unknown, more: Json = {}): Json => ({ input: [said, item], ...more });
const messages = (message: unknown, more: Json = {}): Json => ({
  max_tokens: 9,
  messages: [said, message],
  ...more,
});
const asked = { role: 'user', parts: [{ text: 'the question' }] };
const gemini = (content: unknown, more: Json = {}): Json => ({ contents: [asked, content], ...more });

/** The body, and how its caller names the element. */
const cases: Readonly<Record<DialectName, Readonly<Record<string, readonly [Json, string]>>>> = {
  'openai-chat': {
    'a text in a list of parts': [chat({ role: 'user', content: ['hi'] }), 'messages.1.content.0'],
    'a part without a type': [chat({ role: 'user', content: [{ text: 'hi' }] }), 'messages.1.content.0'],
    'a part of an unknown type': [chat({ role: 'user', content: [{ type: 'smell' }] }), 'messages.1'],
    'a text that is none': [
      chat({ role: 'user', content: [{ type: 'text', text: 5 }] }),
      'messages.1.content.0.text',
    ],
    'a content that is an object': [chat({ role: 'user', content: { text: 'hi' } }), 'messages.1.content'],
    'a content that is a number': [chat({ role: 'user', content: 5 }), 'messages.1.content'],
    'a result that is an object': [
      chat({ role: 'tool', tool_call_id: 'c', content: { a: 1 } }),
      'messages.1.content',
    ],
    'a call that is a text': [chat({ role: 'assistant', tool_calls: ['f'] }), 'messages.1.tool_calls.0'],
    'calls that are an object': [chat({ role: 'assistant', tool_calls: {} }), 'messages.1.tool_calls'],
    'a message that is a text': [chat('hi'), 'messages.1'],
    'an unknown role': [chat({ role: 'model', content: 'hi' }), 'messages.1.role'],
    'a tool that is a text': [chat(said, { tools: ['f'] }), 'tools.0'],
    'a tool without a name': [chat(said, { tools: [{ type: 'function', function: {} }] }), 'tools.0'],
    'a function that is a text': [chat(said, { functions: ['f', { name: 'g' }] }), 'functions.0'],
    'an unknown modality': [chat(said, { modalities: ['text', 'smell'] }), 'modalities'],
    'modalities that are a word': [chat(said, { modalities: 'audio' }), 'modalities'],
  },
  'openai-responses': {
    'an item that is a text': [responses('hi'), 'input.1'],
    'an item of an unknown type': [responses({ type: 'smell' }), 'input.1'],
    'an unknown role': [responses({ role: 'model', content: 'hi' }), 'input.1'],
    'a text in a list of parts': [responses({ role: 'user', content: ['hi'] }), 'input.1.content.0'],
    'a part without a type': [responses({ role: 'user', content: [{ text: 'hi' }] }), 'input.1.content.0'],
    'a part of an unknown type': [responses({ role: 'user', content: [{ type: 'smell' }] }), 'input.1'],
    'a text that is none': [
      responses({ role: 'user', content: [{ type: 'input_text', text: null }] }),
      'input.1.content.0.text',
    ],
    'a content that is an object': [responses({ role: 'user', content: {} }), 'input.1.content'],
    'a result that is an object': [
      responses({ type: 'function_call_output', call_id: 'c', output: { a: 1 } }),
      'input.1.output',
    ],
    'a tool that is a text': [responses(said, { tools: ['f'] }), 'tools.0'],
    'a tool of an unknown type': [responses(said, { tools: [{ type: 'smell' }] }), 'tools.0'],
  },
  'anthropic-messages': {
    'a text in a list of blocks': [messages({ role: 'user', content: ['hi'] }), 'messages.1.content.0'],
    'a block without a type': [messages({ role: 'user', content: [{ text: 'hi' }] }), 'messages.1.content.0'],
    'a block of an unknown type': [messages({ role: 'user', content: [{ type: 'smell' }] }), 'messages.1'],
    'a text that is none': [
      messages({ role: 'user', content: [{ type: 'text', text: 5 }] }),
      'messages.1.content.0.text',
    ],
    'a content that is an object': [
      messages({ role: 'user', content: { text: 'hi' } }),
      'messages.1.content',
    ],
    'a block without a type in a result': [
      messages({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ text: 'hi' }] }],
      }),
      'messages.1.content.0.content.0',
    ],
    'a result that is an object': [
      messages({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: { a: 1 } }] }),
      'messages.1.content.0.content',
    ],
    'a text in the instructions': [messages(said, { system: ['be kind'] }), 'system.0'],
    'an instruction without a type': [messages(said, { system: [{ text: 'be kind' }] }), 'system.0'],
    'instructions that are an object': [messages(said, { system: { text: 'be kind' } }), 'system'],
    'an unknown role': [messages({ role: 'tool', content: 'hi' }), 'messages.1.role'],
    'a tool that is a text': [messages(said, { tools: ['f'] }), 'tools.0'],
    'a tool without a name': [messages(said, { tools: [{ input_schema: {} }] }), 'tools.0'],
    'a tool of an unknown type': [messages(said, { tools: [{ type: 'smell_1', name: 's' }] }), 'tools.0'],
  },
  gemini: {
    'a content that is a text': [gemini('hi'), 'contents'],
    'an unknown role': [gemini({ role: 'assistant', parts: [{ text: 'hi' }] }), 'contents[1].role'],
    'instructions among the contents': [
      gemini({ role: 'system', parts: [{ text: 'hi' }] }),
      'contents[1].role',
    ],
    'a field that no content has': [gemini({ role: 'user', content: 'hi' }), 'contents[1].content'],
    'a part that is a text': [gemini({ role: 'user', parts: ['hi'] }), 'contents[1].parts[0]'],
    'parts that are a text': [gemini({ role: 'user', parts: 'hi' }), 'contents[1].parts'],
    'an unknown part': [gemini({ role: 'user', parts: [{ smell: 1 }] }), 'contents[1]'],
    'a part that holds two things': [
      gemini({ role: 'user', parts: [{ text: 'hi', inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }),
      'contents[1].parts[0]',
    ],
    'a call beside a text': [
      gemini({ role: 'model', parts: [{ text: '', function_call: { name: 'f' } }] }),
      'contents[1].parts[0]',
    ],
    'instructions that are a list': [
      gemini(asked, { systemInstruction: [{ text: 'x' }] }),
      'systemInstruction',
    ],
    'instructions that are a part': [
      gemini(asked, { systemInstruction: { text: 'x' } }),
      'systemInstruction.text',
    ],
    'a tool that is a text': [gemini(asked, { tools: ['f'] }), 'tools[0]'],
    'a function that is a text': [
      gemini(asked, { tools: [{ functionDeclarations: ['f'] }] }),
      'tools[0].functionDeclarations[0]',
    ],
    'an unknown tool': [gemini(asked, { tools: [{ smell: {} }] }), 'tools[0]'],
    'an unknown modality': [
      gemini(asked, { generationConfig: { responseModalities: ['TEXT', 'SMELL'] } }),
      'responseModalities',
    ],
  },
};

describe.each(formats)('a caller of %s', (from) => {
  test.each(Object.entries(cases[from]))('is told of %s, with its place', (_, [body, place]) => {
    const told = formats
      .filter((to) => to !== from)
      .map((to) => {
        const result = written(from, to, body);
        return result instanceof AppError ? [to, result.code, result.param] : [to, result];
      });
    expect(told).toEqual(formats.filter((to) => to !== from).map((to) => [to, 'invalid_request', place]));
  });
});

test('a tool of Google that is null is ignored', () => {
  const body = gemini(asked, {
    tools: [{ functionDeclarations: [{ name: 'f' }], googleSearch: null, codeExecution: null }],
  });
  for (const to of formats.filter((format) => format !== 'gemini'))
    expect(JSON.stringify(written('gemini', to, body))).toContain('"name":"f"');
});

test('pictures and refusals among the parts of a chat reply are told in every format', () => {
  const content = [
    { type: 'text', text: 'a' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'refusal', refusal: 'no more' },
  ];
  const reply = { choices: [{ message: { content }, finish_reason: 'stop' }] };
  const events = chatDialects['openai-chat'].readWhole(reply);
  for (const to of formats.filter((format) => format !== 'openai-chat')) {
    const told = JSON.stringify(chatDialects[to].writeWhole(events));
    expect([to, told.includes('AAAA'), told.includes('no more')]).toEqual([to, true, true]);
  }
});

test('a call without arguments has an empty object of them for callers of Responses, unless it was cut off', () => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '' } };
  const told = (finish_reason: string): unknown => {
    const reply = { choices: [{ message: { content: null, tool_calls: [call] }, finish_reason }] };
    return chatDialects['openai-responses'].writeWhole(chatDialects['openai-chat'].readWhole(reply));
  };
  expect(told('tool_calls')).toMatchObject({ output: [{ type: 'function_call', arguments: '{}' }] });
  expect(told('length')).toMatchObject({ output: [{ type: 'function_call', arguments: '' }] });
});
