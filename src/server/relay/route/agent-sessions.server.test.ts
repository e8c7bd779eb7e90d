import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { type CacheSums, type PrefixCacheUpstream, startPrefixCache } from '../testing/prefix-cache.ts';

/**
 * What the sessions of coding agents read from the caches of five keys, beside what they read from one: as each agent sends
 * them, with its titles, helpers and compactions. Headers and fields are those that the programs of `e2e/clients` sent.
 */

const [SESSIONS, FEW_SESSIONS, TURNS, COMPACTED_AT, HELPED_AT] = [16, 6, 12, 8, 4];
const SEVERAL_KEYS = 5;
const SYSTEM = 'You are an agent that writes programs. '.repeat(500);
const HELPER = 'You look something up for another agent. '.repeat(200);
const CONTEXT = `<session_context>\nThis is the Gemini CLI. ${'A folder of it. '.repeat(60)}</session_context>`;
const TOOLS = Array.from({ length: 20 }, (_, at) => `tool_${String(at)}`);

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

interface Asked {
  readonly model: string;
  readonly session: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  /** The helper that asks; none for the agent itself. */
  readonly helper?: string | undefined;
}

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const schema = { type: 'object', properties: {} };

const agents: Readonly<Record<string, { readonly type: number; readonly send: (asked: Asked) => Sent }>> = {
  'Claude Code': {
    type: 14,
    send: ({ model, session, system, turns }) => ({
      path: '/v1/messages?beta=true',
      headers: { 'x-claude-code-session-id': session, 'anthropic-version': '2023-06-01' },
      body: {
        model,
        max_tokens: 100,
        system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
        tools: TOOLS.map((name) => ({ name, input_schema: schema })),
        messages: turns.map(({ role, text }) => ({ role, content: [{ type: 'text', text }] })),
        metadata: { user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: session }) },
      },
    }),
  },
  Codex: {
    type: 1,
    send: ({ model, session, system, turns, helper }) => ({
      path: '/v1/responses',
      headers: { 'session-id': session, 'thread-id': helper ?? session, 'x-client-request-id': session },
      body: {
        model,
        instructions: system,
        tools: TOOLS.map((name) => ({ type: 'function', name, parameters: schema, strict: false })),
        input: turns.map(({ role, text }) => ({
          type: 'message',
          role,
          content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
        })),
        store: false,
        prompt_cache_key: session,
      },
    }),
  },
  // It names its session nowhere, and begins each with the same words about the folder, in the first message.
  'Gemini CLI': {
    type: 24,
    send: ({ model, system, turns }) => ({
      path: `/v1beta/models/${model}:generateContent`,
      headers: {},
      body: {
        systemInstruction: { role: 'user', parts: [{ text: system }] },
        tools: [{ functionDeclarations: TOOLS.map((name) => ({ name, parametersJsonSchema: schema })) }],
        contents: turns.map(({ role, text }, at) => ({
          role: role === 'user' ? 'user' : 'model',
          parts: [...(at === 0 ? [{ text: CONTEXT }] : []), { text }],
        })),
      },
    }),
  },
  opencode: {
    type: 1,
    send: ({ model, session, system, turns, helper }) => ({
      path: '/v1/chat/completions',
      headers: { 'x-session-id': helper ?? session, 'x-session-affinity': helper ?? session },
      body: {
        model,
        tools: TOOLS.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
        messages: [
          { role: 'system', content: system },
          ...turns.map(({ role, text }) => ({ role, content: text })),
        ],
      },
    }),
  },
};

let upstream: PrefixCacheUpstream;
let scene: Scene;
let caller = '';
const models = Object.keys(agents).flatMap((name) =>
  ['one', 'five'].map((keys) => `${name.replace(' ', '-').toLowerCase()}-${keys}`),
);

