import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';

/** Requests with a meaning that the upstream's format has no field for. */

const written = (from: DialectName, to: DialectName, body: object, model = 'm'): Record<string, unknown> =>
  chatDialects[to].writeRequest({ ...chatDialects[from].readRequest({ model: 'm', ...body }), model });

const PNG = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };

test('pictures that tools gave back reach a chat upstream after all results of the turn', () => {
  const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content });
  const { messages } = written('anthropic-messages', 'openai-chat', {
    max_tokens: 10,
    messages: [
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
      },
      {
        role: 'user',
        content: [
          result('a', [{ type: 'image', source: PNG }]),
          result('b', [
            { type: 'text', text: 'two' },
            { type: 'image', source: PNG },
          ]),
          { type: 'text', text: 'and?' },
        ],
      },
      { role: 'assistant', content: 'nice' },
      { role: 'user', content: [result('a', [{ type: 'image', source: PNG }])] },
    ],
  });
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  const elsewhere = 'The result is in the next message.';
  expect((messages as unknown[]).slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: elsewhere },
    { role: 'tool', tool_call_id: 'b', content: 'two' },
    { role: 'user', content: [picture, picture, { type: 'text', text: 'and?' }] },
    { role: 'assistant', content: 'nice' },
    { role: 'tool', tool_call_id: 'a', content: elsewhere },
    { role: 'user', content: [picture] },
  ]);
});

test.each<[DialectName, unknown]>([
  ['openai-chat', [{ role: 'user', content: 'Guide\nhttps://example.com/a\nfirst\nsecond' }]],
  ['gemini', [{ role: 'user', parts: [{ text: 'Guide\nhttps://example.com/a\nfirst\nsecond' }] }]],
])('a search result that a caller brings is told to %s as text', (to, expected) => {
  const block = {
    type: 'search_result',
    source: 'https://example.com/a',
    title: 'Guide',
    content: [
      { type: 'text', text: 'first' },
      { type: 'text', text: 'second' },
    ],
    citations: { enabled: true },
  };
  const body = { max_tokens: 10, messages: [{ role: 'user', content: [block] }] };
  const request = written('anthropic-messages', to, body);
  expect(request['messages'] ?? request['contents']).toEqual(expected);
  expect(written('anthropic-messages', 'anthropic-messages', body)['messages']).toEqual(body.messages);
});

test.each<[string, object, unknown]>([
  ['reasoning_effort', { reasoning_effort: 'low' }, { budget_tokens: 2048 }],
  ['an effort for a router', { reasoning: { effort: 'medium' } }, { budget_tokens: 8192 }],
  ['tokens for a router', { reasoning: { max_tokens: 3000 } }, { budget_tokens: 3000 }],
  ['a switch with tokens', { thinking: { type: 'enabled', budget_tokens: 5000 } }, { budget_tokens: 5000 }],
  [
    'a switch and an effort',
    { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    { budget_tokens: 16_384 },
  ],
  ['a switch', { thinking: { type: 'disabled' } }, { type: 'disabled' }],
  ['the other switch', { enable_thinking: true, thinking_budget: 6000 }, { budget_tokens: 6000 }],
  [
    "Google's words",
    { extra_body: { google: { thinking_config: { thinking_budget: 4000, include_thoughts: true } } } },
    { budget_tokens: 4000 },
  ],
])('a chat caller asks for thinking by %s', (_, fields, thinking) => {
  const body = { max_tokens: 20_000, messages: [{ role: 'user', content: 'hi' }], ...fields };
  expect(written('openai-chat', 'anthropic-messages', body, 'claude-sonnet-4-5')['thinking']).toMatchObject(
    thinking as object,
  );
  // If the upstream speaks the caller's format, the caller's own fields stay, and nothing is added.
  const same = written('openai-chat', 'openai-chat', body);
  expect(same).toMatchObject(fields);
  expect('reasoning_effort' in same).toBe('reasoning_effort' in fields);
});

test('the pieces of an answer that a Gemini client sends back one by one are one turn', () => {
  const signature = Buffer.from('from.anthropic-messages.sig').toString('base64');
  const model = (part: object) => ({ role: 'model', parts: [part] });
  const { messages } = written(
    'gemini',
    'anthropic-messages',
    {
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        model({ text: 'Let me ', thought: true }),
        model({ text: 'see.', thought: true }),
        model({ text: '', thought: true, thoughtSignature: signature }),
        model({ functionCall: { id: 'c', name: 'f', args: {} } }),
        { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'f', response: { output: 'x' } } }] },
      ],
    },
    'claude-sonnet-4-5',
  );
  expect((messages as unknown[])[1]).toEqual({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Let me see.', signature: 'sig' },
      { type: 'tool_use', id: 'c', name: 'f', input: {} },
    ],
  });
});

