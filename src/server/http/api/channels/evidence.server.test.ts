import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { evidenceJobs } from '../../../jobs/evidence-jobs.ts';
import { systemRandom as random } from '../../../system.ts';
import { openScene, type Scene, type Spender } from '../../testing/scene.ts';

/** Evidence from replies, from the call to the file for a dispute. */

const MODEL = 'gpt-4o';
const TEXT = 'The weather in Paris is fine today, and it will be so tomorrow. '.repeat(20);
const COUNTED = Math.round(Buffer.byteLength(TEXT) / 4);
const CALLS = 12;

let upstream: Server;
let scene: Scene;
let spender: Spender;
let honest: number;
let lying: number;

/** The usage to report in place of its own: none, or an impossible one. */
let usage: object | null | undefined;

/** The dishonest upstream answers with a small model and reports twice the tokens. */
const answerOf = (path: string) => {
  const isLying = path.startsWith('/lying/');
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: isLying ? 'gpt-4o-mini-2024-07-18' : 'gpt-4o-2024-08-06',
    choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
    usage: usage === undefined ? usageOf(isLying) : usage,
  };
};

const usageOf = (isLying: boolean) => ({
  prompt_tokens: 100,
  completion_tokens: COUNTED * (isLying ? 2 : 1),
  total_tokens: 100 + COUNTED * (isLying ? 2 : 1),
  prompt_tokens_details: { cached_tokens: isLying ? 50 : 0 },
});

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answerOf(request.url ?? '')));
    });
  });
  await listening(upstream);
  scene = await openScene();
  spender = await scene.spender('alice', 100_000_000);
  const { port } = upstream.address() as AddressInfo;
  const channelAt = (name: string) =>
    scene.stage.channel(scene.root, {
      name,
      baseUrl: `http://127.0.0.1:${port}/${name}`,
      models: MODEL,
      weight: 10,
      setting: JSON.stringify({ cost: { factor: 1 } }),
    });
  honest = (await channelAt('honest')).id;
  lying = (await channelAt('lying')).id;
  await scene.set('evidence_setting.least_calls', 10);
  for (const channel of [honest, lying]) await Promise.all(Array.from({ length: CALLS }, () => ask(channel)));
  await scene.restart();
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

/** Calls through one channel, by disabling the other. */
const ask = async (channel: number): Promise<void> => {
  const other = channel === honest ? lying : honest;
  const { tiers } = scene.server.parts.routing();
  const isOnly =
    tiers
      .get('default')
      ?.get(MODEL)?.[0]
      ?.channels.every(({ id }) => id === channel) === true;
  if (!isOnly) await only(channel, other);
  const answer = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'How is the weather?' }] }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
};

const only = async (on: number, off: number): Promise<void> => {
  await scene.asRoot('/api/channel', { method: 'PUT', body: { id: on, status: 1 } });
  await scene.asRoot('/api/channel', { method: 'PUT', body: { id: off, status: 2 } });
};

const evidenceOf = async (channel: number) => {
  const { data } = await scene.asRoot(`/api/channel/${String(channel)}/evidence`);
  return data as { models: Record<string, unknown>[]; lowered: unknown };
};

describe('evidence', () => {
  it('is found at an upstream that answers with another model and reports too many tokens', async () => {
    expect((await evidenceOf(lying)).models).toMatchObject([
      {
        model: MODEL,
        calls: CALLS,
        named: CALLS,
        named_other: CALLS,
        other_names: [{ name: 'gpt-4o-mini-2024-07-18', calls: CALLS }],
        output: { calls: CALLS, tokens_over: CALLS * COUNTED },
        cache: { calls: CALLS, tokens: CALLS * 50, impossible: 0 },
        findings: ['other_model', 'more_tokens'],
      },
    ]);
  });

  it('is not found at one that names a release of the model and reports what we count', async () => {
    const { models, lowered } = await evidenceOf(honest);
    expect(models).toMatchObject([{ named: CALLS, named_other: 0, output: { calls: CALLS }, findings: [] }]);
    expect(lowered).toBeNull();
  });

  it('goes into a file with every call, for the upstream to check, and nothing of its callers', async () => {
    const headers = await scene.stage.session(scene.root);
    const file = await fetch(`${scene.server.url}/api/channel/${String(lying)}/evidence/file`, { headers });
    expect(file.headers.get('x-total-rows')).toBe(String(CALLS));
    const [head = '', ...rows] = (await file.text()).replace('\ufeff', '').trim().split(/\r?\n/);
    expect(rows).toHaveLength(CALLS);
    const first = Object.fromEntries(head.split(',').map((name, at) => [name, rows[0]?.split(',')[at]]));
    expect(first).toMatchObject({
      model_asked: MODEL,
      other_model_named: 'gpt-4o-mini-2024-07-18',
      completion_tokens_told: String(2 * COUNTED),
      completion_tokens_counted: String(COUNTED),
      cache_read_tokens_told: '50',
    });
    expect(Number(first['cost_usd'])).toBeGreaterThan(0);
    expect(head + rows.join('')).not.toContain('alice');
  });

  it('has a line for each day of sealed questions, of the model that is asked for', async () => {
    const day = Math.floor(Date.now() / 86_400_000);
    const row = { channelId: lying, day, model: MODEL, measure: 'sealed', amount: 5 };
    await scene.server.parts.stores.evidence.add([
      { ...row, detail: 'wrong', calls: 4 },
      { ...row, detail: 'right', calls: 1 },
      { ...row, detail: 'wrong', calls: 9, model: 'another' },
    ]);
    const headers = await scene.stage.session(scene.root);
    const linesOf = async (query: string) => {
      const url = `${scene.server.url}/api/channel/${String(lying)}/evidence/file${query}`;
      const file = await fetch(url, { headers });
      const [head = '', ...rows] = (await file.text()).replace('\ufeff', '').trim().split(/\r?\n/);
      expect(file.headers.get('x-total-rows')).toBe(String(rows.length));
      for (const line of rows) expect(line.split(',')).toHaveLength(head.split(',').length);
      return rows.slice(CALLS);
    };
    const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
    const own = [`${date},,${MODEL},,,,,,,,,,,right,1`, `${date},,${MODEL},,,,,,,,,,,wrong,4`];
    expect(await linesOf(`?model=${MODEL}`)).toEqual(own);
    expect(await linesOf(`?model=%3D${MODEL}`)).toEqual(own);
    expect(await linesOf('')).toHaveLength(3);
  });

  it('is not shown to callers: their own rows say nothing of it', async () => {
    const headers = await scene.stage.session(spender.user);
    const own = await (await fetch(`${scene.server.url}/api/log/self`, { headers })).text();
    expect(own).toContain(MODEL);
    expect(own).not.toMatch(/gpt-4o-mini|evidence/);
  });
});

