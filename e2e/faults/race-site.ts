import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { type Database, openDatabase } from '../../src/server/store/database/database.ts';
import { startPostgres } from '../../src/server/store/testing/postgres-server.ts';
import { makeToken, type Operator, setOption, setUp } from '../support/operator.ts';
import { startTollgate } from '../support/tollgate.ts';
import { FIRST_WORD } from '../../src/server/relay/testing/plain-answer.ts';
import { startWatchedUpstream, type WatchedCall } from '../support/upstreams/watched-upstream.ts';

/** A server in a process of its own, on either database, that lets two channels race for each late stream. */

export const DEADLINE_MS = 300;
export const WORD_MS = 30;
/** What the channels pay for a million tokens, and what a dollar for a million is in billionths each. */
export const DEAR = 10;
export const CHEAP = 1;
export const NANO_EACH = 1000;

interface Row {
  readonly quota: number;
  readonly type: number;
  readonly channel: number;
  readonly cost_nano_usd: number | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly other: string;
}

interface AdminInfo {
  readonly attempts: readonly { readonly channel: number; readonly race?: string; readonly status: number }[];
  readonly session?: { readonly bound_to?: number };
}

interface House {
  readonly channel_id: number;
  readonly kind: string;
  readonly count: number;
  readonly cost_nano_usd: number;
}

interface Asking {
  readonly token?: string;
  readonly signal?: AbortSignal;
  readonly session?: string;
}

/** Reports the prompt's tokens and sends no answer. */
export const tellPrompt = (response: ServerResponse, promptTokens: number): void => {
  const usage = { prompt_tokens: promptTokens, completion_tokens: 0, total_tokens: promptTokens };
  const event = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage };
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .write(`data: ${JSON.stringify(event)}\n\n`);
};

/** Sends words until the connection is closed. */
export const speak = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(FIRST_WORD);
  const speaking = setInterval(() => response.write(FIRST_WORD), WORD_MS);
  response.on('close', () => clearInterval(speaking));
};

export type RaceSite = Awaited<ReturnType<typeof startRaceSite>>;

type Engine = 'SQLite' | 'PostgreSQL';

/** The server, and its database as another program reads it. */
const startServer = async (engine: Engine) => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-races-'));
  const postgres = engine === 'PostgreSQL' ? await startPostgres() : undefined;
  const tollgate = await startTollgate({
    dataDir: folder,
    env: { ...(postgres !== undefined && { DATABASE_URL: postgres.url }) },
  });
  const database = await openDatabase(
    postgres === undefined
      ? { engine: 'sqlite', file: join(folder, 'tollgate.db') }
      : { engine: 'postgres', url: postgres.url },
  );
  const stop = async (): Promise<void> => {
    await database.close();
    await tollgate.stop();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { tollgate, database, stop };
};

/** Reads the books of the site. */
const booksOf = (root: Operator, database: Database) => {
  const rows = async (model: string) =>
    ((await root.call(`/api/log?model_name==${model}&page_size=100`)) as { items: Row[] }).items;
  return {
    /** Waits for this many rows of a model's calls; oldest first. */
    async rowsOf(model: string, count = 1) {
      await expect.poll(async () => (await rows(model)).length).toBe(count);
      return (await rows(model))
        .map((row) => ({ ...row, info: (JSON.parse(row.other) as { admin_info: AdminInfo }).admin_info }))
        .toReversed();
    },
    /** The cost of the house at these channels. */
    async houseOf(...ids: readonly number[]): Promise<readonly House[]> {
      const span = 'start_timestamp=0&end_timestamp=9999999999';
      const all = (await root.call(`/api/data/house_costs?${span}`)) as House[];
      return all.filter(({ channel_id: id }) => ids.includes(id));
    },
    /** No hold is open, and the audit finds nothing. */
    async clean(): Promise<void> {
      const open = database.writer.selectFrom('holds').select('id').where('state', '=', 'open');
      await expect.poll(async () => (await open.execute()).length).toBe(0);
      expect(await brokenRules(database)).toEqual([]);
    },
  };
};

/** Makes a channel. One whose name ends in `-late` is asked first, and costs ten times as much. */
const makeChannel = async (
  root: Operator,
  { name, model, baseUrl }: { readonly name: string; readonly model: string; readonly baseUrl: string },
  { setting = {}, ...fields }: Fields,
): Promise<number> => {
  const isLate = name.endsWith('-late');
  const dollars = isLate ? DEAR : CHEAP;
  const cost = { models: { [model]: { input: dollars, output: dollars } } };
  const body = {
    type: 1,
    name,
    key: 'sk-of-a-channel',
    base_url: baseUrl,
    models: model,
    group: 'default',
    priority: isLate ? 9 : 0,
    setting: JSON.stringify({ cost, ...setting }),
    ...fields,
  };
  await root.call('/api/channel', { method: 'POST', body });
  const found = await root.call(`/api/channel/search?keyword=${name}`);
  return (found as { items: { id: number }[] }).items[0]?.id ?? 0;
};

interface Fields {
  readonly setting?: object;
  readonly [field: string]: unknown;
}

export const startRaceSite = async (engine: Engine) => {
  const [upstream, { tollgate, database, stop }] = await Promise.all([
    startWatchedUpstream(),
    startServer(engine),
  ]);
  const root = await setUp(tollgate);
  await setOption(root, 'AutomaticDisableChannelEnabled', 'true');
  await setOption(root, 'upstream_setting.first_token', { '*': { deadline_ms: DEADLINE_MS, hedge: true } });
  await setOption(root, 'upstream_setting.hedge_percent', 100);
  await setOption(root, 'upstream_setting.retry_percent', 100);
  const { key } = await makeToken(root);
  const channel = (name: string, model: string, fields: Fields) =>
    makeChannel(root, { name, model, baseUrl: upstream.url(name) }, fields);
  const came = (name: string): readonly WatchedCall[] =>
    upstream.calls.filter((call) => call.channel === name);
  return {
    ...booksOf(root, database),
    upstream,
    root,
    came,
    /** Two channels of a model of their own: `model-late` is asked first, and costs ten times as much as `model-next`. */
    async pair(model: string, next: Fields = {}): Promise<readonly [late: number, next: number]> {
      await setOption(root, 'ModelRatio', { [model]: 1 });
      await setOption(root, 'CompletionRatio', { [model]: 1 });
      return [await channel(`${model}-late`, model, {}), await channel(`${model}-next`, model, next)];
    },
    ask: (model: string, { token = key, signal, session }: Asking = {}): Promise<Response> =>
      fetch(`${tollgate.url}/v1/chat/completions`, {
        method: 'POST',
        ...(signal !== undefined && { signal }),
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(session !== undefined && { 'session-id': session }),
        },
        body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
      }),
    bothAsked: (model: string) =>
      expect.poll(() => [came(`${model}-late`).length, came(`${model}-next`).length]).toEqual([1, 1]),
    /** Checks that no unheard call still runs at the upstream. */
    allStopped: () =>
      expect
        .poll(() => upstream.calls.every(({ response }) => response.destroyed || response.writableFinished))
        .toBe(true),
    async stop(): Promise<void> {
      await stop();
      upstream.close();
    },
  };
};
