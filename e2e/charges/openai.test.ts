import OpenAI, { AuthenticationError, BadRequestError, PermissionDeniedError } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { balanceOf, makeChannel, makeToken, setOption, setUp, type Operator } from '../support/operator.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** The official client against the real server; the cost of every call is calculated by hand. */

const CHAT = 'gpt-4o-mini';
const EMBEDDING = 'text-embedding-3-small';
const MODEL_RATIO = 3;
const COMPLETION_RATIO = 4;

let simulator: RunningSimulator;
let tollgate: Tollgate;
let operator: Operator;
let openai: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator();
  tollgate = await startTollgate();
  operator = await setUp(tollgate);
  await setOption(operator, 'ModelRatio', { [CHAT]: MODEL_RATIO, [EMBEDDING]: 0.5 });
  await setOption(operator, 'CompletionRatio', { [CHAT]: COMPLETION_RATIO, [EMBEDDING]: 1 });
  await makeChannel(operator, { name: 'simulator', baseUrl: simulator.url, models: [CHAT, EMBEDDING] });
  const { key } = await makeToken(operator);
  openai = new OpenAI({ baseURL: `${tollgate.url}/v1`, apiKey: key, maxRetries: 0 });
});

afterAll(async () => {
  await tollgate.stop();
  await simulator.stop();
});

const logRow = z.object({
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  is_stream: z.boolean(),
  model_name: z.string(),
});
const logPage = z.object({ items: z.array(logRow), total: z.number() });

interface Charged {
  readonly row: z.infer<typeof logRow> | undefined;
  /** The units taken from the balance. */
  readonly paid: number;
}

/** Makes a call, waits for its log row, and returns the row and the units paid. */
const charged = async (call: () => Promise<unknown>): Promise<Charged> => {
  const consumed = async () => logPage.parse(await operator.call('/api/log/self?type=2&page_size=1'));
  const [before, rowsBefore] = [await balanceOf(operator), await consumed()];
  await call();
  await expect.poll(async () => (await consumed()).total).toBeGreaterThan(rowsBefore.total);
  const [row] = (await consumed()).items;
  return { row, paid: before.quota - (await balanceOf(operator)).quota };
};

const chatPrice = (promptTokens: number, completionTokens: number): number =>
  (promptTokens + completionTokens * COMPLETION_RATIO) * MODEL_RATIO;

test('a whole chat arrives as it was sent and costs what its usage says', async () => {
  let reply: OpenAI.ChatCompletion | undefined;
  const { row, paid } = await charged(async () => {
    reply = await openai.chat.completions.create({
      model: CHAT,
      messages: [{ role: 'user', content: 'say good morning to the gate' }],
    });
  });
  expect(reply?.choices[0]?.message.content).toBe('good morning to the gate');
  expect(reply?.choices[0]?.finish_reason).toBe('stop');
  const { prompt_tokens: prompt = 0, completion_tokens: completion = 0 } = reply?.usage ?? {};
  expect(completion).toBeGreaterThan(0);
  expect(paid).toBe(chatPrice(prompt, completion));
  expect(row).toMatchObject({
    quota: paid,
    prompt_tokens: prompt,
    completion_tokens: completion,
    is_stream: false,
    model_name: CHAT,
  });
});

test('a streamed chat arrives in pieces, without usage the caller did not ask for, and costs the same', async () => {
  const pieces: string[] = [];
  let usageSeen = 0;
  let finish: string | null | undefined;
  const ask = { model: CHAT, messages: [{ role: 'user' as const, content: 'say one two three four five' }] };
  const { row, paid } = await charged(async () => {
    for await (const chunk of await openai.chat.completions.create({ ...ask, stream: true })) {
      const [choice] = chunk.choices;
      pieces.push(choice?.delta.content ?? '');
      finish = choice?.finish_reason ?? finish;
      if (chunk.usage !== undefined && chunk.usage !== null) usageSeen++;
    }
  });
  expect(pieces.join('')).toBe('one two three four five');
  expect(pieces.filter((piece) => piece !== '').length).toBeGreaterThan(1);
  expect(finish).toBe('stop');
  expect(usageSeen).toBe(0);
  expect(row?.is_stream).toBe(true);
  expect(paid).toBe(chatPrice(row?.prompt_tokens ?? 0, row?.completion_tokens ?? 0));
  const whole = await charged(() => openai.chat.completions.create(ask));
  expect(paid).toBe(whole.paid);
});