test('long numbers in arguments reach an upstream that takes objects as they are', () => {
  const id = '{"id":1234567890123456789}';
  const body = {
    messages: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: id } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ],
  };
  expect(JSON.stringify(written('openai-chat', 'anthropic-messages', body))).toContain(`"input":${id}`);
  expect(JSON.stringify(written('openai-chat', 'gemini', body))).toContain(`"args":${id}`);
});

test.each<[DialectName, string]>([
  ['openai-responses', '"arguments":"{}"'],
  ['anthropic-messages', '"input":{}'],
  ['gemini', '"args":{}'],
])(
  'an earlier call without arguments has an empty object of them for %s, which parses them',
  (to, expected) => {
    const called = { id: 'c', type: 'function', function: { name: 'f', arguments: '' } };
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ];
    expect(JSON.stringify(written('openai-chat', to, { messages }))).toContain(expected);
    const input = [
      { role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: ' ' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ];
    expect(JSON.stringify(written('openai-responses', 'openai-chat', { input }))).toContain(
      '"arguments":"{}"',
    );
  },
);

test('a part of Gemini that nobody else knows is refused by its own name', () => {
  const contents = [{ role: 'user', parts: [{ text: 'see' }, { hologram: { depth: 1 } }] }];
  expect(() => written('gemini', 'openai-chat', { contents })).toThrow("holds a part of type 'hologram'");
});

test('refusals of earlier turns stand beside the texts in a chat, whose lists have one or the other', () => {
  const word = fc.stringMatching(/^[a-z]{1,9}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), word), { minLength: 1, maxLength: 6 }), (said) => {
      const content = said.map(([isRefusal, text]) =>
        isRefusal ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] },
      );
      const input = [
        { role: 'user', content: 'hi' },
        { type: 'message', role: 'assistant', content },
        { role: 'user', content: 'go on' },
      ];
      const { messages } = written('openai-responses', 'openai-chat', { input });
      const [, answer] = messages as Record<string, unknown>[];
      const texts = said.flatMap(([isRefusal, text]) => (isRefusal ? [] : text));
      const refusals = said.flatMap(([isRefusal, text]) => (isRefusal ? text : []));
      const parts = texts.length > 1 ? texts.map((text) => ({ type: 'text', text })) : (texts[0] ?? null);
      expect(answer).toEqual({
        role: 'assistant',
        content: parts,
        ...(refusals.length > 0 && { refusal: refusals.join('\n\n') }),
      });
    }),
  );
});

test('the texts of a result stay apart for Gemini, which takes one', () => {
  const content = [
    { type: 'text', text: 'first.txt' },
    { type: 'text', text: 'second.txt' },
  ];
  const { contents } = written('anthropic-messages', 'gemini', {
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content }] },
    ],
  });
  expect((contents as unknown[]).at(-1)).toEqual({
    role: 'user',
    parts: [{ functionResponse: { id: 'c', name: 'f', response: { output: 'first.txt\nsecond.txt' } } }],
  });
});

test.each([
  ['data:image/png;base64,AAAA', 'image/png', 'AAAA'],
  ['data:image/png;charset=utf-8;base64,AAAA', 'image/png', 'AAAA'],
  ['DATA:Image/PNG;name="a.png";x=1;BASE64,AAAA', 'image/png', 'AAAA'],
  ['data:image/svg+xml,%3Csvg%2F%3E', 'image/svg+xml', Buffer.from('<svg/>').toString('base64')],
])('the bytes in an address are read whatever stands before them: %s', (url, mimeType, data) => {
  const content = [{ type: 'image_url', image_url: { url } }];
  const { contents } = written('openai-chat', 'gemini', { messages: [{ role: 'user', content }] });
  expect(contents).toEqual([{ role: 'user', parts: [{ inlineData: { mimeType, data } }] }]);
});
