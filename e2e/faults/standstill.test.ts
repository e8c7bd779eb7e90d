import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { makeToken, setOption, setUp } from '../support/operator.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** The whole server is suspended while its upstream continues, as when a machine sleeps or a core is busy. */

const STREAMS = 50;
const IDLE_LIMIT_MS = 2500;
const STANDSTILL_MS = 6000;

let simulator: RunningSimulator;
let tollgate: Tollgate;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 10 });
  tollgate = await startTollgate();
});
afterAll(async () => {
  await tollgate.stop();
  await simulator.stop();
});

/** Reads one stream to its end; `begun` is called with its first bytes. */
const listen = async (key: string, begun: () => void): Promise<string> => {
  const response = await fetch(`${tollgate.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o',
      stream: true,
      max_tokens: 40,
      messages: [{ role: 'user', content: 'Tell a long story' }],
    }),
  });
  const parts: Uint8Array[] = [];
  for await (const part of response.body ?? []) {
    if (parts.length === 0) begun();
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
};

test('no stream is cut because of our own stall: waiting socket data is read first', async () => {
  const operator = await setUp(tollgate);
  await setOption(operator, 'ModelRatio', { 'gpt-4o': 1 });
  const setting = JSON.stringify({ idle_timeout_ms: IDLE_LIMIT_MS });
  const channel = { type: 1, name: 'c', key: 'sk-simulated', base_url: simulator.url, models: 'gpt-4o' };
  await operator.call('/api/channel', { method: 'POST', body: { ...channel, group: 'default', setting } });
  const { key } = await makeToken(operator);
  let begun = 0;
  const streams = Array.from({ length: STREAMS }, () => listen(key, () => (begun += 1)));
  await expect.poll(() => begun).toBe(STREAMS);
  process.kill(tollgate.program.pid, 'SIGSTOP');
  await wait(STANDSTILL_MS);
  process.kill(tollgate.program.pid, 'SIGCONT');
  const texts = await Promise.all(streams);
  expect(texts.filter((text) => text.includes('"error"'))).toEqual([]);
  expect(texts.filter((text) => text.endsWith('data: [DONE]\n\n'))).toHaveLength(STREAMS);
});