test('a caller who asks for usage in a stream gets it, and it is what is charged', async () => {
  let usage: OpenAI.CompletionUsage | null | undefined;
  const { paid } = await charged(async () => {
    const stream = await openai.chat.completions.create({
      model: CHAT,
      messages: [{ role: 'user', content: 'say usage please' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream) usage = chunk.usage ?? usage;
  });
  expect(paid).toBe(chatPrice(usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0));
  expect(paid).toBeGreaterThan(0);
});

test('a tool is called, answered, and both calls are charged', async () => {
  const tools: OpenAI.ChatCompletionTool[] = [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather of a place',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
  ];
  const question: OpenAI.ChatCompletionMessageParam = {
    role: 'user',
    content: 'What is the weather in Oslo?',
  };
  let asked: OpenAI.ChatCompletionMessage | undefined;
  const first = await charged(async () => {
    const stream = openai.chat.completions.stream({ model: CHAT, messages: [question], tools });
    asked = (await stream.finalChatCompletion()).choices[0]?.message;
  });
  const call = asked?.tool_calls?.[0];
  if (call?.type !== 'function' || asked === undefined) throw new Error('no tool was called');
  expect(call.function).toMatchObject({ name: 'get_weather', arguments: '{"city":"Oslo"}' });
  expect(first.paid).toBe(chatPrice(first.row?.prompt_tokens ?? 0, first.row?.completion_tokens ?? 0));

  const answer: OpenAI.ChatCompletionToolMessageParam = {
    role: 'tool',
    tool_call_id: call.id,
    content: 'rain',
  };
  let said: string | null | undefined;
  const second = await charged(async () => {
    const messages = [question, asked as OpenAI.ChatCompletionMessageParam, answer];
    const reply = await openai.chat.completions.create({ model: CHAT, messages, tools });
    said = reply.choices[0]?.message.content;
  });
  expect(said).toBe('The tool says: rain');
  expect(second.paid).toBe(chatPrice(second.row?.prompt_tokens ?? 0, second.row?.completion_tokens ?? 0));
});

test('three choices are three answers, and all are charged', async () => {
  let reply: OpenAI.ChatCompletion | undefined;
  const { paid } = await charged(async () => {
    reply = await openai.chat.completions.create({
      model: CHAT,
      n: 3,
      messages: [{ role: 'user', content: 'say hello' }],
    });
  });
  expect(reply?.choices.map((choice) => choice.message.content)).toEqual(['hello', 'hello', 'hello']);
  expect(reply?.usage?.completion_tokens).toBe(3);
  expect(paid).toBe(chatPrice(reply?.usage?.prompt_tokens ?? 0, 3));
});

test('embeddings of several texts are vectors in order, charged by their input', async () => {
  let reply: OpenAI.CreateEmbeddingResponse | undefined;
  const { paid } = await charged(async () => {
    reply = await openai.embeddings.create({
      model: EMBEDDING,
      input: ['one gate', 'two gates'],
      dimensions: 8,
    });
  });
  expect(reply?.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
    [0, 8],
    [1, 8],
  ]);
  expect(paid).toBe(Math.max(1, Math.floor((reply?.usage.prompt_tokens ?? 0) * 0.5 + 0.5)));
});

test('the models a token may call are listed', async () => {
  const ids: string[] = [];
  for await (const model of openai.models.list()) ids.push(model.id);
  expect(ids.toSorted()).toEqual([CHAT, EMBEDDING].toSorted());
  expect((await openai.models.retrieve(CHAT)).id).toBe(CHAT);
});

test('errors arrive as the errors of the client, and cost nothing', async () => {
  const before = await balanceOf(operator);
  const messages = [{ role: 'user' as const, content: 'say hello' }];
  const stranger = new OpenAI({ baseURL: `${tollgate.url}/v1`, apiKey: 'sk-nobody', maxRetries: 0 });
  await expect(stranger.chat.completions.create({ model: CHAT, messages })).rejects.toBeInstanceOf(
    AuthenticationError,
  );
  await expect(openai.chat.completions.create({ model: CHAT, messages: [] })).rejects.toBeInstanceOf(
    BadRequestError,
  );
  await expect(openai.chat.completions.create({ model: CHAT, messages, n: -1 })).rejects.toBeInstanceOf(
    BadRequestError,
  );
  const unknown = openai.chat.completions.create({ model: 'no-such-model', messages });
  await expect(unknown).rejects.toMatchObject({
    status: expect.toSatisfy((status: number) => status >= 400),
  });
  expect((await balanceOf(operator)).quota).toBe(before.quota);
});

test('a token whose budget is spent is refused before anything is sent', async () => {
  const { key } = await makeToken(operator, { name: 'poor', unlimited_quota: false, remain_quota: 1 });
  const poor = new OpenAI({ baseURL: `${tollgate.url}/v1`, apiKey: key, maxRetries: 0 });
  const sentBefore = (await simulator.calls()).count;
  const messages = [{ role: 'user' as const, content: 'say hello' }];
  await expect(poor.chat.completions.create({ model: CHAT, messages })).rejects.toBeInstanceOf(
    PermissionDeniedError,
  );
  expect((await simulator.calls()).count).toBe(sentBefore);
});
