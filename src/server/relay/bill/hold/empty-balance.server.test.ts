import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { type RunningSimulator, startSimulator } from '../../../../simulator/start.ts';
import { readConfig } from '../../../config.ts';
import { createCaller, type Caller } from '../../../http/testing/caller.ts';
import { type Stage, setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { startPostgres } from '../../../store/testing/postgres-server.ts';

/** Many want the last of a balance at once: as many calls as it pays for are answered, and it is never below zero. */

const EACH = 5000;
const PAID_FOR = 7;
/** Too little for one more. */
const REST = EACH - 1;
const CALLS = 20;

const MODELS = ['m', 'dall-e-2', 'tts-1', 'whisper-1'];
const TASKS = ['mj_imagine'];

type Body = Readonly<Record<string, unknown>>;
const messages = [{ role: 'user', content: 'say hello' }];
const json = (path: string, body: Body) => (headers: Record<string, string>, url: string) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const sound = (headers: Record<string, string>, url: string): Promise<Response> => {
  const form = new FormData();
  form.set('model', 'whisper-1');
  form.set('file', new Blob([Buffer.alloc(4000)]), 'a.mp3');
  return fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
};

const calls: Readonly<Record<string, (headers: Record<string, string>, url: string) => Promise<Response>>> = {
  chat: json('/v1/chat/completions', { model: 'm', messages }),
  stream: json('/v1/chat/completions', { model: 'm', messages, stream: true }),
  messages: json('/v1/messages', { model: 'm', max_tokens: 50, messages }),
  response: json('/v1/responses', { model: 'm', input: 'say hello' }),
  picture: json('/v1/images/generations', { model: 'dall-e-2', prompt: 'a', size: '1024x1024' }),
  speech: json('/v1/audio/speech', { model: 'tts-1', input: 'hello', voice: 'alloy' }),
  embedding: json('/v1/embeddings', { model: 'm', input: 'hello' }),
  upload: sound,
  drawing: json('/mj/submit/imagine', { prompt: 'a cat' }),
};

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const BEGIN = event({ choices: [{ index: 0, delta: { content: 'hello' } }] });
const END =
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 } }) +
  'data: [DONE]\n\n';