it("each call is found in its upstream's bill by the upstream's own id, which no user sees", async () => {
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const bill = [
    'response_id,time,input_tokens',
    ...Array.from({ length: CALLS }, () => `chatcmpl-1,${day},100`),
  ];
  const got = await scene.asRoot(`/api/reconcile?channels=${String(honest)}`, {
    method: 'POST',
    body: bill.join('\n'),
  });
  const { lists } = got.data as { lists: Record<string, { count: number; lines: { by: string }[] }> };
  expect(lists['matched']).toMatchObject({
    count: CALLS,
    lines: Array(CALLS).fill({ by: 'id' }) as object[],
  });
  const headers = await scene.stage.session(spender.user);
  const own = await (await fetch(`${scene.server.url}/api/log/self`, { headers })).text();
  expect(own).not.toContain('chatcmpl-1');
});

describe('a rule', () => {
  const judge = async (): Promise<void> => {
    const { parts, log } = scene.server;
    const { clock } = { clock: { now: () => Date.now(), monotonic: () => performance.now() } };
    await evidenceJobs(parts.stores, { ...parts, random }, clock, log)[0]?.run();
  };
  const weights = async () => {
    for (const id of [honest, lying])
      await scene.asRoot('/api/channel', { method: 'PUT', body: { id, status: 1 } });
    const channels = scene.server.parts.routing().tiers.get('default')?.get(MODEL)?.[0]?.channels ?? [];
    return Object.fromEntries(channels.map(({ id, weight }) => [id, weight]));
  };

  it('lowers nothing unless the operator wants it', async () => {
    await judge();
    expect(await weights()).toEqual({ [honest]: 10, [lying]: 10 });
  });

  it('lowers the weight of the doubtful channel, says why, and gives it back when it is not wanted any more', async () => {
    await scene.set('evidence_setting.weight_percent', 20);
    await judge();
    expect(await weights()).toEqual({ [honest]: 10, [lying]: 2 });
    expect((await evidenceOf(lying)).lowered).toEqual({ percent: 20, model: MODEL, finding: 'other_model' });
    await scene.set('evidence_setting.weight_percent', 100);
    await judge();
    expect(await weights()).toEqual({ [honest]: 10, [lying]: 10 });
  });
});

describe('the file for a dispute', () => {
  it('has the upstream’s report where something else was charged, and nothing where there was none', async () => {
    const told = { prompt_tokens: 7_000_000, completion_tokens: 9, total_tokens: 7_000_009 };
    for (const one of [told, null]) {
      usage = one;
      await ask(lying);
    }
    usage = undefined;
    const headers = await scene.stage.session(scene.root);
    const file = await fetch(`${scene.server.url}/api/channel/${String(lying)}/evidence/file`, { headers });
    const [head = '', ...rows] = (await file.text()).replace('\ufeff', '').trim().split(/\r?\n/);
    const names = head.split(',');
    const ofRow = (row: string) => {
      const values = row.split(',');
      const value = (name: string) => values[names.indexOf(name)];
      return [value('prompt_tokens_told'), value('completion_tokens_told'), value('cache_read_tokens_told')];
    };
    const all = rows.map(ofRow);
    expect(all).toContainEqual(['7000000', '9', '']);
    expect(all).toContainEqual(['', '', '']);
    expect(all.filter(([prompt]) => prompt === '100')).toHaveLength(CALLS);
  });
});
