import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAlike } from '#core/testing/thread-time.ts';
import { promptHead, sessionMark } from './session-of.ts';

const facts = {
  model: 'm',
  stream: false,
  maxOutputTokens: undefined,
  choices: 1,
  inputTokensEstimate: 5000,
  wantsStreamUsage: false,
};
const markOf = (told: object, headers: Record<string, string> = {}, more: object = {}) =>
  sessionMark({ operation: 'chat', headers }, { fields: { ...told }, far: undefined, facts, ...more });
const text = 'The beginning of a prompt. '.repeat(100);

describe('the mark of a session', () => {
  test('is what is said about caches, then a header, then a user, then how the prompt begins', () => {
    const messages = [{ role: 'user', content: 'hi' }];
    const metadata = { user_id: 'u' };
    const headers = { 'session-id': 's' };
    expect(markOf({ messages, metadata, prompt_cache_key: 'k' }, headers)).toEqual({
      from: 'prompt_cache_key',
      text: 'k',
    });
    expect(markOf({ messages, metadata }, headers)).toEqual({ from: 'session-id', text: 's' });
    expect(markOf({ messages, metadata })).toEqual({ from: 'metadata.user_id', text: 'u' });
    expect(markOf({ messages })?.from).toBe('prompt');
  });

  test.each([
    ['Claude Code 2.1.330', { 'x-claude-code-session-id': 's' }],
    ['Codex 0.169.0', { 'session-id': 's', 'thread-id': 't' }],
    ['opencode 1.18.33', { 'x-session-id': 's', 'x-session-affinity': 's' }],
    ['opencode 1.18.33, its own provider', { 'x-opencode-session': 's' }],
  ])('is the session that %s names in its headers', (_, headers) => {
    expect(markOf({ messages: [{ role: 'user', content: 'hi' }] }, headers)?.text).toBe('s');
  });

  test('is none for other operations, for short prompts, and where no user says anything', () => {
    expect(
      sessionMark(
        { operation: 'embeddings', headers: { 'session-id': 's' } },
        { fields: {}, far: undefined, facts },
      ),
    ).toBeUndefined();
    const short = { facts: { ...facts, inputTokensEstimate: 1023 } };
    expect(markOf({ messages: [{ role: 'user', content: 'hi' }] }, {}, short)).toBeUndefined();
    expect(markOf({ messages: [{ role: 'system', content: 'hi' }] })).toBeUndefined();
  });

  test('is no empty text, none of another kind, and none too long to be a name', () => {
    for (const wrong of ['', 5, null, ['k'], { k: 1 }, 'k'.repeat(513)])
      expect(markOf({ prompt_cache_key: wrong, metadata: { user_id: wrong } })).toBeUndefined();
    expect(markOf({}, { 'session-id': 's'.repeat(513) })).toBeUndefined();
  });

  test('of a body read in another thread is the one found there', () => {
    const far = { promptHead: 'found there' };
    expect(markOf({}, {}, { far })).toEqual({ from: 'prompt', text: 'found there' });
  });
});

const formats: Readonly<Record<string, (system: string, user: string, more: readonly string[]) => object>> = {
  'OpenAI chat': (system, user, more) => ({
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: user }] },
      ...more.map((content) => ({ role: 'assistant', content })),
    ],
    tools: [{ type: 'function', function: { name: 'read' } }],
  }),
  'OpenAI Responses': (system, user, more) => ({
    instructions: system,
    input: [
      { role: 'user', content: [{ type: 'input_text', text: user }] },
      ...more.map((content) => ({ role: 'assistant', content })),
    ],
  }),
  'Anthropic Messages': (system, user, more) => ({
    system: [{ type: 'text', text: system }],
    messages: [{ role: 'user', content: user }, ...more.map((content) => ({ role: 'assistant', content }))],
    tools: [{ name: 'read' }],
  }),
  Gemini: (system, user, more) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: [
      { parts: [{ text: user }] },
      ...more.map((said) => ({ role: 'model', parts: [{ text: said }] })),
    ],
    tools: [{ functionDeclarations: [{ name: 'read' }] }],
  }),
};

for (const [name, body] of Object.entries(formats))
  describe(`the beginning of a prompt in ${name}`, () => {
    test('stays the same while the session grows', () => {
      const one = promptHead({ ...body(text, text, []) });
      expect(one).toBeDefined();
      expect(promptHead({ ...body(text, text, ['more', 'and more']) })).toBe(one);
    });

    test('differs where system or first message differ, at the beginning or the end', () => {
      const heads = [
        body(text, text, []),
        body(`A${text}`, text, []),
        body(`${text}A`, text, []),
        body(text, `A${text}`, []),
        body(text, `${text}A`, []),
        body('', `${text}${text}`, []),
      ].map((told) => promptHead({ ...told }));
      expect(new Set(heads).size).toBe(heads.length);
    });
  });

test('prompts behind the same context are told apart, in whatever format the context is a part of the first message', () => {
  const heads = ['one', 'two'].flatMap((word) => {
    const said = `${word} ${text}`;
    return [
      { contents: [{ parts: [{ text }, { text: said }] }] },
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text },
              { type: 'text', text: said },
            ],
          },
        ],
      },
    ].map((body) => promptHead(body));
  });
  expect(heads[0]).not.toBe(heads[2]);
  expect(heads[1]).not.toBe(heads[3]);
});

describe('the beginning of any body', () => {
  test('is read without an error and is never long', () => {
    const keys = ['system', 'instructions', 'systemInstruction', 'messages', 'input', 'contents', 'tools'];
    const values = fc.jsonValue({ maxDepth: 5 });
    const bodies = fc.dictionary(fc.constantFrom(...keys), values);
    fc.assert(fc.property(bodies, (told) => void promptHead(told)));
    const many = Array.from({ length: 10_000 }, () => ({ role: 'user', name: text, text, content: text }));
    const huge = { system: many, instructions: many, messages: many, tools: many };
    expect((promptHead(huge) ?? '').length).toBeLessThan(12_000);
    const systems = many.map((message) => ({ ...message, role: 'system' }));
    expect(promptHead({ messages: [...systems, ...many] })).toBeUndefined();
  });

  test('takes no longer however long the prompt is', () => {
    const work = (turns: number) => {
      const told = { ...formats['Anthropic Messages']?.(text.repeat(turns), text, Array(turns).fill(text)) };
      return () => {
        for (let count = 0; count < 500; count += 1) promptHead(told);
      };
    };
    expect(() => expectAlike([work(10), work(1000)], 4)).not.toThrow();
  });
});
