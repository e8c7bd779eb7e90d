import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import { openaiChat } from '../../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses.ts';

const START = { type: 'start', id: 'chatcmpl-1', model: 'm' } as const;
const asked = {
  model: 'm',
  input: 'hi',
  instructions: 'be short',
  metadata: { order: '7' },
  temperature: 0.5,
  max_output_tokens: 900,
  tool_choice: 'required',
  text: { format: { type: 'json_object' }, verbosity: 'low' },
  reasoning: { effort: 'low', summary: 'auto' },
  truncation: 'auto',
  safety_identifier: 'someone',
};

describe('a converted response', () => {
  test('says what was asked for, from its first event to its last', () => {
    const writer = openaiResponses.openWriter(openaiResponses.readRequest(asked));
    const frames = [...writer.write(START), ...writer.end()];
    const said = frames.map(({ data }) => JSON.parse(data.toString()) as { response: Fields });
    const { model: _, input: __, instructions: ___, ...echoed } = asked;
    expect(said).toHaveLength(3);
    for (const { response } of said) expect(response).toMatchObject({ ...echoed, store: false });
  });

  test('says the defaults where nobody asked for anything', () => {
    expect(openaiResponses.writeWhole([START])).toMatchObject({
      temperature: 1,
      tool_choice: 'auto',
      metadata: {},
    });
  });

  test('that fails says so in the published words and in those clients raise', () => {
    const writer = openaiResponses.openWriter();
    const error = new AppError('invalid_request', 'too long', { param: 'input', reason: 'too_long' });
    const [first] = writer
      .write({ type: 'error', error })
      .map(({ data }) => JSON.parse(data.toString()) as Fields)
      .filter(({ type }) => type === 'error');
    expect(first).toMatchObject({
      type: 'error',
      code: 'too_long',
      message: 'too long',
      param: 'input',
      error: { code: 'too_long', message: 'too long' },
    });
  });
});

describe('a citation', () => {
  test('stands at the same place of the text in both formats of OpenAI', () => {
    const place = { start_index: 4, end_index: 8, url: 'https://x.example', title: 'T' };
    const message = {
      content: 'see here',
      annotations: [{ type: 'url_citation', url_citation: place }],
    };
    const chat = {
      id: 'c',
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
    };
    const response = openaiResponses.writeWhole(openaiChat.readWhole(chat));
    const annotations = [{ type: 'url_citation', ...place }];
    expect(response).toMatchObject({ output: [{ content: [{ annotations }] }] });
    const back = openaiChat.writeWhole(openaiResponses.readWhole(response));
    expect(back).toMatchObject({ choices: [{ message }] });
  });
});

describe('a chat for an upstream of the Responses format', () => {
  const written = (more: object): Fields =>
    openaiResponses.writeRequest(
      openaiChat.readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more }),
    );

  test('keeps what both formats of OpenAI have', () => {
    const same = {
      metadata: { order: '7' },
      service_tier: 'flex',
      prompt_cache_key: 'k',
      safety_identifier: 'someone',
    };
    expect(written({ ...same, verbosity: 'low' })).toMatchObject({
      ...same,
      text: { verbosity: 'low' },
      store: false,
    });
  });

  test('gives a function without parameters the empty ones that are looked for', () => {
    const tools = [{ type: 'function', function: { name: 'now' } }];
    expect(written({ tools })['tools']).toEqual([
      { type: 'function', name: 'now', parameters: { type: 'object', properties: {} }, strict: false },
    ]);
  });
});
