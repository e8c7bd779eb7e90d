import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { callerScene } from '../../http/testing/caller-scene.ts';

/** An upstream that refuses names the places of the body it was sent. Callers are told those of their own, or none. */

const here = callerScene();
const MODELS = { chat: 'refusing-chat', claude: 'refusing-claude', prompted: 'refusing-prompted' };
const CHAT = "Invalid value for 'messages[2].content[0]': 'x' is not allowed. See also tools[1].function.";
const CLAUDE = 'messages.1.content.0.image.source: too small; tools.0.input_schema: odd';

const refusing = createServer((request, response) => {
  request.resume().on('end', () => {
    const isClaude = request.url?.endsWith('/messages') === true;
    const details = [{ field: 'messages[2].content' }, { loc: ['body', 'messages', 2, 'content'] }];
    const error = isClaude
      ? { type: 'invalid_request_error', message: CLAUDE }
      : { type: 'invalid_request_error', param: 'messages[2].content', message: CHAT, details };
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...(isClaude && { type: 'error' }), error }));
  });
});

beforeAll(async () => {
  await listening(refusing);
  const { scene } = here;
  const baseUrl = addressOf(refusing);
  await scene.stage.channel(scene.root, { type: 1, baseUrl, models: MODELS.chat });
  await scene.stage.channel(scene.root, { type: 14, baseUrl, models: MODELS.claude });
  await scene.stage.channel(scene.root, {
    type: 1,
    baseUrl,
    models: MODELS.prompted,
    setting: JSON.stringify({ system_prompt: 'Be brief.' }),
  });
  await scene.set(
    'ModelRatio',
    JSON.stringify(Object.fromEntries(Object.values(MODELS).map((model) => [model, 1]))),
  );
});

afterAll(() => {
  hangUp(refusing);
});

const said = async (path: string, body: object): Promise<string> => {
  const reply = await here.post(path, body);
  expect(reply.status).toBe(400);
  return reply.text();
};
const messages = [{ role: 'user', content: 'Hi' }];

it('who speaks its format reads its own words', async () => {
  const text = await said('/v1/chat/completions', { model: MODELS.chat, messages });
  expect(text).toContain(`"param":"messages[2].content"`);
  expect(text).toContain('tools[1].function');
  expect(text).toContain(`"loc":["body","messages",2,"content"]`);
  expect(await said('/v1/messages', { model: MODELS.claude, max_tokens: 9, messages })).toContain(CLAUDE);
});

it.each([
  [
    'Messages',
    '/v1/messages',
    { model: MODELS.chat, max_tokens: 9, system: 'a', messages },
    "Invalid value for 'messages'",
  ],
  [
    'Gemini',
    `/v1beta/models/${MODELS.chat}:generateContent`,
    { contents: [{ parts: [{ text: 'a' }] }] },
    "Invalid value for 'contents'",
  ],
  ['chat', '/v1/chat/completions', { model: MODELS.claude, messages }, 'messages: too small; tools: odd'],
  [
    'chat behind the operator’s instructions',
    '/v1/chat/completions',
    { model: MODELS.prompted, messages },
    '"param":"messages"',
  ],
])('a caller of %s is told no place in a body that is not its own', async (_, path, body, named) => {
  const text = await said(path, body);
  expect(text).toContain(named);
  expect(text).not.toMatch(/(?:messages|contents|tools)(?:\[\d|\.\d|",\d)/);
});
