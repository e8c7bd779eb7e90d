import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { noUsage } from '#core/chat/usage.ts';
import { anthropicMessages } from '../../../dialects/anthropic-messages/anthropic-messages.ts';
import { gemini } from '../../../dialects/gemini/gemini.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../../../dialects/openai-responses/openai-responses.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { auditDatabase } from '../../../store/ledger/audit.ts';
import { chargesOf } from '../../testing/charges-of.ts';

/**
 * An upstream that ignores every limit and says all it has in one piece: what goes out of it is what its payer has money
 * for. All tokens cost one unit, and four letters are a token.
 */

const LETTERS = 200_000;
const TOKENS = LETTERS / 4;
const PROMPT = 10;
const words = 'word '.repeat(LETTERS / 5);
const start: ChatEvent = { type: 'start', id: 'id_1', model: 'm', createdAtMs: 1000 };
const usage: ChatEvent = { type: 'usage', usage: { ...noUsage, inputTokens: PROMPT, outputTokens: TOKENS } };
const finish: ChatEvent = { type: 'finish', choice: 0, reason: 'stop' };
const answers = {
  words: [start, { type: 'text-delta', choice: 0, text: words }, finish, usage],
  thoughts: [start, { type: 'reasoning-delta', choice: 0, text: words }, finish, usage],
  call: [
    start,
    { type: 'tool-call-start', choice: 0, index: 0, id: 'call_1', name: 'draw' },
    { type: 'tool-call-delta', choice: 0, index: 0, argumentsText: JSON.stringify({ of: words }) },
    { ...finish, reason: 'tool-calls' },
    usage,
  ],
} as const satisfies Record<string, readonly ChatEvent[]>;
/** What is said next; joined: the words, their end and the usage in one event. */
let said: keyof typeof answers | 'joined' | 'odd' = 'words';

const told = { prompt_tokens: PROMPT, completion_tokens: TOKENS, total_tokens: PROMPT + TOKENS };
const completion = {
  id: 'id_1',
  object: 'text_completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, text: words, logprobs: null, finish_reason: 'stop' }],
  usage: told,
};
const joined = {
  chat: {
    id: 'id_1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    usage: told,
    choices: [{ index: 0, delta: { role: 'assistant', content: words }, finish_reason: 'stop' }],
  },
  gemini: {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: words }] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: PROMPT,
      candidatesTokenCount: TOKENS,
      totalTokenCount: PROMPT + TOKENS,
    },
  },
};

/** Upstreams that say all of it elsewhere than where a stream has its words. */
const odd: Readonly<Record<string, readonly object[]>> = {
  chat: [
    {
      ...joined.chat,
      choices: [{ index: 0, message: joined.chat.choices[0]?.delta, finish_reason: 'stop' }],
    },
  ],
  messages: [
    {
      type: 'message_start',
      message: { id: 'id_1', type: 'message', role: 'assistant', model: 'm', content: [] },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: words } },
  ],
  responses: [
    {
      type: 'response.completed',
      response: openaiResponses.writeWhole(answers.words),
    },
  ],
};

/** Dify's format, which it has alone. */
const ofDify = { message_id: 'id_1', answer: words, metadata: { usage: told } };
const eventsOfDify = [
  { event: 'message', message_id: 'id_1', answer: words },
  { event: 'message_end', ...ofDify },
];

const asStream = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const replyTo = (path: string, streams: boolean): string => {
  if (path.endsWith('/generations'))
    return JSON.stringify({ created: 1, data: Array.from({ length: 10 }, () => ({ b64_json: 'AAAA' })) });
  if (path.endsWith('/chat-messages')) return streams ? asStream(eventsOfDify) : JSON.stringify(ofDify);
  if (said === 'odd') return asStream(odd[path.split('/').find((name) => name in odd) ?? ''] ?? []);
  const isGemini = path.includes('enerateContent');
  if (path.endsWith('/completions') && !path.includes('chat'))
    return streams ? `data: ${JSON.stringify(completion)}\n\ndata: [DONE]\n\n` : JSON.stringify(completion);
  if (streams && said === 'joined')
    return `data: ${JSON.stringify(isGemini ? joined.gemini : joined.chat)}\n\n${isGemini ? '' : 'data: [DONE]\n\n'}`;
  const ofOpenai = path.endsWith('/responses') ? openaiResponses : openaiChat;
  const dialect = isGemini ? gemini : path.endsWith('/messages') ? anthropicMessages : ofOpenai;
  const events: readonly ChatEvent[] = answers[said === 'joined' ? 'words' : said];
  if (!streams) return JSON.stringify(dialect.writeWhole(events));
  const writer = dialect.openWriter();
  return [...events.flatMap((event) => writer.write(event)), ...writer.end()]
    .map(({ raw }) => raw.toString())
    .join('');
};

const upstream = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
  request.on('end', () => {
    const path = request.url?.split('?')[0] ?? '';
    const streams = path.includes('stream') || /"stream":true|"streaming"/.test(body);
    response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
    response.end(replyTo(path, streams));
  });
});

