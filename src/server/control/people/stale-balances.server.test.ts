import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';

/** A page that was open while calls were charged is saved with its old balance: what was spent stays spent. */

interface Row extends Record<string, unknown> {
  readonly id: number;
  readonly used_quota: number;
}

let upstream: SmallUpstream;
let scene: Scene;
let admin: Caller;
let spenders = 0;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  const { stage, root } = scene;
  admin = stage.caller(await stage.session(await stage.person('an-admin', role.admin)));
  await stage.channel(root, { baseUrl: upstream.url, models: 'gpt-small' });
  await scene.set('ModelRatio', JSON.stringify({ 'gpt-small': 10 }));
});
afterAll(async () => {
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
  await scene.close();
  await upstream.close();
});

const chat = async ({ key }: Spender): Promise<void> => {
  const reply = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-small', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  expect(reply.status).toBe(200);
  await reply.text();
};

/** Two pages: of the account for an admin, and of its token for its owner. */
const pages = ['account', 'token'] as const;
const open = async (page: (typeof pages)[number]) => {
  spenders += 1;
  const spender = await scene.spender(`spender-${String(spenders)}`, 1_000_000, 900_000);
  const own = scene.stage.caller(await scene.stage.session(spender.user));
  const tokens = (await own('/api/token')).data as { items: Row[] };
  const path =
    page === 'account' ? `/api/user/${String(spender.user.id)}` : `/api/token/${String(tokens.items[0]?.id)}`;
  const [caller, field, name] =
    page === 'account' ? [admin, 'quota', 'display_name'] : [own, 'remain_quota', 'name'];
  const read = async (): Promise<Row> => (await caller(path)).data as Row;
  const save = (body: Partial<Row>) => caller(path.replace(/\/\d+$/, ''), { method: 'PUT', body });
  return { spender, field, name, read, save };
};

it('what an admin changed of an account stands in the log under the admin’s name, and nothing that stayed', async () => {
  const { read, save } = await open('account');
  const { id, username } = (await read()) as Row & { username: string };
  await save({ id, group: 'vip', display_name: 'Ann', username });
  await save({ id, group: 'vip' });
  const { items } = (await admin('/api/log?type=3&username=an-admin')).data as {
    items: { content: string }[];
  };
  expect(items.map(({ content }) => content)).toEqual([
    `changed user ${username} (${id}): group: default → vip, display_name: ${username} → Ann`,
  ]);
});

describe.each(pages)('the page of an %s', (page) => {
  it('that is saved as it was read an hour ago changes what was edited, and not the balance', async () => {
    const { spender, field, name, read, save } = await open(page);
    const before = await read();
    await chat(spender);
    const spent = await read();
    expect(Number(spent[field])).toBeLessThan(Number(before[field]));
    expect((await save({ ...before, [name]: 'renamed' })).message).toBe('');
    expect(await read()).toMatchObject({
      [name]: 'renamed',
      [field]: spent[field],
      used_quota: spent.used_quota,
    });
  });

  it('that sets another balance than it read is refused once calls were charged, and nothing is changed', async () => {
    const { spender, field, name, read, save } = await open(page);
    const before = await read();
    await chat(spender);
    const spent = await read();
    const refused = await save({ ...before, [field]: Number(before[field]) + 500, [name]: 'renamed' });
    expect(refused).toMatchObject({ success: false, message: expect.stringContaining('read it again') });
    expect(await read()).toMatchObject({ [field]: spent[field], [name]: spent[name] });
    const anew = await save({ ...spent, [field]: Number(spent[field]) + 500 });
    expect(anew.message).toBe('');
    expect((await read())[field]).toBe(Number(spent[field]) + 500);
  });

  it('sets the given balance if the request does not say which balance was read', async () => {
    const { spender, field, read, save } = await open(page);
    const { id } = await read();
    await chat(spender);
    expect((await save({ id, [field]: 777 })).message).toBe('');
    expect((await read())[field]).toBe(777);
  });
});