beforeAll(async () => {
  upstream = await startPrefixCache();
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 0.001]))));
  await scene.set('AutomaticDisableChannelEnabled', true);
  for (const [name, { type }] of Object.entries(agents)) {
    const model = name.replace(' ', '-').toLowerCase();
    const wish = { type, baseUrl: upstream.url };
    await scene.stage.channel(scene.root, {
      ...wish,
      models: `${model}-one`,
      key: `sk-a-long-enough-key-${model}`,
    });
    const key = Array.from(
      { length: SEVERAL_KEYS },
      (_, at) => `sk-a-long-enough-key-${model}-${String(at)}`,
    ).join('\n');
    await scene.stage.pool(scene.root, { ...wish, models: `${model}-five`, key });
  }
  caller = (await scene.spender('agent', 1_000_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const call = async ({ path, headers, body }: Sent): Promise<void> => {
  const reply = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${caller}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
};

interface Manner {
  readonly sessions?: number;
  /** Is called before each turn of all. */
  readonly before?: (turn: number) => void | Promise<void>;
}

let run = 0;

/** All sessions at once, a turn of each after the other. */
const sumsOf = async (
  name: string,
  keys: 'one' | 'five',
  { sessions: count = SESSIONS, before = () => {} }: Manner = {},
): Promise<CacheSums> => {
  const { send } = agents[name]!;
  run += 1;
  const model = `${name.replace(' ', '-').toLowerCase()}-${keys}`;
  const sessions = Array.from({ length: count }, (_, at): { readonly id: string; turns: Turn[] } => ({
    id: `run ${String(run)}-${name}-${keys}-${String(at)}`,
    turns: [{ role: 'user', text: `Task ${String(at)} of run ${String(run)}: ${'do this. '.repeat(50)}` }],
  }));
  for (let turn = 0; turn < TURNS; turn += 1) {
    await before(turn);
    for (const [at, session] of sessions.entries()) {
      const ask = (system: string, turns: readonly Turn[], helper?: string) =>
        call(send({ model, session: session.id, system, turns, helper }));
      // A title for the session, as soon as it has begun.
      if (turn === 0) await ask('You name conversations in five words.', session.turns);
      if (turn === COMPACTED_AT)
        session.turns = [{ role: 'user', text: `Summary ${String(at)}: ${'what was done. '.repeat(100)}` }];
      await ask(SYSTEM, session.turns);
      if (turn === HELPED_AT) {
        const found: Turn[] = [{ role: 'user', text: `Look up ${String(at)}: ${'all of it. '.repeat(50)}` }];
        for (let step = 0; step < 3; step += 1) {
          await ask(HELPER, found, `${session.id}-helper`);
          found.push(
            { role: 'assistant', text: `Step ${String(step)}: ${'I read. '.repeat(50)}` },
            { role: 'user', text: `Result ${String(step)}: ${'a line. '.repeat(200)}` },
          );
        }
      }
      session.turns.push(
        { role: 'assistant', text: `Turn ${String(turn)}: ${'I read a file. '.repeat(40)}` },
        { role: 'user', text: `Result ${String(turn)}: ${'a line of it. '.repeat(200)}` },
      );
    }
  }
  const usedKeys = upstream.used.size;
  expect(usedKeys).toBe(keys === 'one' ? 1 : SEVERAL_KEYS);
  return upstream.sums();
};

const shareOf = async (...asked: Parameters<typeof sumsOf>): Promise<number> => {
  const { read, all } = await sumsOf(...asked);
  return read / all;
};

/** Of one key, by agent. */
const shares = new Map<string, number>();

/** One that names its sessions, and one that does not: what many of them share weighs the same for all. */
it.each(['Claude Code', 'Gemini CLI'])(
  'many sessions of %s read as much from the caches of five keys as from that of one, but for two points',
  async (name) => {
    const [one, five] = [await shareOf(name, 'one'), await shareOf(name, 'five')];
    shares.set(name, one);
    expect(one).toBeGreaterThan(0.5);
    expect(five).toBeGreaterThan(one - 0.02);
  },
);

describe.each(Object.keys(agents))('sessions of %s', (name) => {
  it('read anew only what each further key reads once: the beginnings that all of them share', async () => {
    const few = { sessions: FEW_SESSIONS };
    const [one, five] = [await sumsOf(name, 'one', few), await sumsOf(name, 'five', few)];
    expect(one.cold).toBeGreaterThan(0);
    // One account has read these beginnings for all sessions, five have each read them once. However few sessions there
    // are, none of them costs more: no turn was at another key than the one before it.
    expect(five.all - five.read - (one.all - one.read)).toBeLessThanOrEqual((SEVERAL_KEYS - 1) * one.cold);
  });
});

describe('sessions of an agent', () => {
  it('read the rest of their prompts from the caches where one of five keys is revoked meanwhile, and after a restart', async () => {
    const one = shares.get('Claude Code') ?? 1;
    const restarted = await shareOf('Claude Code', 'five', {
      before: async (turn) => {
        if (turn === 6) await scene.restart();
      },
    });
    expect(restarted).toBeGreaterThan(one - 0.02);
    const died = await shareOf('Claude Code', 'five', {
      before: (turn) => {
        if (turn === 6) upstream.revoked.add('sk-a-long-enough-key-claude-code-2');
      },
    });
    // The sessions of that key read their prompts anew, once.
    expect(died).toBeGreaterThan(one - 0.04);
  });
});
