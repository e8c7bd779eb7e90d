import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hangUp, listening } from '../../src/server/outbound/testing/local-server.ts';
import { type Rig, startRig } from './rig.ts';

/** An address of OpenAI's kind that only knows chat completions, as most of them do. */

const asked: string[] = [];
/** Its answer at the other path. */
let refusal = { status: 404, body: { detail: 'Not Found' } as Readonly<Record<string, unknown>> };
const upstream = createServer((request, response) => {
  asked.push(request.url ?? '');
  request.resume();
  const isChat = request.url === '/v1/chat/completions';
  response.writeHead(isChat ? 200 : refusal.status, { 'content-type': 'application/json' });
  const answer = {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'said in chat' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  };
  response.end(JSON.stringify(isChat ? answer : refusal.body));
});
let rig: Rig;

beforeAll(async () => {
  const baseUrl = await listening(upstream);
  rig = await startRig([{ baseUrl }, { baseUrl, models: 'old,new,newer' }], {
    RetryTimes: 0,
    ModelRatio: { m: 1, old: 1, new: 1, newer: 1 },
  });
});
afterAll(async () => {
  await rig.stop();
  hangUp(upstream);
});

const respond = async (model = 'm'): Promise<string> => {
  const response = await fetch(`${rig.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: 'hello' }),
  });
  return response.text();
};

test('a channel that lacks the path of a format is used in its own format, and the path is tried only once', async () => {
  expect(await respond()).toContain('said in chat');
  expect(asked).toEqual(['/v1/responses', '/v1/chat/completions']);
  expect(await respond()).toContain('said in chat');
  expect(asked).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/chat/completions']);
  await expect.poll(rig.openHolds).toBe(0);
  expect((await rig.balance()).used).toBe(14);
});

test('a model that a path does not serve goes by the other, and only that model', async () => {
  const message = "The model 'old' is not supported by this endpoint.";
  refusal = { status: 400, body: { error: { message, type: 'invalid_request_error', param: 'model' } } };
  asked.length = 0;
  expect(await respond('old')).toContain('said in chat');
  expect(await respond('old')).toContain('said in chat');
  expect(asked).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/chat/completions']);
  asked.length = 0;
  await respond('new');
  expect(asked[0]).toBe('/v1/responses');
});

test("any other 4xx is the caller's mistake and is not retried", async () => {
  refusal = {
    status: 400,
    body: { error: { message: "'input' is too long", type: 'invalid_request_error' } },
  };
  asked.length = 0;
  expect(await respond('newer')).toContain('too long');
  expect(asked).toEqual(['/v1/responses']);
});
