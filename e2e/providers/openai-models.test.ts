import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { callerRequest } from '../support/caller-request.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import { chatAnswer, responsesAnswer } from '../support/upstreams/scripted-formats.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/**
 * What OpenAI's models refuse at which path (developers.openai.com/api/docs: latest model, models gpt-5.3-codex and
 * gpt-5.4-pro): newer ones call tools only in Responses, and some exist only there.
 */

const TEXT = 'All is well.';
const seen: { readonly path: string; readonly body: Json }[] = [];

const refusalOf = (
  path: string,
  { model, tools, max_output_tokens, temperature }: Json,
): string | undefined => {
  if (path === '/old/v1/responses') return 'Invalid URL (POST /v1/responses)';
  if (path.endsWith('/responses')) {
    if (temperature !== undefined)
      return `Unsupported parameter: 'temperature' is not supported with this model.`;
    return Number(max_output_tokens ?? 16) < 16 ? 'integer below minimum value' : undefined;
  }
  if (/codex/.test(String(model)) && path.startsWith('/new'))
    return 'This model is only supported in v1/responses and not in v1/chat/completions.';
  return tools !== undefined && path.startsWith('/new')
    ? `Function tools with reasoning_effort are not supported for ${String(model)} in /v1/chat/completions.`
    : undefined;
};

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => void parts.push(part));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as Json;
    const path = request.url ?? '';
    seen.push({ path, body });
    if (path.startsWith('/down/')) {
      response.writeHead(500).end();
      return;
    }
    const message = refusalOf(path, body);
    if (message !== undefined) {
      response.writeHead(/URL|only supported/.test(message) ? 404 : 400, {
        'content-type': 'application/json',
      });
      response.end(
        JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
      );
      return;
    }
    const isStream = body['stream'] === true;
    const { events, whole } = (path.endsWith('/responses') ? responsesAnswer : chatAnswer)({ text: TEXT });
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? events() : JSON.stringify(whole));
  });
});

let rig: Rig;
beforeAll(async () => {
  const url = await listening(server);
  const channel = (place: string, type = 1) => ({
    type,
    baseUrl: `${url}/${place}`,
    encryptedKey: 'sk-1',
    other: type === 3 ? 'v1' : '',
    models: `${place}-sol,${place}-codex`,
    modelMapping: JSON.stringify({ [`${place}-sol`]: 'gpt-6-sol', [`${place}-codex`]: 'gpt-5.3-codex' }),
  });
  const both = (place: string, type: number, priority: number) => ({
    ...channel(place, type),
    models: 'both',
    modelMapping: JSON.stringify({ both: 'o3' }),
    priority,
  });
  rig = await startRig(
    [channel('new'), channel('old'), channel('azure', 3), both('down', 1, 1), both('like', 31, 0)],
    {
      ModelRatio: {
        both: 1,
        ...Object.fromEntries(
          ['new', 'old', 'azure'].flatMap((place) => [
            [`${place}-sol`, 1] as const,
            [`${place}-codex`, 1] as const,
          ]),
        ),
      },
      RetryTimes: 1,
    },
  );
});
afterAll(async () => {
  await rig.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => void (seen.length = 0));

const TOOL = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
};

const ask = async (
  format: 'openai-chat' | 'anthropic-messages' | 'gemini',
  model: string,
  { stream }: { readonly stream: boolean },
  beside: Json = {},
) => {
  const { path, body } = callerRequest(format, model, { stream });
  const response = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...beside }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(bytes.toString());
  return saidIn(await eventsOf(chatDialects[format], bytes, { stream })).text;
};
const paths = (): string[] => seen.map(({ path }) => path);

test.each([false, true])(
  'a caller of Messages with tools is answered in Responses (stream: %s)',
  async (stream) => {
    expect(await ask('anthropic-messages', 'new-sol', { stream }, { tools: [TOOL], temperature: 0 })).toBe(
      TEXT,
    );
    expect(paths()).toEqual(['/new/v1/responses']);
    expect(seen[0]?.body).toMatchObject({
      model: 'gpt-6-sol',
      store: false,
      tools: [{ name: 'get_weather' }],
    });
  },
);

test('so is one of Gemini, and one at Azure', async () => {
  expect(await ask('gemini', 'new-sol', { stream: true })).toBe(TEXT);
  expect(await ask('anthropic-messages', 'azure-sol', { stream: true })).toBe(TEXT);
  expect(paths()).toEqual(['/new/v1/responses', '/azure/openai/v1/responses']);
});

test('a caller of chats reaches a model that has none', async () => {
  expect(await ask('openai-chat', 'new-codex', { stream: true })).toBe(TEXT);
  expect(await ask('openai-chat', 'new-sol', { stream: false })).toBe(TEXT);
  expect(paths()).toEqual(['/new/v1/responses', '/new/v1/chat/completions']);
});

test('what Responses cannot say is said in chats', async () => {
  const twice = { generationConfig: { candidateCount: 2 } };
  expect(await ask('gemini', 'new-sol', { stream: false }, twice)).toBe(TEXT);
  expect(paths()).toEqual(['/new/v1/chat/completions']);
});

test('the shortest answer that can be asked for is asked for', async () => {
  expect(await ask('anthropic-messages', 'new-sol', { stream: false }, { max_tokens: 1 })).toBe(TEXT);
  expect(seen[0]?.body).toMatchObject({ max_output_tokens: 16 });
});

test('a server of the kind without Responses is asked for chats, and remembered as such', async () => {
  expect(await ask('anthropic-messages', 'old-sol', { stream: true }, { tools: [TOOL] })).toBe(TEXT);
  expect(await ask('openai-chat', 'old-codex', { stream: false })).toBe(TEXT);
  expect(paths()).toEqual(['/old/v1/responses', '/old/v1/chat/completions', '/old/v1/chat/completions']);
});

test('what is left out for OpenAI is said to another kind that the call is tried again at', async () => {
  const beside = { temperature: 0.5, top_p: 0.9 };
  expect(await ask('anthropic-messages', 'both', { stream: false }, beside)).toBe(TEXT);
  expect(seen.map(({ path, body }) => [path, body['model'], body['temperature'], body['top_p']])).toEqual([
    ['/down/v1/chat/completions', 'o3', undefined, undefined],
    ['/like/v1/chat/completions', 'o3', 0.5, 0.9],
  ]);
});
