/**
 * How long operators and callers wait on a site with very many channels: `node bench/many-channels.ts`, by default 5,000 channels
 * of 200 models with 100 keys each. Starts a real server, makes the channels, and prints times in milliseconds, with the longest
 * time that the server's event loop was blocked meanwhile, in processor time. `--postgres <address>` uses that empty database.
 * Calls come from `--users`, sixteen by default. `--nodes 2` starts a second node for the calls during edits, on a new
 * PostgreSQL if none is named.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { makeToken, type Operator, setOption, setUp, signIn } from '../e2e/support/operator.ts';
import { startTollgate } from '../e2e/support/tollgate.ts';
import { startPostgres } from '../src/server/store/testing/postgres-server.ts';
import { callWhileEdited, MARKED_MODEL } from './edited-channels.ts';

const { values } = parseArgs({
  options: {
    channels: { type: 'string', default: '5000' },
    models: { type: 'string', default: '200' },
    keys: { type: 'string', default: '100' },
    times: { type: 'string', default: '20' },
    users: { type: 'string', default: '16' },
    nodes: { type: 'string', default: '1' },
    postgres: { type: 'string' },
  },
});
const CHANNELS = Number(values.channels);
const MODELS = Array.from({ length: Number(values.models) }, (_, at) => `vendor/a-model-of-theirs-${at}`);
const KEYS = Number(values.keys);
const TIMES = Number(values.times);
/** Channels of one priority serve a model together. */
const PRIORITIES = 10;
const AT_ONCE = 50;
const EDITS_A_SECOND = 10;
const CALLS_A_SECOND = 50;
const SECONDS = 20;
const NODES = Number(values.nodes);
/** How many of the channels are edited under load. */
const EDITED_CHANNELS = 8;

const upstream = createServer((request, response) => {
  let text = '';
  request.on('data', (bytes: Buffer) => void (text += bytes.toString()));
  request.on('end', () => {
    const content = /"model":"([^"]+)"/.exec(text)?.[1] ?? '';
    const message = { role: 'assistant', content };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }),
    );
  });
});
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
};

const postgres = NODES > 1 && values.postgres === undefined ? await startPostgres() : undefined;
const databaseUrl = values.postgres ?? postgres?.url;

