import { describe, expect, test } from 'vitest';
import type { ChatRequest, Reasoning } from '#core/chat/request.ts';
import { betterAtOpenai, chatAtOpenai } from './openai-models.ts';

const asking = (model: string, beside: Partial<ChatRequest> = {}): ChatRequest => ({
  model,
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
  extras: {},
  ...beside,
});

describe('the format a model is better asked in', () => {
  test.each([
    ['gpt-6-sol', 'anthropic-messages', 'openai-responses'],
    ['gpt-5.6-luna', 'gemini', 'openai-responses'],
    ['gpt-5.4-mini', 'anthropic-messages', 'openai-responses'],
    // Callers of chats say chats themselves.
    ['gpt-6-sol', 'openai-chat', undefined],
    ['gpt-5.3-codex', 'openai-chat', 'openai-responses'],
    ['gpt-5-pro-2025-10-06', 'openai-chat', 'openai-responses'],
    ['o3-pro', 'gemini', 'openai-responses'],
    ['gpt-5.3-codex', 'openai-responses', undefined],
    ['gpt-5', 'anthropic-messages', undefined],
    ['gpt-4o', 'gemini', undefined],
    ['gpt-35-turbo', 'gemini', undefined],
    ['deepseek-v4-pro', 'anthropic-messages', undefined],
  ])('%s for callers of %s: %s', (model, caller, format) => {
    expect(betterAtOpenai(model, caller)?.name).toBe(format);
  });
});

describe('an effort becomes one that the model knows', () => {
  const effortOf = (model: string, effort: NonNullable<Reasoning['effort']>) =>
    chatAtOpenai.writeRequest(asking(model, { reasoning: { effort } }))['reasoning_effort'];
  test.each([
    ['o3', 'none', 'low'],
    ['o3', 'max', 'high'],
    ['gpt-5', 'none', 'minimal'],
    ['gpt-5-mini', 'xhigh', 'high'],
    ['gpt-5.1', 'minimal', 'low'],
    ['gpt-5.2', 'max', 'xhigh'],
    ['gpt-6-astra', 'none', 'low'],
    ['gpt-6.1-sol', 'max', 'max'],
    ['gpt-6-luna', 'none', 'none'],
    ['a-model-of-others', 'max', 'max'],
  ] as const)('%s: %s is said as %s', (model, effort, said) => {
    expect(effortOf(model, effort)).toBe(said);
  });
});

test.each([
  ['gpt-6-sol', {}],
  ['o3', {}],
  ['gpt-4o', { temperature: 0.2, top_p: 0.5 }],
  ['gpt-5-chat-latest', { temperature: 0.2, top_p: 0.5 }],
])('%s is sent a temperature only where it accepts one', (model, told) => {
  const { temperature, top_p } = chatAtOpenai.writeRequest(asking(model, { temperature: 0.2, topP: 0.5 }));
  expect(JSON.parse(JSON.stringify({ temperature, top_p }))).toEqual(told);
});

test.each(['gpt-4o', 'gpt-4.1-mini', 'gpt-35-turbo', 'gpt-5-chat-latest'])(
  '%s is not told how hard to think',
  (model) => {
    const written = chatAtOpenai.writeRequest(
      asking(model, { reasoning: { enabled: true, budgetTokens: 4000 } }),
    );
    expect(written['reasoning_effort']).toBeUndefined();
  },
);

test('a model that does not think takes its temperature', () => {
  const request = asking('gpt-6-luna', { temperature: 0.2, reasoning: { effort: 'none' } });
  expect(chatAtOpenai.writeRequest(request)).toMatchObject({ temperature: 0.2, reasoning_effort: 'none' });
});

test('an answer is limited to no less than can be asked for', () => {
  const limitOf = (maxOutputTokens: number) =>
    betterAtOpenai('gpt-6-sol', 'gemini')?.writeRequest(asking('gpt-6-sol', { maxOutputTokens }))[
      'max_output_tokens'
    ];
  expect([1, 16, 400].map(limitOf)).toEqual([16, 16, 400]);
});

