import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';

/** The upstream decides how many pictures an answer has: each is held before it is delivered (docs/billing.md). */

let upstream: Server;
let scene: Scene;
/** How many pictures the upstream draws in an answer. */
let pictures = 1;
/** What the end of a stream waits for. */
let last: Promise<void> | undefined;

const DRAWING = 'gpt-image-2.6-sunburst';
/** At four units a token, of the usual quality. */
const A_PICTURE = 1056 * 4;
const IMAGE_TOKENS = 1290;

type Asked = Readonly<{ stream?: boolean; input?: string; generationConfig?: { maxOutputTokens?: number } }>;

const event = (type: string, more: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const numbers = (): number[] => Array.from({ length: pictures }, (_, at) => at);
const item = (at: number) => ({ type: 'image_generation_call', id: `ig_${at}`, status: 'completed' });
const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
const response = (status: string) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'telling',
  status,
  ...(status === 'completed' && { output: numbers().map(item), usage }),
});

const streamed = async (answer: ServerResponse, isBrief: boolean): Promise<void> => {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  answer.write(event('response.created', { response: response('in_progress') }));
  for (const at of numbers()) {
    if (answer.destroyed) return;
    const begun = { ...item(at), status: 'in_progress' };
    if (!isBrief) answer.write(event('response.output_item.added', { output_index: at, item: begun }));
    answer.write(
      event('response.image_generation_call.completed', { output_index: at, item_id: `ig_${at}` }),
    );
    answer.write(event('response.output_item.done', { output_index: at, item: item(at) }));
    await new Promise(setImmediate);
  }
  await last;
  answer.end(event('response.completed', { response: response('completed') }));
};

const drawnIn = ({ generationConfig: { maxOutputTokens = 32_768 } = {} }: Asked): number =>
  Math.min(pictures, Math.max(1, Math.floor(maxOutputTokens / IMAGE_TOKENS)));
const PART = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const drawnByGemini = (drawn: number) => ({
  candidates: [
    {
      content: { role: 'model', parts: Array.from({ length: drawn }, () => PART) },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: {
    promptTokenCount: 10,
    candidatesTokenCount: drawn * IMAGE_TOKENS,
    totalTokenCount: 10 + drawn * IMAGE_TOKENS,
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: drawn * IMAGE_TOKENS }],
  },
});
const drawnInChat = () => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Here.', images: numbers().map(() => IMAGE) },
    },
  ],
  usage: {
    prompt_tokens: 10,
    completion_tokens: pictures * IMAGE_TOKENS,
    total_tokens: 10 + pictures * IMAGE_TOKENS,
  },
});

const answerTo = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const asked = JSON.parse(Buffer.concat(pieces).toString()) as Asked;
  const path = request.url ?? '';
  if (path.includes('/responses') && asked.stream === true) {
    await streamed(answer, asked.input === 'briefly');
    return;
  }
  const whole = path.includes('generateContent')
    ? drawnByGemini(drawnIn(asked))
    : path.includes('/responses')
      ? response('completed')
      : drawnInChat();
  answer.writeHead(200, { 'content-type': 'application/json' });
  answer.end(JSON.stringify(whole));
};

