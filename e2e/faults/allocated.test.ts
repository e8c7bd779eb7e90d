import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeChannel, makeToken, setOption, setUp } from '../support/operator.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/**
 * A budget, like those of the console's pages. What a call allocates is the same on a busy machine, which its time is not. Both grow
 * together, by less than anybody can measure at once: within a week of such changes a call came to cost half as much again.
 */
const MOST_BYTES_A_CALL = 91_000;

const METRICS_TOKEN = 'metrics-token';
const CALLERS = 16;
const WARM_UP_CALLS = 160;
const CALLS = 480;
const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'tollgate '.repeat(77).trim() },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 80, total_tokens: 100 },
});

const upstream = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);
  });
});
let tollgate: Tollgate;
let key: string;

beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  const { port } = upstream.address() as AddressInfo;
  // Without optimising compilers: what they leave out depends on how far they have come.
  tollgate = await startTollgate({
    env: { TOLLGATE_METRICS_TOKEN: METRICS_TOKEN },
    nodeFlags: ['--no-opt', '--no-maglev'],
  });
  const operator = await setUp(tollgate);
  await setOption(operator, 'ModelRatio', { m: 0.01 });
  await makeChannel(operator, { name: 'a', baseUrl: `http://127.0.0.1:${port}`, models: ['m'] });
  ({ key } = await makeToken(operator, { unlimited_quota: false, remain_quota: 90_000_000 }));
});
afterAll(async () => {
  await tollgate.stop();
  upstream.close();
  upstream.closeAllConnections();
});

const call = async (): Promise<void> => {
  const response = await fetch(`${tollgate.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"model":"m","messages":[{"role":"user","content":"Say something short about gates."}]}',
  });
  expect(response.status).toBe(200);
  await response.text();
};

const callMany = async (calls: number): Promise<void> => {
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let made = 0; made < calls / CALLERS; made += 1) await call();
    }),
  );
};

const allocatedBytes = async (): Promise<number> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const page = await (await fetch(`${tollgate.url}/metrics`, { headers })).text();
  return Number(/^process_heap_allocated_bytes_total (\d+)$/m.exec(page)?.[1]);
};

test(`a short call allocates at most ${MOST_BYTES_A_CALL} bytes`, async () => {
  await callMany(WARM_UP_CALLS);
  const before = await allocatedBytes();
  await callMany(CALLS);
  const bytesACall = ((await allocatedBytes()) - before) / CALLS;
  expect(bytesACall).toBeGreaterThan(1000);
  expect(Math.round(bytesACall)).toBeLessThanOrEqual(MOST_BYTES_A_CALL);
});