describe('thinking that is switched off', () => {
  test.each([
    ['gpt-5', { budgetTokens: 0 }, 'minimal'],
    ['gpt-5.2', { enabled: false }, 'none'],
    ['o3', { enabled: false }, 'low'],
    // A model that does not think takes no effort.
    ['gpt-4o', { enabled: false }, undefined],
    // A switch of other makers' models has no word here.
    ['a-model-of-others', { enabled: false }, undefined],
    ['gpt-5', { enabled: true }, undefined],
  ])('becomes the least effort that %s knows', (model, reasoning, said) => {
    expect(chatAtOpenai.writeRequest(asking(model, { reasoning }))['reasoning_effort']).toBe(said);
  });
});

describe('an answer that is to be a list', () => {
  const schema = { type: 'array', items: { type: 'string' } };
  const list = { responseFormat: { type: 'json-schema', name: 'l', schema } } as const;

  test("is asked for in words at OpenAI's models, which take schemas of objects alone", () => {
    const chat = chatAtOpenai.writeRequest(asking('gpt-5', list));
    const responses = betterAtOpenai('gpt-5.3-codex', 'gemini')?.writeRequest(asking('gpt-5.3-codex', list));
    expect(chat['response_format']).toBeUndefined();
    expect(responses?.['text']).toBeUndefined();
    for (const body of [chat, responses]) {
      expect(JSON.stringify(body)).toContain('one valid JSON value');
      expect(JSON.stringify(body)).toContain(JSON.stringify(JSON.stringify(schema)).slice(1, -1));
    }
  });

  test('is asked for by its schema at models of others', () => {
    const body = chatAtOpenai.writeRequest(asking('a-model-of-others', list));
    expect(body['response_format']).toEqual({ type: 'json_schema', json_schema: { name: 'l', schema } });
  });
});

test('where JSON is asked for in the instructions alone, they go to Responses as input, which has to name it', () => {
  const system = { role: 'system', content: [{ type: 'text', text: 'Answer in JSON' }] } as const;
  const question = { role: 'user', content: [{ type: 'text', text: 'x' }] } as const;
  const body = betterAtOpenai('gpt-5.3-codex', 'openai-chat')?.writeRequest(
    asking('gpt-5.3-codex', { messages: [system, question], responseFormat: { type: 'json' } }),
  );
  expect(body?.['instructions']).toBeUndefined();
  expect(body?.['input']).toEqual([
    { role: 'system', content: 'Answer in JSON' },
    { role: 'user', content: 'x' },
  ]);
});

describe('a picture that a model drew earlier', () => {
  const image = { type: 'image', media: { from: 'base64', data: 'AA', mediaType: 'image/png' } } as const;
  const said = (text: string) => ({ type: 'text', text }) as const;
  const call = { type: 'tool-call', id: 'c', name: 'f', argumentsText: '{}' } as const;
  const result = { type: 'tool-result', callId: 'c', content: [said('done')] } as const;
  const sent = (model: string, ...messages: ChatRequest['messages'][number][]) =>
    chatAtOpenai.writeRequest(asking(model, { messages }))['messages'];
  const shown = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };

  test("is the user's at OpenAI's chat, whose assistants have no pictures", () => {
    const drawn = { role: 'assistant', content: [said('here'), image] } as const;
    expect(sent('gpt-5', drawn, { role: 'user', content: [said('bigger')] })).toEqual([
      { role: 'assistant', content: 'here' },
      { role: 'user', content: [shown, { type: 'text', text: 'bigger' }] },
    ]);
  });

  test('comes after the results of the calls beside it', () => {
    const drawn = { role: 'assistant', content: [image, call] } as const;
    const roles = (sent('gpt-5', drawn, { role: 'tool', content: [result] }) as { role: string }[]).map(
      ({ role }) => role,
    );
    expect(roles).toEqual(['assistant', 'tool', 'user']);
  });

  test('stays in the answer at models of others, which have a field for it', () => {
    expect(sent('a-model-of-others', { role: 'assistant', content: [image] })).toMatchObject([
      { role: 'assistant', images: [shown] },
    ]);
  });
});