beforeAll(async () => {
  upstream = createServer((request, answer) => void answerTo(request, answer));
  const baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl, models: `telling,flat,${DRAWING}` });
  await scene.stage.channel(scene.root, { type: 24, baseUrl, models: 'painting' });
  await scene.set('ModelRatio', JSON.stringify({ telling: 1, flat: 1, painting: 1, [DRAWING]: 1 }));
  await scene.set('CompletionRatio', JSON.stringify({ [DRAWING]: 4 }));
  await scene.set('PriceDimensions', JSON.stringify({ painting: { ratios: { imageOutput: 3 } } }));
});
afterEach(async () => {
  const { database } = scene.server.parts.stores;
  expect(await brokenRules(database)).toEqual([]);
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const send = ({ key }: Spender, path: string, body: object): Promise<Response> =>
  fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const post = async (payer: Spender, path: string, body: object): Promise<string> => {
  const answer = await send(payer, path, body);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return text;
};
const draw = (payer: Spender, more: object): Promise<string> =>
  post(payer, '/v1/responses', {
    model: 'telling',
    input: 'draw',
    tools: [{ type: 'image_generation', quality: 'medium', size: '1024x1024' }],
    ...more,
  });

interface Row {
  readonly units: number;
  readonly model: string;
  readonly hold_units: number;
  readonly not_charged_units?: number;
  readonly limited_by?: string;
}

const rowsOf = async ({ user }: Spender, count: number): Promise<readonly Row[]> => {
  const { logs } = scene.server.parts.stores;
  const read = async () => (await logs.page({ userId: user.id, type: 2 }, { page: 1, pageSize: 50 })).items;
  await expect.poll(async () => (await read()).length).toBe(count);
  return (await read()).map(({ quotaUnits, model, other }) => ({
    ...(JSON.parse(other) as Row),
    units: quotaUnits,
    model,
  }));
};

it.each([
  ['that tells what it begins', 'draw'],
  ['that tells what it has drawn', 'briefly'],
])(
  'a stream %s holds for each picture before it is shown, and ends where the next cannot be paid',
  async (_, input) => {
    pictures = 7;
    const payer = await scene.spender(`s-${input}`, 4000 + 3 * (A_PICTURE + 100));
    const text = await draw(payer, { stream: true, input });
    expect(text).toContain('"type":"response.incomplete"');
    expect(text.match(/"type":"response\.image_generation_call\.completed"/g)).toHaveLength(3);
    const rows = await rowsOf(payer, 2);
    const drawn = rows.find(({ model }) => model === DRAWING);
    expect(drawn?.units).toBeGreaterThanOrEqual(3 * A_PICTURE);
    expect(drawn?.units).toBeLessThan(3 * (A_PICTURE + 100));
    for (const row of rows) {
      expect(row.units).toBeLessThanOrEqual(row.hold_units);
      expect(row).not.toHaveProperty('not_charged_units');
    }
  },
);

it('a stream whose caller can pay draws to its end, and is charged in full', async () => {
  pictures = 7;
  const payer = await scene.spender('rich-stream', 10_000_000);
  expect(await draw(payer, { stream: true })).toContain('"type":"response.completed"');
  const drawn = (await rowsOf(payer, 2)).find(({ model }) => model === DRAWING);
  expect(drawn?.units).toBeGreaterThanOrEqual(7 * A_PICTURE);
  expect(drawn?.hold_units).toBeGreaterThanOrEqual(drawn?.units ?? Infinity);
});

it('what a stream has drawn so far is written down, to be charged if the server is killed before its end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  [pictures, last] = [2, promise];
  const payer = await scene.spender('killed', 10_000_000);
  const drawing = draw(payer, { stream: true });
  const { writer } = scene.server.parts.stores.database;
  const ofPictures = writer.selectFrom('holds').select('checkpoint').where('id', 'like', '%-pictures');
  const saved = async () => (await ofPictures.where('user_id', '=', payer.user.id).execute())[0]?.checkpoint;
  await expect.poll(saved).toBeGreaterThanOrEqual(2 * A_PICTURE);
  resolve();
  await drawing;
  expect((await rowsOf(payer, 2)).find(({ model }) => model === DRAWING)?.units).toBe(await saved());
});

it('a whole reply holds ten pictures if its payer can afford them, whatever limit is set', async () => {
  pictures = 8;
  const payer = await scene.spender('rich-whole', 10_000_000);
  await draw(payer, { max_tool_calls: 1 });
  const drawn = (await rowsOf(payer, 2)).find(({ model }) => model === DRAWING);
  expect(drawn?.units).toBeGreaterThanOrEqual(8 * A_PICTURE);
  expect(drawn?.hold_units).toBeGreaterThanOrEqual(10 * A_PICTURE);
});

it('a whole reply holds three pictures of an account that cannot afford ten', async () => {
  pictures = 2;
  const payer = await scene.spender('some-whole', 12 * A_PICTURE);
  await draw(payer, {});
  const drawn = (await rowsOf(payer, 2)).find(({ model }) => model === DRAWING);
  expect(drawn?.units).toBeGreaterThanOrEqual(2 * A_PICTURE);
  expect(drawn?.hold_units).toBeLessThan(4 * A_PICTURE);
});

it('a whole reply is served to a payer who can afford one picture', async () => {
  pictures = 1;
  const payer = await scene.spender('poor-whole', 2 * 500 + 4096 + A_PICTURE);
  await draw(payer, { max_output_tokens: 4096 });
  expect(await rowsOf(payer, 2)).toHaveLength(2);
});

const PAINT = '/v1beta/models/painting:generateContent';
const contents = [{ role: 'user', parts: [{ text: 'paint' }] }];
const paint = (payer: Spender, generationConfig: object): Promise<string> =>
  post(payer, PAINT, { contents, generationConfig });

it('an answer of text and pictures holds the most that its maker allows', async () => {
  pictures = 12;
  const payer = await scene.spender('painter', 10_000_000);
  await paint(payer, {});
  const [row] = await rowsOf(payer, 1);
  expect(row?.units).toBe(10 + 12 * IMAGE_TOKENS * 3);
  expect(row?.hold_units).toBeGreaterThanOrEqual(32_768 * 3);
});

it('an answer of text and pictures holds at least one picture, however short its limit', async () => {
  pictures = 2;
  const payer = await scene.spender('short-painter', 10_000_000);
  await paint(payer, { maxOutputTokens: 5 });
  const [row] = await rowsOf(payer, 1);
  expect(row?.hold_units).toBeGreaterThanOrEqual(row?.units ?? Infinity);
  expect(row?.hold_units).toBeLessThanOrEqual(4096 * 3 + 500);
});

it('a chat that asks for pictures holds one even if pictures cost as much as text', async () => {
  pictures = 2;
  const payer = await scene.spender('chatting', 10_000_000);
  await post(payer, '/v1/chat/completions', {
    model: 'flat',
    messages: [{ role: 'user', content: 'paint' }],
    modalities: ['image', 'text'],
    max_tokens: 5,
  });
  const [row] = await rowsOf(payer, 1);
  expect(row?.units).toBe(10 + 2 * IMAGE_TOKENS);
  expect(row?.hold_units).toBeGreaterThanOrEqual(row?.units ?? Infinity);
});

it.each([
  ['not enough for the most', 32_768 * 3 - 1],
  ['little more than that', 32_768 * 3 * 3],
])(
  'an answer with pictures leaves an account with %s money for other calls, and is limited',
  async (_, units) => {
    pictures = 12;
    const payer = await scene.spender(`painter of ${units}`, units);
    await paint(payer, {});
    const [row] = await rowsOf(payer, 1);
    expect(row?.hold_units).toBeLessThanOrEqual(8192 * 3 + 500);
    expect(row?.units).toBe(10 + 6 * IMAGE_TOKENS * 3);
    expect(row).toMatchObject({ max_tokens_lowered_to: 8192 });
  },
);

it('of many at once, no more is drawn than the balance pays for, except by the last of them', async () => {
  pictures = 8;
  const each = 10 + 8 * IMAGE_TOKENS * 3;
  const payer = await scene.spender('crowd', 3 * each);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(payer, PAINT, { contents })));
  const served = answers.filter(({ status }) => status === 200).length;
  const rows = await rowsOf(payer, served);
  expect(rows.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(3 * each);
  expect(rows.filter(({ not_charged_units: lost = 0 }) => lost > 0).length).toBeLessThanOrEqual(1);
});
