import { describe, expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { gemini } from '../../../dialects/gemini/gemini.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { providerOf } from '../../registry.ts';

/** A request for JSON reaches every kind of upstream, in its own form or in the common one. */

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const WORDS = 'Answer with one valid JSON object and nothing else.';

const written = (type: number, format: object, text = 'hello', model = 'm'): string => {
  const provider = providerOf(type);
  const body = { model, messages: [{ role: 'user', content: text }], response_format: format };
  const dialect = provider?.dialectFor?.(model, channelOf(type)) ?? provider?.dialect;
  return JSON.stringify(dialect?.writeRequest({ ...openaiChat.readRequest(body), model }));
};
const BY_SCHEMA = { type: 'json_schema', json_schema: { name: 'c', schema } };

describe('a schema', () => {
  // api-docs.deepseek.com/guides/json_mode; docs.bigmodel.cn, structured output; www.xfyun.cn/doc/spark: json_object.
  test.each([16, 26, 43, 18])('is told in words to type %i, which knows JSON and no schemas', (type) => {
    const body = written(type, BY_SCHEMA);
    expect(body).toContain('"response_format":{"type":"json_object"}');
    expect(body).toContain(
      `${WORDS} It fits this JSON schema: ${JSON.stringify(schema).replaceAll('"', '\\"')}`,
    );
  });

  test.each([15, 21, 37, 49, 56])('is told in words to type %i, which only talks', (type) => {
    expect(written(type, BY_SCHEMA)).toContain(`${WORDS} It fits this JSON schema`);
    expect(written(type, { type: 'json_object' })).toContain(WORDS);
    expect(written(type, { type: 'text' })).not.toContain('JSON');
  });

  test.each([17, 20, 42, 45, 108])('goes to type %i as it is', (type) => {
    const body = written(type, BY_SCHEMA);
    expect(body).toContain('"type":"json_schema"');
    expect(body).not.toContain(WORDS);
  });
});

describe('JSON without a schema', () => {
  test.each([1, 3, 17, 43, 108])('adds the word JSON, without which type %i refuses the call', (type) => {
    expect(written(type, { type: 'json_object' })).toContain(WORDS);
    expect(written(type, { type: 'json_object' }, 'as JSON, please')).not.toContain(WORDS);
  });

  test('the word is added after the caller’s instructions', () => {
    const asked = gemini.readRequest({
      model: 'm',
      systemInstruction: { parts: [{ text: 'be brief' }] },
      contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
      generationConfig: { responseMimeType: 'application/json' },
    });
    const body = providerOf(1)?.dialect.writeRequest({ ...asked, model: 'm' });
    expect(body?.['messages']).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'system', content: WORDS },
      { role: 'user', content: 'hello' },
    ]);
  });
});

test('Kimi is sent a temperature only where it has a choice (platform.moonshot.cn/docs)', () => {
  const provider = providerOf(25);
  const asked = {
    messages: [{ role: 'user', content: 'x' }],
    temperature: 0.2,
    top_p: 0.5,
    presence_penalty: 1,
  };
  const sent = (model: string) =>
    provider?.dialect.writeRequest({ ...openaiChat.readRequest({ ...asked, model }), model });
  expect(sent('kimi-k2.6')).toEqual({ model: 'kimi-k2.6', messages: asked.messages });
  expect(sent('moonshot-v1-8k')).toMatchObject({ temperature: 0.2, top_p: 0.5, presence_penalty: 1 });
});
