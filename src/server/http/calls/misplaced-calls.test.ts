import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Handler } from '../door/front-door-deps.ts';
import { siteRoutes } from '../site/site-routes.ts';
import { openDoor } from '../testing/open-door.ts';

/** Programs whose base address is not quite right. */

const site =
  (word: string): Handler =>
  (_, response) =>
    void response.writeHead(200).end(word);
let door: Awaited<ReturnType<typeof openDoor>>;

beforeAll(async () => {
  door = await openDoor(
    async ({ reply, pathModel = '' }) => {
      reply.start(200, { 'content-type': 'application/json' });
      reply.end(Buffer.from(JSON.stringify({ pathModel })));
    },
    {
      site: siteRoutes({
        metrics: { text: async () => '' },
        ready: () => true,
        published: async () => '{}',
        api: site('api'),
        console: site('console'),
        metricsToken: undefined,
      }),
    },
  );
});
afterAll(() => door.stop());

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${String(door.port)}${path}`);
const post = (path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${String(door.port)}${path}`, { method: 'POST', body: '{}' });

describe('a call to a wrong address', () => {
  test.each([
    ['/chat/completions', '/v1/chat/completions'],
    ['//v1/chat/completions', '/v1/chat/completions'],
    ['/v1/v1/responses', '/v1/responses'],
    ['/v1/chat/completions/', '/v1/chat/completions'],
    ['/openai/v1/embeddings', '/v1/embeddings'],
    ['/api/v1/chat/completions', '/v1/chat/completions'],
    ['/v1beta/v1/chat/completions', '/v1/chat/completions'],
  ])('%s is told the right one, as OpenAI’s clients read it', async (path, meant) => {
    const answer = await post(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining(`(POST ${path}): here it is ${meant};`) },
    });
  });

  test.each([
    ['/models', '/v1/models'],
    ['/v1/v1/models', '/v1/models'],
    ['/v1/models/', '/v1/models'],
    ['/openai/v1/models/gpt-4o', '/v1/models/gpt-4o'],
    ['/api/v1/models', '/v1/models'],
    ['/gemini/v1beta/models', '/v1beta/models'],
  ])('is told the right one where it asks for models: %s', async (path, meant) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain(`(GET ${path}): here it is ${meant};`);
  });

  test('is told the right one in the format of Anthropic’s and Google’s clients', async () => {
    const messages = await post('/v1/v1/messages');
    // Claude Code would say of a 404 that there is something wrong with the model, and not what is.
    expect(messages.status).toBe(400);
    expect(await messages.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('/v1/messages;') },
    });
    for (const before of ['', '/v1beta/v1beta', '/v1/v1beta', '/v1beta/v1alpha'])
      expect(await (await post(`${before}/models/gemini-2.5-flash:generateContent`)).json()).toMatchObject({
        error: {
          status: 'NOT_FOUND',
          message: expect.stringMatching(/\/v1(beta|alpha)\/models\/gemini-2.5-flash:generateContent;/),
        },
      });
    expect((await post('/v1beta/v1beta/cachedContents')).status).toBe(501);
  });

  test('is not corrected where the path belongs to another format or to none', async () => {
    const said = async (path: string): Promise<string> => (await post(path)).text();
    expect(await said('/api/channel/edits')).toBe('api');
    expect(await said('/login')).toBe('console');
    expect(await (await get('/pricing')).text()).toBe('console');
    expect(await (await get('/api/models')).text()).toBe('api');
    expect(await said(`/${'a/'.repeat(400)}chat/completions`)).toBe('console');
    expect(await said('/v1/nothing')).toContain('Invalid URL (POST /v1/nothing)"');
    for (const base of ['/v1', '/v1beta', '/v1alpha', '/pg', '/dashboard/billing']) {
      const answers = await Promise.all([get(base), post(base)]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      expect(await answers[1].text()).toContain(`Invalid URL (POST ${base})`);
    }
    expect((await post('/v1/files')).status).toBe(501);
    expect((await post('/v1/threads/thread_1/messages')).status).toBe(501);
    expect(await said('/threads/thread_1/messages')).toBe('console');
  });
});

test.each(['%3A', '%3a', ':'])('the method of a model may stand behind %s', async (colon) => {
  const answer = await post(`/v1beta/models/gemini-2.5-flash${colon}generateContent`);
  expect(await answer.json()).toEqual({ pathModel: 'gemini-2.5-flash' });
});
