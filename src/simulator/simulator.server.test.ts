import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from './start.ts';

let simulator: RunningSimulator;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator();
  client = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: 'sk-simulated', maxRetries: 0 });
});
afterAll(() => simulator.stop());
beforeEach(() => simulator.reset());

const question = (content: string) => [{ role: 'user' as const, content }];

describe('the fake upstream, asked by a real client', () => {
  test('a streamed answer adds up to the whole one, and so does its usage', async () => {
    const request = { model: 'gpt-4o-mini', messages: question('Write some python code') };
    const whole = await client.chat.completions.create(request);
    const stream = await client.chat.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let usage: unknown;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    expect(text).toContain('```python');
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(usage).toEqual(whole.usage);
  });

  test('Chinese is answered in Chinese', async () => {
    const reply = await client.chat.completions.create({
      model: 'gpt-4o-mini',
      messages: question('写一个函数'),
    });
    expect(reply.choices[0]?.message.content).toContain('可以这样写');
  });

  test('a limit ends the answer with its reason, and several answers are counted each', async () => {
    const reply = await client.chat.completions.create({
      model: 'm',
      messages: question('hello'),
      max_tokens: 5,
      n: 3,
    });
    expect(reply.choices.map((choice) => choice.finish_reason)).toEqual(['length', 'length', 'length']);
    expect(reply.usage?.completion_tokens).toBe(15);
  });

  test('a tool is called when the user speaks of it', async () => {
    const tools = [
      {
        type: 'function' as const,
        function: {
          name: 'get_weather',
          parameters: { type: 'object', properties: { city: { type: 'string' } } },
        },
      },
    ];
    const stream = client.chat.completions.stream({
      model: 'm',
      messages: question('What is the weather in Rome?'),
      tools,
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.finish_reason).toBe('tool_calls');
    const [call] = final.choices[0]?.message.tool_calls ?? [];
    expect(call?.type === 'function' && call.function).toMatchObject({
      name: 'get_weather',
      arguments: '{"city":"Rome"}',
    });
  });

  test('embeddings, old completions and models answer in their formats', async () => {
    const embeddings = await client.embeddings.create({
      model: 'text-embedding-3-small',
      input: ['a', 'b'],
      dimensions: 8,
    });
    expect(embeddings.data.map((item) => item.embedding.length)).toEqual([8, 8]);
    const completion = await client.completions.create({
      model: 'gpt-3.5-turbo-instruct',
      prompt: 'Say',
      max_tokens: 4,
    });
    expect(completion.choices[0]?.finish_reason).toBe('length');
    expect((await client.models.list()).data.map((model) => model.id)).toContain('gpt-4o-mini');
  });

  test('it tells what arrived and what is still open', async () => {
    const controller = new AbortController();
    const hanging = fetch(`${simulator.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'fault-hang-before-headers', messages: question('x') }),
      headers: { authorization: 'Bearer sk-mine' },
      signal: controller.signal,
    });
    await expect.poll(async () => (await simulator.calls()).open).toBe(1);
    const report = await simulator.calls();
    expect(report.count).toBe(1);
    expect(report.last).toMatchObject({
      model: 'fault-hang-before-headers',
      state: 'open',
      path: '/v1/chat/completions',
    });
    expect(report.last?.headers['authorization']).toBe('Bearer sk-mine');
    controller.abort();
    await expect(hanging).rejects.toThrow('abort');
    await expect.poll(async () => (await simulator.calls()).last?.state).toBe('cut');
    expect((await simulator.calls()).open).toBe(0);
  });

  test('the models of benchmarks: 1 KB at once, and streams of so many chunks', async () => {
    const post = (body: unknown) =>
      fetch(`${simulator.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
    expect((await (await post({ model: 'fast' })).arrayBuffer()).byteLength).toBe(1024);
    const stream = await (await post({ model: 'chunks-7-1', stream: true })).text();
    expect(stream.split('measured').length - 1).toBe(7);
    expect(stream.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('what is left of the money, the ways OpenAI and DeepSeek say it', async () => {
    const ask = async (path: string) => (await fetch(`${simulator.url}${path}`)).json();
    expect(await ask('/v1/dashboard/billing/subscription')).toMatchObject({ hard_limit_usd: 20 });
    expect(await ask('/v1/dashboard/billing/usage?start_date=2026-01-01')).toMatchObject({
      total_usage: 750,
    });
    expect(await ask('/user/balance')).toMatchObject({ balance_infos: [{ total_balance: '12.50' }] });
  });
});
