import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf, hangUp, listening } from '../../src/server/outbound/testing/local-server.ts';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { type Database, openDatabase } from '../../src/server/store/database/database.ts';
import { startPostgres } from '../../src/server/store/testing/postgres-server.ts';
import { makeChannel, makeToken, setOption, setUp } from '../support/operator.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** An agent of forty turns over a pool of keys at two nodes on PostgreSQL alone, of which the one it calls is killed under load. */

const TURNS = 40;
const KILLED_AT = 20;
const KEYS = Array.from({ length: 8 }, (_, at) => `sk-a-long-enough-key-${at}`);
const BUDGET = 20_000;
/** The smallest hold of a call (`PreConsumedQuota`): a token with less cannot call any more. */
const LEAST_HELD = 500;

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let upstream: Server;
let nodes: Tollgate[] = [];
let database: Database;
let agent = '';
let crowd = { id: 0, key: '' };
const keysOfSession: string[] = [];

const answer = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 20, completion_tokens: 20, total_tokens: 40 },
};

beforeAll(async () => {
  postgres = await startPostgres();
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => {
      if (body.includes('the agent')) keysOfSession.push(request.headers.authorization ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await listening(upstream);
  const start = () =>
    startTollgate({
      env: {
        DATABASE_URL: postgres.url,
        TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
        TOLLGATE_NODE_SILENCE_SECONDS: '2',
      },
    });
  const first = await start();
  nodes = [first, await start()];
  const operator = await setUp(first);
  await setOption(operator, 'ModelRatio', { m: 1 });
  const baseUrl = addressOf(upstream);
  await makeChannel(operator, { name: 'pool', baseUrl, models: ['m'], keys: KEYS });
  agent = (await makeToken(operator)).key;
  crowd = await makeToken(operator, { remain_quota: BUDGET, unlimited_quota: false });
  database = await openDatabase({ engine: 'postgres', url: postgres.url });
});
afterAll(async () => {
  await database.close();
  await Promise.all(nodes.map(({ program }) => program.end('SIGKILL')));
  hangUp(upstream);
  await postgres.stop();
});

const call = async (url: string, key: string, session: string, content: string): Promise<number> => {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'session-id': session,
  };
  const body = JSON.stringify({ model: 'm', max_tokens: 20, messages: [{ role: 'user', content }] });
  try {
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
};

it('the agent goes on with the key whose cache is warm, and no budget is passed by a unit', async () => {
  const urls = nodes.map(({ url }) => url);
  const [dying = '', living = ''] = urls;
  await expect.poll(() => call(living, agent, 'before', 'hi')).toBe(200);
  let isOver = false;
  const load = Array.from({ length: 8 }, async (_, at) => {
    for (let turn = 0; !isOver; turn += 1)
      await call(urls[turn % 2] ?? '', crowd.key, `crowd ${String(at)} ${String(turn)}`, 'hi');
  });
  let at = dying;
  const statuses: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (turn === KILLED_AT) await nodes[0]?.program.end('SIGKILL');
    const status = await call(at, agent, 'the session', `the agent's turn ${String(turn)}`);
    // An agent that loses its connection calls again.
    if (status === 0 && at === dying) {
      at = living;
      turn -= 1;
    } else statuses.push(status);
  }
  expect(statuses).toEqual(Array(TURNS).fill(200));
  expect(keysOfSession).toHaveLength(TURNS);
  expect(new Set(keysOfSession).size).toBe(1);
  await expect.poll(() => call(living, crowd.key, 'last', 'hi')).toBe(403);
  isOver = true;
  await Promise.all(load);
  const open = () => database.writer.selectFrom('holds').select('id').where('state', '=', 'open').execute();
  await expect.poll(open).toEqual([]);
  // The holds of running calls were given back: the token ends with less than one call holds.
  await expect.poll(() => call(living, crowd.key, 'last', 'hi')).toBe(403);
  await expect.poll(open).toEqual([]);
  const token = await database.writer
    .selectFrom('tokens')
    .select(['remain_quota', 'used_quota'])
    .where('id', '=', crowd.id)
    .executeTakeFirstOrThrow();
  const charged = await database.writer
    .selectFrom('logs')
    .select(({ fn }) => fn.sum<number>('quota').as('units'))
    .where('token_id', '=', crowd.id)
    .where('type', '=', 2)
    .executeTakeFirstOrThrow();
  const { remain_quota: left, used_quota: used } = token;
  expect([Number(left) + Number(used), Number(left) >= 0]).toEqual([BUDGET, true]);
  expect(Number(charged.units)).toBe(Number(used));
  expect(Number(left)).toBeLessThan(LEAST_HELD);
  expect(await brokenRules(database)).toEqual([]);
});
