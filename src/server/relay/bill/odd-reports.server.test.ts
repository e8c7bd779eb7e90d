import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';

/** The charge of an answer whose upstream reports too little usage, or reports it late (docs/billing.md). */

const TEXT = 'word '.repeat(200);
/** A token for four bytes. */
const TEXT_TOKENS = 250;
const PROMPT = 'hello there friend '.repeat(20);
/** Two bytes a token are held, and half of that is counted. */
const PROMPT_TOKENS = 108;

type Play = (response: ServerResponse) => void;
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (content: string, more: object = {}): string =>
  event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }], ...more });
const finish = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const report = (usage: object): string => event({ choices: [], usage });
const DONE = 'data: [DONE]\n\n';
const sends =
  (...events: readonly string[]): Play =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
  };

const first = (usage: object): Play => sends(chunk('', { usage }), chunk(TEXT), finish, DONE);
const last = (usage: object): Play => sends(chunk(TEXT), finish, report(usage), DONE);
const claude = (usage: object, end: object | undefined): Play =>
  sends(
    event({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, ...(end && { usage: end }) }),
    event({ type: 'message_stop' }),
  );

const prompt = { prompt_tokens: 100 };
const openai: Readonly<Record<string, readonly [Play, number]>> = {
  'told-before-its-text': [first({ ...prompt, completion_tokens: 1 }), 100 + TEXT_TOKENS],
  'told-as-0-before-its-text': [first({ ...prompt, completion_tokens: 0 }), 100 + TEXT_TOKENS],
  'told-in-advance': [first({ ...prompt, completion_tokens: 240 }), 340],
  'told-without-its-answer': [last(prompt), 100 + TEXT_TOKENS],
  'told-without-its-prompt': [last({ completion_tokens: 30 }), PROMPT_TOKENS + 30],
  'told-in-full': [last({ ...prompt, completion_tokens: 30 }), 130],
};
const early = { input_tokens: 100, output_tokens: 1 };
const anthropic: Readonly<Record<string, readonly [Play, number]>> = {
  'claude-never-told-again': [claude(early, undefined), 100 + TEXT_TOKENS],
  'claude-told-again-as-0': [claude(early, { output_tokens: 0 }), 100 + TEXT_TOKENS],
  'claude-told-again-as-text': [claude(early, { output_tokens: '30' }), 100 + TEXT_TOKENS],
  'claude-told-without-its-prompt': [claude({}, { output_tokens: 30 }), PROMPT_TOKENS + 30],
  'claude-told-in-full': [claude(early, { output_tokens: 30 }), 130],
};
const models = { ...openai, ...anthropic };
const LATE = 'thinks-out-of-sight';

let upstream: Server;
let scene: Scene;
let late: ServerResponse | undefined;

const play = (model: string, response: ServerResponse): void => {
  if (model !== LATE) return models[model]?.[0](response);
  late = response;
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('yes') + finish);
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => play((JSON.parse(body) as { model: string }).model, response));
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  const { stage, root } = scene;
  await stage.channel(root, { baseUrl, models: [...Object.keys(openai), LATE].join(',') });
  await stage.channel(root, { type: 14, baseUrl, models: Object.keys(anthropic).join(',') });
  const one = JSON.stringify(Object.fromEntries([...Object.keys(models), LATE].map((name) => [name, 1])));
  await scene.set('ModelRatio', one);
  await scene.set('CompletionRatio', one);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const ask = ({ key }: Spender, model: string, path: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      max_tokens: 500,
      stream: true,
      messages: [{ role: 'user', content: PROMPT }],
    }),
    ...(signal !== undefined && { signal }),
  });

const chargedTo = async ({ user }: Spender): Promise<number> => {
  const rows = async () =>
    (await scene.server.parts.stores.logs.page({ userId: user.id, type: 2 }, { page: 1, pageSize: 5 })).items;
  await expect.poll(async () => (await rows()).length).toBe(1);
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
  return (await rows())[0]?.quotaUnits ?? 0;
};

describe('an answer', () => {
  it.each(Object.entries(models).map(([model, [, units]]) => [model, units] as const))(
    '%s costs %i tokens, in whichever format it is asked for',
    async (model, units) => {
      for (const path of ['/v1/chat/completions', '/v1/messages']) {
        const spender = await scene.spender(`${model}${path.length}`.slice(0, 40), 1_000_000);
        expect(await (await ask(spender, model, path)).text()).toContain('word');
        expect(await chargedTo(spender)).toBe(units);
      }
    },
  );

  it.each(['/v1/chat/completions', '/v1/messages'])(
    'that is whole is paid as its upstream tells a moment later, though its caller has left (%s)',
    async (path) => {
      const spender = await scene.spender(`leaves ${path.length}`, 1_000_000);
      const leaving = new AbortController();
      const response = await ask(spender, LATE, path, leaving.signal);
      const reader = response.body?.getReader();
      expect(Buffer.from((await reader?.read())?.value ?? []).length).toBeGreaterThan(0);
      leaving.abort();
      // Who asks after it left is answered after that was heard.
      for (let time = 0; time < 3; time += 1) await fetch(`${scene.server.url}/readyz`);
      late?.end(report({ ...prompt, completion_tokens: 2000 }) + DONE);
      expect(await chargedTo(spender)).toBe(2100);
    },
  );
});