const HELD_UNITS = 200;
const HELD_MODEL = 'waits';

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`on ${engine}`, () => {
    const folder = temporaryFolder();
    let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
    let simulator: RunningSimulator;
    let nodes: RunningServer[];
    let stage: Stage;
    let root: User;
    let asRoot: Caller;
    let waiting: Server;
    let answering: ServerResponse;
    let channelId: number;

    beforeAll(async () => {
      simulator = await startSimulator();
      postgres = engine === 'postgres' ? await startPostgres() : undefined;
      const environment = {
        ...testEnvironment(folder.path),
        ...(postgres !== undefined && { DATABASE_URL: postgres.url }),
        TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
      };
      const start = () => startServer(readConfig(environment), { log: keptLog() });
      const here = await start();
      nodes = engine === 'postgres' ? [here, await start()] : [here];
      stage = await setStage(here);
      root = await stage.person('root', role.root);
      asRoot = createCaller(here.url, await stage.session(root));
      await stage.channel(root, { baseUrl: simulator.url, models: MODELS.join(',') });
      await stage.channel(root, { type: 2, baseUrl: simulator.url, models: TASKS.join(',') });
      waiting = createServer((request, response) => {
        request.resume().on('end', () => {
          answering = response;
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(BEGIN);
        });
      });
      const baseUrl = await listening(waiting);
      channelId = (await stage.channel(root, { baseUrl, models: HELD_MODEL })).id;
      await stage.option(root, 'ModelRatio', JSON.stringify({ [HELD_MODEL]: 1 }));
      await stage.option(root, 'CompletionRatio', JSON.stringify({ [HELD_MODEL]: 1 }));
      const prices = Object.fromEntries([...MODELS, ...TASKS].map((model) => [model, 0.01]));
      await stage.option(root, 'ModelPrice', JSON.stringify(prices));
    });
    afterAll(async () => {
      for (const node of nodes) await node.stop();
      await postgres?.stop();
      await simulator.stop();
      hangUp(waiting);
      folder.remove();
    });

    const spender = async (units: number, keyUnits?: number) => {
      const { parts } = nodes[0] as RunningServer;
      const user = await stage.person(`u${(count += 1)}`);
      const grant = { kind: 'grant', ref: `start ${user.id}`, reason: '', actorId: 0, nowMs: 1 } as const;
      await parts.stores.ledger.move({ ...grant, userId: user.id, deltaUnits: units });
      const token = await stage.token(user);
      const limit = keyUnits === undefined ? { unlimited: true } : { remainQuotaUnits: keyUnits };
      await parts.tokens.update(user, token.id, limit);
      return { user, tokenId: token.id, key: token.key };
    };
    type Spent = Awaited<ReturnType<typeof spender>>;
    let count = 0;

    /** The price has come to a node. */
    const knows = async (url: string): Promise<boolean> => {
      const { user, key } = await spender(EACH);
      const answer = async () => (await asked('chat', key, url)).status;
      await expect.poll(answer).toBe(200);
      const { users } = (nodes[0] as RunningServer).parts.stores;
      await expect.poll(async () => (await users.byId(user.id))?.quotaUnits).toBe(0);
      return true;
    };

    const asked = (name: string, key: string, url = ''): Promise<Response> => {
      const call = calls[name];
      if (call === undefined) throw new Error(`no such call: ${name}`);
      return call({ authorization: `Bearer sk-${key}` }, url);
    };

    /** Both nodes ask how far the drawings are, three times at once, until all of them are paid. */
    const pollTasks = async (userId: number): Promise<void> => {
      const polls = () => nodes.flatMap(({ parts }) => [0, 1, 2].map(() => parts.taskRelay.poller.run()));
      const paid = async () => {
        await Promise.all(polls());
        return (await money(userId)).count;
      };
      await expect.poll(paid).toBe(PAID_FOR);
    };

    const money = async (userId: number) => {
      const { stores } = (nodes[0] as RunningServer).parts;
      const user = await stores.users.byId(userId);
      const { items } = await stores.logs.page({ userId, type: 2 }, { page: 1, pageSize: 100 });
      const rows = items.reduce((sum, { quotaUnits }) => sum + quotaUnits, 0);
      return { left: user?.quotaUnits, used: user?.usedQuotaUnits, rows, count: items.length };
    };

    const clean = async (): Promise<void> => {
      const { database } = (nodes[0] as RunningServer).parts.stores;
      expect(await brokenRules(database)).toEqual([]);
    };

    const isTaken = async (name: string, answer: Response): Promise<boolean> => {
      const text = await answer.text();
      if (name === 'drawing') return (JSON.parse(text) as { code: number }).code === 1;
      if (answer.status !== 200) expect([402, 403], text).toContain(answer.status);
      return answer.status === 200;
    };

    it('every node knows the prices', async () => {
      expect(await Promise.all(nodes.map(({ url }) => knows(url)))).not.toContain(false);
    });

    // Each call meets both limits, and either engine both of them.
    it.each(
      Object.keys(calls).map(
        (name, at) => [name, (at % 2 === 0) === (engine === 'sqlite') ? 'balance' : 'key'] as const,
      ),
    )('%s: as many are answered as the %s pays for', async (name, whose) => {
      const edge = EACH * PAID_FOR + REST;
      const { user, key } = whose === 'balance' ? await spender(edge) : await spender(10_000_000, edge);
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, at) => asked(name, key, nodes[at % nodes.length]?.url)),
      );
      let taken = 0;
      for (const answer of answers) if (await isTaken(name, answer)) taken += 1;
      expect(taken).toBe(PAID_FOR);
      if (name === 'drawing') await pollTasks(user.id);
      await expect.poll(async () => (await money(user.id)).count).toBe(PAID_FOR);
      const start = whose === 'balance' ? edge : 10_000_000;
      const used = EACH * PAID_FOR;
      expect(await money(user.id)).toEqual({ left: start - used, used, rows: used, count: PAID_FOR });
      await clean();
    });

    /** What happens while an answer is on its way, and what its caller has left then of 1,000,000. */
    const changes: Readonly<Record<string, readonly [(who: Spent) => Promise<unknown>, number | undefined]>> =
      {
        'every price changes': [
          async () => {
            await stage.option(root, 'ModelRatio', JSON.stringify({ [HELD_MODEL]: 3 }));
            await stage.option(root, 'CompletionRatio', JSON.stringify({ [HELD_MODEL]: 7 }));
            await stage.option(root, 'GroupRatio', JSON.stringify({ default: 2 }));
          },
          1_000_000 - HELD_UNITS,
        ],
        'the model gets a price per call': [
          () => stage.option(root, 'ModelPrice', JSON.stringify({ [HELD_MODEL]: 1 })),
          1_000_000 - HELD_UNITS,
        ],
        'an admin sets the balance': [
          async ({ user }) => {
            const got = await asRoot('/api/user', { method: 'PUT', body: { id: user.id, quota: 50 } });
            expect(got.message).toBe('');
          },
          undefined,
        ],
        'its key is deleted': [
          ({ user, tokenId }) => (nodes[0] as RunningServer).parts.tokens.delete(user, tokenId),
          1_000_000 - HELD_UNITS,
        ],
        'its user is disabled': [({ user }) => stage.set(user, { status: 2 }), 1_000_000 - HELD_UNITS],
        'its user is deleted': [
          async ({ user }) => {
            const got = await asRoot('/api/user/manage', {
              method: 'POST',
              body: { id: user.id, action: 'delete' },
            });
            expect(got.message).toBe('');
          },
          1_000_000 - HELD_UNITS,
        ],
        'its channel is deleted': [
          () => asRoot(`/api/channel/${channelId}`, { method: 'DELETE' }),
          1_000_000 - HELD_UNITS,
        ],
      };

    it.each(Object.keys(changes))(
      'a call costs what it cost when it began, though %s meanwhile',
      async (what) => {
        await stage.option(root, 'ModelPrice', '{}');
        await stage.option(root, 'ModelRatio', JSON.stringify({ [HELD_MODEL]: 1 }));
        await stage.option(root, 'CompletionRatio', JSON.stringify({ [HELD_MODEL]: 1 }));
        await stage.option(root, 'GroupRatio', JSON.stringify({ default: 1 }));
        const [change, left] = changes[what] ?? [];
        const spent = await spender(1_000_000);
        const body = { model: HELD_MODEL, messages, stream: true };
        const headers = { authorization: `Bearer sk-${spent.key}` };
        const answer = await json('/v1/chat/completions', body)(headers, nodes[0]?.url ?? '');
        const reader = answer.body?.getReader();
        expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('hello');
        await change?.(spent);
        answering.end(END);
        while ((await reader?.read())?.done === false);
        await expect.poll(async () => (await money(spent.user.id)).count).toBe(1);
        const after = await money(spent.user.id);
        // Somebody who was deleted is not found any more; the audit still knows what they had.
        expect([after.rows, after.used ?? HELD_UNITS]).toEqual([HELD_UNITS, HELD_UNITS]);
        expect(after.left ?? left).toBe(left ?? after.left);
        await clean();
      },
    );
  });
}
