import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, type RunningRedis, startRedis } from '../../src/server/limits/testing/redis-server.ts';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { type Database, openDatabase } from '../../src/server/store/database/database.ts';
import { startPostgres } from '../../src/server/store/testing/postgres-server.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { makeChannel, makeToken, rootPassword, setOption, setUp, signIn } from '../support/operator.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

const MODEL = 'gpt-4o-mini';
const SILENCE_SECONDS = 2;
const STREAMS = 20;

/** A stream that has begun; `rest` is the remaining text, and whether the stream completed. */
interface Stream {
  readonly requestId: string;
  rest(): Promise<{ readonly text: string; readonly isBroken: boolean }>;
}

describe.skipIf(!hasRedis)('two nodes on PostgreSQL and Redis (needs redis-server)', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let redis: RunningRedis;
  let simulator: RunningSimulator;
  let nodes: Tollgate[] = [];
  let database: Database;
  let key = '';

  const startNode = () =>
    startTollgate({
      env: {
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
        TOLLGATE_NODE_SILENCE_SECONDS: String(SILENCE_SECONDS),
        TOLLGATE_SHUTDOWN_SECONDS: '0',
      },
    });
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    simulator = await startSimulator({ speed: 25 });
    const first = await startNode();
    nodes = [first, await startNode()];
    const operator = await setUp(first);
    await setOption(operator, 'ModelRatio', { [MODEL]: 1 });
    await makeChannel(operator, { name: 'slow', baseUrl: simulator.url, models: [MODEL] });
    ({ key } = await makeToken(operator));
    database = await openDatabase({ engine: 'postgres', url: postgres.url });
  });
  afterAll(async () => {
    await database.close();
    await Promise.all(nodes.map(({ program }) => program.end('SIGKILL')));
    await simulator.stop();
    redis.stop();
    await postgres.stop();
  });

  const node = (at: number): Tollgate => nodes[at] as Tollgate;
  /** The fake upstream sends this many words, 25 a second. */
  const call = (url: string, words: number, stream: boolean): Promise<Response> =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: MODEL,
        stream,
        messages: [{ role: 'user', content: `say ${'gate '.repeat(words)}` }],
      }),
    });
  const begin = async (url: string, words: number): Promise<Stream> => {
    const response = await call(url, words, true);
    expect(response.status).toBe(200);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader.read();
    return {
      requestId: response.headers.get('x-oneapi-request-id') ?? '',
      async rest() {
        let text = first.value ?? '';
        try {
          for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
          return { text, isBroken: false };
        } catch {
          return { text, isBroken: true };
        }
      },
    };
  };
  /** Streams with a first checkpoint in the database. */
  const beginMany = async (url: string, words: number, count: number): Promise<Stream[]> => {
    const streams = await Promise.all(Array.from({ length: count }, () => begin(url, words)));
    await expect
      .poll(async () => (await holdsOf(streams)).filter(({ checkpoint }) => checkpoint > 0).length)
      .toBe(count);
    return streams;
  };
  const holdsOf = (streams: readonly Stream[]) =>
    database.writer
      .selectFrom('holds')
      .select(['id', 'state', 'checkpoint', 'log_id'])
      .where(
        'id',
        'in',
        streams.map(({ requestId }) => requestId),
      )
      .execute();
  const openOf = async (streams: readonly Stream[]) =>
    (await holdsOf(streams)).filter(({ state }) => state === 'open').length;
  const violated = () => brokenRules(database);

  it('the calls of a killed node are closed once by the living node, whose own calls continue', async () => {
    const headers = { authorization: `Bearer ${key}` };
    for (const { url } of nodes)
      await expect.poll(async () => (await fetch(`${url}/v1/models`, { headers })).text()).toContain(MODEL);
    const [dying, living] = await Promise.all([
      beginMany(node(0).url, 2000, STREAMS),
      beginMany(node(1).url, 100, 5),
    ]);
    expect(await openOf(dying)).toBe(STREAMS);
    await node(0).program.end('SIGKILL');
    await Promise.all(dying.map((stream) => stream.rest()));
    await expect.poll(() => openOf(dying)).toBe(0);
    const ends = await Promise.all(living.map((stream) => stream.rest()));
    expect(ends.map(({ text, isBroken }) => [text.endsWith('data: [DONE]\n\n'), isBroken])).toEqual(
      living.map(() => [true, false]),
    );
    await expect.poll(() => openOf(living)).toBe(0);
    expect((await holdsOf(dying)).map(({ state, log_id }) => [state, log_id !== null])).toEqual(
      dying.map(() => ['settled', true]),
    );
    const rows = await database.writer
      .selectFrom('logs')
      .select('id')
      .where('type', '=', 2)
      .where(
        'request_id',
        'in',
        dying.map(({ requestId }) => requestId),
      )
      .execute();
    expect(rows).toHaveLength(STREAMS);
    expect(await violated()).toEqual([]);
    expect((await call(node(1).url, 5, false)).status).toBe(200);
  });

  it('a node that was suspended for too long ends its calls when it is back, and none is charged twice', async () => {
    const sleeper = await startNode();
    nodes.push(sleeper);
    const asleep = await beginMany(sleeper.url, 2000, 3);
    process.kill(sleeper.program.pid, 'SIGSTOP');
    await expect.poll(() => openOf(asleep)).toBe(0);
    process.kill(sleeper.program.pid, 'SIGCONT');
    for (const { text } of await Promise.all(asleep.map((stream) => stream.rest())))
      expect(text).toMatch(/the server was away, try again/);
    await expect.poll(() => sleeper.program.output()).toContain('silent for so long');
    expect((await call(sleeper.url, 5, false)).status).toBe(200);
    expect(await violated()).toEqual([]);
  });

  it('a limit is counted over both nodes, whichever is called', async () => {
    const operator = await signIn(node(1).url, 'root', rootPassword);
    await setOption(operator, 'ModelRequestRateLimitEnabled', true);
    await setOption(operator, 'ModelRequestRateLimitCount', 4);
    await setOption(operator, 'ModelRequestRateLimitDurationMinutes', 60);
    // This news arrives after the others.
    await setOption(operator, 'SystemName', 'Limited');
    const other = nodes.at(-1) as Tollgate;
    const nameThere = async () => (await (await fetch(`${other.url}/api/status`)).json()) as unknown;
    await expect.poll(nameThere).toMatchObject({ data: { system_name: 'Limited' } });
    const statuses: number[] = [];
    for (let at = 0; at < 8; at += 1)
      statuses.push((await call((at % 2 ? other : node(1)).url, 5, false)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });
});
