import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import type { OptionValues } from '../../src/contract/options.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { useGateway } from '../faults/use-gateway.ts';
import { type Case, cases, TOKENS } from './hosted-tool-wires.ts';

/**
 * Tools that an upstream runs itself and is paid for by the call: counted from each provider's report, charged
 * beside the tokens.
 */

const { start } = useGateway();

/** Answers like the case whose number begins the path; `broken` omits the last event. */
const upstream = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url ?? '';
    const [, at = '', kind = ''] = /^\/(\d+)-(\w+)/.exec(path) ?? [];
    const { whole, events } = cases[Number(at)] ?? { whole: {}, events: [] };
    if (!path.includes(':stream') && !/"stream":\s*true/.test(Buffer.concat(chunks).toString())) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(whole));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [name, data] of kind === 'broken' ? events.slice(0, -1) : events)
      response.write(`${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
    response.end();
  });
});

const channelOf = (index: number, kind = 'good') => {
  const { type, model } = cases[index] ?? { type: 0, model: '' };
  const { port } = upstream.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${String(port)}/${String(index)}-${kind}`, type, models: model };
};

const ONES = Object.fromEntries(cases.map(({ model }) => [model, 1]));
const PRICES: Partial<OptionValues> = { ModelRatio: ONES, CompletionRatio: ONES };

let shared: Rig;
beforeAll(async () => {
  await listening(upstream);
  shared = await startRig(
    cases.map((_, index) => channelOf(index)),
    PRICES,
  );
});
afterAll(async () => {
  await shared.stop();
  await new Promise<void>((resolve) => upstream.close(() => resolve()));
});

const call = (
  rig: Rig,
  { path, model, body }: Case,
  { stream }: { readonly stream: boolean },
): Promise<Response> => {
  const isGemini = path.startsWith('/v1beta');
  const streamed = isGemini ? `${path.replace(':generate', ':streamGenerate')}?alt=sse` : path;
  return fetch(rig.url + (stream ? streamed : path), {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(isGemini ? body : { ...body, model, stream }),
  });
};

const rowOf = async (rig: Rig) => {
  await expect.poll(rig.openHolds).toBe(0);
  const row = (await rig.logs()).at(-1);
  return {
    quota: row?.quota,
    other: JSON.parse(row?.other ?? '{}') as Readonly<Record<string, unknown>>,
  };
};

describe.each(cases)('$name ($reference)', (one) => {
  test.each([false, true])(
    'is charged beside the tokens, and told in the row (stream: %s)',
    async (stream) => {
      const { used } = await shared.balance();
      const response = await call(shared, one, { stream });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Found.')]);
      const { quota, other } = await rowOf(shared);
      expect(quota).toBe(TOKENS + one.units);
      const steps = other['price_steps'] as readonly { readonly units: string }[];
      expect(steps.reduce((sum, { units }) => sum + Number(units), 0)).toBe(quota);
      expect((await shared.balance()).used - used).toBe(quota);
    },
  );
});

describe('the price of a tool', () => {
  const [openai] = cases as readonly [Case, ...Case[]];

  test("is the operator's where one is set, times the group's ratio, and named in the row", async () => {
    const rig = await start([channelOf(0)], {
      ...PRICES,
      'tool_price_setting.prices': { web_search: 20, 'web_search:gpt-5*': 2, file_search: 0 },
      GroupRatio: { default: 2 },
    });
    await (await call(rig, openai, { stream: false })).text();
    const { quota, other } = await rowOf(rig);
    expect(quota).toBe(2 * (TOKENS + 2 * 1000));
    expect(other).toMatchObject({ web_search: true, web_search_call_count: 2, web_search_price: 2 });
  });

  test('is paid beside a price per call', async () => {
    const rig = await start([channelOf(0)], { ModelPrice: { [openai.model]: 0.01 } });
    await (await call(rig, openai, { stream: false })).text();
    expect((await rowOf(rig)).quota).toBe(5000 + 2 * 5000 + 1250);
  });

  test('is held before the call: a balance it is more than is refused', async () => {
    const rig = await start([channelOf(0)], PRICES, 4000);
    const response = await call(rig, openai, { stream: false });
    const said = await response.text();
    expect([response.status, said]).toEqual([403, expect.stringContaining('insufficient_user_quota')]);
    expect((await rig.balance()).used).toBe(0);
  });

  test('is charged for the calls that were seen where a stream breaks off', async () => {
    const rig = await start([channelOf(0, 'broken')], PRICES);
    await (await call(rig, openai, { stream: true })).text();
    const { other } = await rowOf(rig);
    expect(other).toMatchObject({ web_search_call_count: 2, file_search_call_count: 1 });
  });

  test('is charged for one container where a stream breaks off: how many there were is not known', async () => {
    const [, code] = cases as readonly [Case, Case, ...Case[]];
    const rig = await start([channelOf(1, 'broken')], PRICES);
    await (await call(rig, code, { stream: true })).text();
    expect((await rowOf(rig)).other).toMatchObject({ code_interpreter_call_count: 1 });
  });

  test('is charged to callers of other formats alike', async () => {
    const { model } = cases.find(({ type }) => type === 14) as Case;
    const messages = [{ role: 'user', content: 'look it up' }];
    const body = { messages, max_tokens: 100, web_search_options: {} };
    const asChat = { ...openai, model, path: '/v1/chat/completions', body };
    const response = await call(shared, asChat, { stream: false });
    expect(response.status).toBe(200);
    await response.text();
    expect((await rowOf(shared)).quota).toBe(TOKENS + 3 * 5000);
  });
});
