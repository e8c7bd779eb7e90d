import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Got } from '../../http/testing/caller.ts';
import { NO_PRICE } from '../../http/testing/no-price.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';

/**
 * Whatever operators and owners change while calls run: each call is charged by one price that held at some time, in one group,
 * once; and the books are right.
 */

const INPUT = 100;
const OUTPUT = 40;
/** Only sums of these come out of a price of one version, in one group. */
const RATIOS = [1, 3, 7];
const GROUP_RATIOS = [1, 2, 5];
const possible = new Set(
  RATIOS.flatMap((ratio) => GROUP_RATIOS.map((group) => (INPUT + OUTPUT * 2) * ratio * group)),
);

const event = (fields: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`;

/** Between the first word of an answer and its end. */
let amid = (): Promise<unknown> => Promise.resolve();

const answerInParts = async (response: ServerResponse): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(event({ choices: [{ index: 0, delta: { content: 'a word ' } }] }));
  await amid();
  response.write(event({ choices: [{ index: 0, delta: { content: 'and another' } }] }));
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  response.write(event({ choices: [], usage: { prompt_tokens: INPUT, completion_tokens: OUTPUT } }));
  response.end('data: [DONE]\n\n');
};

describe.each(['sqlite', 'postgres'])('on %s', (engine) => {
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
  let upstream: Server;
  let scene: Scene;

  beforeAll(async () => {
    postgres = engine === 'postgres' ? await startPostgres() : undefined;
    upstream = createServer((request, response) => {
      request.resume().on('end', () => void answerInParts(response));
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    scene = await openScene(postgres === undefined ? {} : { DATABASE_URL: postgres.url });
    const baseUrl = `http://127.0.0.1:${String((upstream.address() as AddressInfo).port)}`;
    await scene.stage.channel(scene.root, { baseUrl, models: 'm', groups: 'default,vip' });
    await scene.set('GroupRatio', JSON.stringify({ default: 1, vip: 2 }));
    await publish(1);
  });
  afterAll(async () => {
    upstream.closeAllConnections();
    upstream.close();
    await scene.close();
    await postgres?.stop();
  });

  const publish = (ratio: number) => {
    const models = [{ ...NO_PRICE, model: 'm', ratio, completion_ratio: 2 }];
    return scene.asRoot('/api/pricing/models', { method: 'PUT', body: { models } });
  };
  const call = (key: string, fields: object = {}) =>
    fetch(`${scene.server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'm',
        stream: true,
        messages: [{ role: 'user', content: 'hi' }],
        ...fields,
      }),
    });
  const rowsOf = async (userId: number) =>
    (await scene.server.parts.stores.logs.page({ userId, type: 2 }, { page: 1, pageSize: 100 })).items;
  const audited = async () => {
    return brokenRules(scene.server.parts.stores.database);
  };
  const quotaOf = async (id: number) => (await scene.server.parts.stores.users.byId(id))?.quotaUnits;

  it('calls are charged by one version in one group, while prices, groups, owners and tokens change', async () => {
    const spenders: Spender[] = [];
    for (let at = 0; at < 8; at += 1) spenders.push(await scene.spender(`amid${String(at)}`, 5_000_000));
    let running = true;
    const refused: string[] = [];
    const changed = new EventEmitter().setMaxListeners(100);
    amid = async () => {
      for (let count = 0; count < 4; count += 1) await once(changed, 'change');
    };
    const turn = async (change: (at: number) => Promise<Got>): Promise<void> => {
      for (let at = 0; running; at += 1) {
        const { success, message } = await change(at);
        if (success !== true) refused.push(message);
        changed.emit('change');
      }
    };
    const month = new Date().toISOString().slice(0, 7);
    const userAt = (at: number): number => spenders[at % spenders.length]?.user.id ?? 0;
    const changes = [
      turn((at) => publish(RATIOS[at % 3] ?? 1)),
      turn((at) => {
        const value = JSON.stringify({ default: [1, 5][at % 2], vip: 2 });
        return scene.asRoot('/api/option', { method: 'PUT', body: { key: 'GroupRatio', value } });
      }),
      turn((at) => {
        const body = { id: userAt(at), group: at % 3 === 0 ? 'vip' : 'default' };
        return scene.asRoot('/api/user', { method: 'PUT', body });
      }),
      turn(() => scene.asRoot(`/api/statement/sums?month=${month}&by=user`)),
      turn((at) => {
        const body = { id: userAt(at), action: 'add_quota', value: 1 };
        return scene.asRoot('/api/user/manage', { method: 'POST', body });
      }),
    ];
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1)
      await Promise.all(
        spenders.map(async ({ key }) => {
          const got = await call(key);
          statuses.push(got.status);
          await got.text();
        }),
      );
    amid = () => Promise.resolve();
    running = false;
    await Promise.all(changes);
    expect(refused).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const rows = (await Promise.all(spenders.map(({ user }) => rowsOf(user.id)))).flat();
    expect(rows).toHaveLength(48);
    const charges = new Set(rows.map(({ quotaUnits }) => quotaUnits));
    expect([...charges].filter((units) => !possible.has(units))).toEqual([]);
    expect(charges.size).toBeGreaterThan(3);
    expect(await audited()).toEqual([]);
  });

  it('no call of a group is refused or priced by another ratio while the group is renamed', async () => {
    await publish(1);
    await scene.set('GroupRatio', JSON.stringify({ default: 1, vip: 2 }));
    await scene.set('GroupGroupRatio', JSON.stringify({ vip: { vip: 5 } }));
    const spenders: Spender[] = [];
    for (const name of ['one', 'two', 'three']) {
      const spender = await scene.spender(`renamed-${name}`, 5_000_000);
      await scene.asRoot('/api/user', { method: 'PUT', body: { id: spender.user.id, group: 'vip' } });
      spenders.push(spender);
    }
    const statuses: number[] = [];
    let running = true;
    const calling = spenders.map(async ({ key }) => {
      while (running) {
        const got = await call(key);
        statuses.push(got.status);
        await got.text();
      }
    });
    const names = ['vip', 'gold', 'vip', 'silver please', 'vip'];
    for (const [at, to] of names.slice(1).entries()) {
      const asked = statuses.length;
      const body = { name: names[at], to };
      expect(await scene.asRoot('/api/group/rename', { method: 'POST', body })).toMatchObject({
        data: { channels: 1 },
      });
      await expect.poll(() => statuses.length).toBeGreaterThan(asked + 6);
    }
    running = false;
    await Promise.all(calling);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const rows = (await Promise.all(spenders.map(({ user }) => rowsOf(user.id)))).flat();
    expect(new Set(rows.map(({ quotaUnits }) => quotaUnits))).toEqual(new Set([(INPUT + OUTPUT * 2) * 5]));
    await scene.set('GroupGroupRatio', '{}');
    // What is past keeps the name it had.
    expect(new Set(rows.map(({ group }) => group))).toEqual(new Set(['vip', 'gold', 'silver please']));
    expect(await audited()).toEqual([]);
  });

  it('a token or account that is deleted in the middle of a stream has paid for it, once', async () => {
    await publish(1);
    await scene.set('GroupRatio', JSON.stringify({ default: 1, vip: 2 }));
    for (const [name, remove] of [
      [
        'token',
        async ({ user }: Spender) => {
          const own = scene.stage.caller(await scene.stage.session(user));
          const { items } = (await own('/api/token?p=1')).data as { items: { id: number }[] };
          for (const { id } of items) await own(`/api/token/${String(id)}`, { method: 'DELETE' });
        },
      ],
      ['account', ({ user }: Spender) => scene.asRoot(`/api/user/${String(user.id)}`, { method: 'DELETE' })],
    ] as const) {
      const spender = await scene.spender(`gone-${name}`, 1_000_000);
      const removed = new EventEmitter();
      amid = () => once(removed, 'done');
      const got = await call(spender.key);
      await remove(spender);
      removed.emit('done');
      await got.text();
      amid = () => Promise.resolve();
      const rows = await rowsOf(spender.user.id);
      expect(
        rows.map(({ quotaUnits }) => quotaUnits),
        name,
      ).toEqual([INPUT + OUTPUT * 2]);
      expect(await audited(), name).toEqual([]);
    }
  });

  it('150 callers of one unit get no answer, and 150 of one account what it can pay', async () => {
    await publish(1);
    const poor = await scene.spender('one-unit', 1);
    const refused = await Promise.all(
      Array.from({ length: 150 }, async () => {
        const got = await call(poor.key, { max_tokens: 1 });
        await got.text();
        return got.status;
      }),
    );
    expect(new Set(refused)).toEqual(new Set([403]));
    expect(await quotaOf(poor.user.id)).toBe(1);
    const { user, key } = await scene.spender('little', 2000);
    await Promise.all(Array.from({ length: 150 }, async () => (await call(key, { max_tokens: 50 })).text()));
    const rows = await rowsOf(user.id);
    const charged = rows.reduce((sum, { quotaUnits }) => sum + quotaUnits, 0);
    expect(charged).toBe(2000 - Number(await quotaOf(user.id)));
    expect(rows.length).toBeGreaterThan(2);
    expect(charged).toBeLessThanOrEqual(2000);
    expect(await audited()).toEqual([]);
  });
});