const startNode = async () => {
  const probePort = await freePort();
  const tollgate = await startTollgate({
    env: {
      STALL_PROBE_PORT: String(probePort),
      TOLLGATE_API_LIMIT_PER_ADDRESS: '100000000',
      TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    nodeFlags: [`--import=${import.meta.dirname}/stalls/probe.ts`],
  });
  return {
    tollgate,
    /** The longest time that the event loop was held since the last question, in processor time. */
    heldMs: async (): Promise<number> => {
      const said = await (await fetch(`http://127.0.0.1:${probePort}`)).json();
      return (said as { busyMs: number }).busyMs;
    },
  };
};
const first = await startNode();
const { tollgate, heldMs } = first;
const nodes = [first];

/** A user with a balance, whose calls wait for no other user's: nodes change the balance of one user in turn. */
const keyOfUser = async (operator: Operator, username: string): Promise<string> => {
  const password = 'correct horse battery';
  await operator.call('/api/user', {
    method: 'POST',
    body: { username, password, display_name: username, role: 1 },
  });
  const { items } = (await operator.call(`/api/user/search?keyword=${username}`)) as {
    items: readonly { id: number; username: string }[];
  };
  const { id } = items.find((user) => user.username === username) ?? {};
  await operator.call('/api/user', { method: 'PUT', body: { id, quota: 1_000_000_000 } });
  return (await makeToken(await signIn(tollgate.url, username, password))).key;
};

const fill = async (operator: Operator): Promise<void> => {
  const models = MODELS.join(',');
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < CHANNELS; at = next++) {
      const key = Array.from({ length: KEYS }, (_, place) => `sk-of-channel-${at}-the-key-${place}`).join(
        '\n',
      );
      const body = {
        type: 1,
        name: `channel ${at}`,
        key,
        ...(KEYS > 1 && { pool_mode: 'in_turn' }),
        base_url: baseUrl,
        models,
        group: 'default',
        priority: at % PRIORITIES,
        weight: 1 + (at % 3),
      };
      await operator.call('/api/channel', { method: 'POST', body });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
const row = (what: string, figures: readonly number[], held: number): void => {
  const sorted = figures.toSorted((one, other) => one - other);
  const shown = [percentile(sorted, 0.5), percentile(sorted, 0.99), held].map((ms) => ms.toFixed(1));
  console.log(`| ${what} | ${shown.join(' | ')} |`);
};
const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const beganMs = performance.now();
  await act();
  return performance.now() - beganMs;
};
const measure = async (what: string, act: (at: number) => Promise<unknown>): Promise<void> => {
  const figures: number[] = [];
  await heldMs();
  for (let at = 0; at < TIMES; at += 1) figures.push(await timed(() => act(at)));
  row(what, figures, await heldMs());
};

try {
  const operator = await setUp(tollgate);
  await setOption(
    operator,
    'ModelRatio',
    Object.fromEntries([...MODELS, MARKED_MODEL].map((model) => [model, 0.0001])),
  );
  const keys: string[] = [];
  for (let at = 0; at < Number(values.users); at += 1) keys.push(await keyOfUser(operator, `caller-${at}`));
  let turn = 0;
  const filledMs = await timed(() => fill(operator));
  console.log(
    `${CHANNELS} channels of ${MODELS.length} models and ${KEYS} keys, made in ${(filledMs / 1000).toFixed(0)} s.\n`,
  );
  console.log('| what | median, ms | 99 of 100 | loop held at most |\n| --- | ---: | ---: | ---: |');
  const listed = (await operator.call(`/api/channel?page_size=${EDITED_CHANNELS}`)) as {
    items: readonly { id: number }[];
  };
  const channelIds = listed.items.map((one) => one.id);
  const [id = 0] = channelIds;
  const edit = (at: number) =>
    operator.call('/api/channel', {
      method: 'PUT',
      body: { id, remark: `edit ${at}`, weight: 1 + (at % 5) },
    });
  const call = async (node = 0, model = MODELS[0]): Promise<string> => {
    const response = await fetch(`${nodes[node]?.tollgate.url ?? ''}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[(turn += 1) % keys.length]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`a call answered ${response.status}: ${text}`);
    const answer = JSON.parse(text) as { choices: readonly { message: { content: string } }[] };
    return answer.choices[0]?.message.content ?? '';
  };
  const last = Math.ceil(CHANNELS / 100);
  const pages: readonly (readonly [string, string])[] = [
    ['the first 20', '/api/channel?page_size=20'],
    ['the first 100', '/api/channel?page_size=100'],
    ['100 in the middle', `/api/channel?page_size=100&p=${Math.ceil(last / 2)}`],
    ['the last 100', `/api/channel?page_size=100&p=${last}`],
    ['the last 100, newest first', `/api/channel?page_size=100&id_sort=true&p=${last}`],
    ['100 sorted by name', `/api/channel?page_size=100&sort=name&p=${Math.ceil(last / 2)}`],
    ['100 found by a name', '/api/channel/search?page_size=100&keyword=channel%204'],
    ['100 found by a model', `/api/channel/search?page_size=100&model=${MODELS.at(-1)?.slice(0, 20)}`],
  ];
  for (const [what, path] of pages) await measure(`page: ${what}`, () => operator.call(path));
  await measure('page: the first 20, each after a change', async (at) => {
    await edit(at);
    return operator.call('/api/channel?page_size=20');
  });
  await measure('numbers beside the list', () => operator.call('/api/channel/counts'));
  await measure('live board', () => operator.call('/api/channel/live'));
  await measure('keys of a channel, a page', () => operator.call(`/api/channel/${id}/keys?page_size=50`));
  await measure('explanation', () =>
    operator.call('/api/channel/explain', { method: 'POST', body: { model: MODELS[0], group: 'default' } }),
  );
  await measure('a change, until it counts', edit);
  await measure('a call', () => call());

  const mapping = JSON.stringify({ [MARKED_MODEL]: 'version-0' });
  const marked = { type: 1, name: 'marked', key: 'sk-marked', base_url: baseUrl, models: MARKED_MODEL };
  const body = { ...marked, group: 'default', model_mapping: mapping };
  await operator.call('/api/channel', { method: 'POST', body });
  const found = (await operator.call('/api/channel/search?keyword=marked')) as typeof listed;
  const markedId = found.items[0]?.id ?? 0;
  while (nodes.length < NODES) nodes.push(await startNode());

  const editing = { perSecond: EDITS_A_SECOND, operator, channelIds, markedId };
  const load = { call, nodes: NODES, models: MODELS, callsPerSecond: CALLS_A_SECOND, seconds: SECONDS };
  for (const edited of [false, true]) {
    for (const node of nodes) await node.heldMs();
    const { calls, edits, staleMs, failed } = await callWhileEdited({ ...load, ...(edited && { editing }) });
    const how = edited ? `while channels change ${EDITS_A_SECOND} times a second` : 'while nothing changes';
    for (const [at, node] of nodes.entries()) {
      row(`calls at node ${at + 1}, ${how}`, calls[at] ?? [], await node.heldMs());
      const longest = Math.max(0, ...(staleMs[at] ?? []));
      if (edited) console.log(`| stale at node ${at + 1}, the longest | ${longest.toFixed(1)} | | |`);
    }
    if (edited) row('those changes, until they count', edits, 0);
    console.log(`| calls that failed | ${failed.length} | | |`);
    for (const why of new Set(failed)) console.log(why);
  }
} catch (thrown) {
  console.error(tollgate.program.output().slice(-3000));
  throw thrown;
} finally {
  for (const node of nodes) await node.tollgate.stop();
  await postgres?.stop();
  upstream.closeAllConnections();
  upstream.close();
}