let scene: Scene;
const MODELS = { 'at-openai': 1, 'at-claude': 14, 'at-gemini': 24 };
beforeAll(async () => {
  const baseUrl = await listening(upstream);
  scene = await openScene();
  const ones = JSON.stringify(
    Object.fromEntries([...Object.keys(MODELS), 'at-dify'].map((model) => [model, 1])),
  );
  await scene.set('ModelRatio', ones);
  await scene.set('CompletionRatio', ones);
  await scene.set('ModelPrice', JSON.stringify({ 'dall-e-3': 0.01 }));
  for (const [model, type] of Object.entries({ ...MODELS, 'dall-e-3': 1, 'at-dify': 37 }))
    await scene.stage.channel(scene.root, { type, baseUrl, models: model, groups: 'default' });
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const messages = [{ role: 'user', content: 'count' }];
/** The path and body of a call, and how an answer that reached its limit ends. */
const callers: Readonly<
  Record<string, (model: string, stream: boolean) => readonly [string, object, string]>
> = {
  chat: (model, stream) => ['/v1/chat/completions', { model, stream, messages }, '"length"'],
  messages: (model, stream) => [
    '/v1/messages',
    { model, stream, max_tokens: 64_000, messages },
    '"max_tokens"',
  ],
  gemini: (model, stream) => [
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: 'count' }] }] },
    '"MAX_TOKENS"',
  ],
  responses: (model, stream) => [
    '/v1/responses',
    { model, stream, input: 'count' },
    '"reason":"max_output_tokens"',
  ],
  completions: (model, stream) => ['/v1/completions', { model, stream, prompt: 'count' }, '"length"'],
};
let users = 0;

/** What a payer with this much gets: the letters of the longest text, and whether it ended as at a limit. */
const asked = async (
  units: number,
  caller: string,
  model: string,
  stream: boolean,
  what: typeof said = 'words',
) => {
  said = what;
  const spender = await scene.spender(`u${(users += 1)}`, units);
  const [path, body, limit] = callers[caller]?.(model, stream) ?? ['', {}, ''];
  const answer = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  const letters = Math.max(0, ...[...text.matchAll(/word [word ]*/g)].map(([found]) => found.length));
  const [charge] = await chargesOf(scene, spender);
  return { letters, isLimited: text.includes(limit), charge };
};

const pairs = [
  ...['chat', 'messages', 'gemini', 'responses'].flatMap((caller) =>
    Object.keys(MODELS).map((model) => [caller, model] as const),
  ),
  ['completions', 'at-openai'] as const,
  ['chat', 'at-dify'] as const,
];

describe.each([true, false])('streamed: %s', (stream) => {
  it.each(pairs)('%s, %s: as many words as are paid, and the end of a limit', async (caller, model) => {
    for (const units of [300, 20_000]) {
      const { letters, isLimited, charge } = await asked(units, caller, model, stream);
      expect(letters).toBeLessThanOrEqual((units - PROMPT) * 4);
      expect(letters).toBeGreaterThan((units - 60) * 4);
      expect(isLimited).toBe(true);
      // A stream is charged as what was shown of it; what a whole answer cost beyond that is in its row.
      expect(charge).toMatchObject(stream ? { units, limited_by: 'quota' } : { units });
      expect(units + (charge?.not_charged_units ?? 0)).toBe(stream ? units : TOKENS + PROMPT);
    }
  });

  it.each(pairs)('%s, %s: all of it for who can pay', async (caller, model) => {
    const { letters, isLimited, charge } = await asked(100_000, caller, model, stream);
    expect([letters, isLimited]).toEqual([LETTERS, false]);
    expect(charge?.units).toBe(TOKENS + PROMPT);
  });

  it.each(['chat', 'messages', 'gemini', 'responses'])(
    '%s: a call that is not paid in full is withheld, and thoughts are cut like words',
    async (caller) => {
      for (const model of Object.keys(MODELS)) {
        const call = await asked(20_000, caller, model, stream, 'call');
        expect(call).toMatchObject({ letters: 0, isLimited: true });
        const { letters, isLimited } = await asked(20_000, caller, model, stream, 'thoughts');
        expect(letters).toBeLessThanOrEqual((20_000 - PROMPT) * 4);
        expect(isLimited).toBe(true);
      }
    },
  );
});

it.each(['chat', 'messages', 'gemini'])(
  '%s: words that come with their end and usage in one event are no different',
  async (caller) => {
    for (const model of ['at-openai', 'at-gemini']) {
      const { letters, isLimited, charge } = await asked(20_000, caller, model, true, 'joined');
      expect(letters).toBeLessThanOrEqual((20_000 - PROMPT) * 4);
      expect(letters).toBeGreaterThan((20_000 - 60) * 4);
      expect(isLimited).toBe(true);
      expect(charge).toMatchObject({ units: 20_000, reported_usage: { completion_tokens: TOKENS } });
    }
  },
);

it.each([
  ['chat', 'at-openai', 0],
  ['responses', 'at-openai', 0],
  ['messages', 'at-claude', 20_000 - 60],
])('%s: words elsewhere than in deltas are paid, too, or cut, or withheld', async (caller, model, least) => {
  const { letters, isLimited, charge } = await asked(20_000, caller, model, true, 'odd');
  expect(letters).toBeGreaterThanOrEqual(least * 4);
  expect(letters).toBeLessThanOrEqual(least * 1.01 * 4);
  expect([isLimited, charge?.units]).toEqual([true, 20_000]);
});

it('of more pictures than were asked for, those go out that are paid', async () => {
  for (const [units, pictures] of [
    [5300, 1],
    [25_000, 5],
    [100_000, 10],
  ] as const) {
    const { key } = await scene.spender(`u${(users += 1)}`, units);
    const answer = await fetch(`${scene.server.url}/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'dall-e-3', prompt: 'a', size: '1024x1024' }),
    });
    expect((await answer.text()).match(/b64_json/g)).toHaveLength(pictures);
  }
});

it('all sums are right after that', async () => {
  const findings = await auditDatabase(scene.server.parts.stores.database, Date.now());
  expect(findings.filter(({ violations }) => violations > 0)).toEqual([]);
});
