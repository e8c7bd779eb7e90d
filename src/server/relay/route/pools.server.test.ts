import { describe, expect, it } from 'vitest';
import { channelStatus } from '#contract/codes.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { createCaller } from '../../http/testing/caller.ts';
import { keyOf, setPoolScene } from '../../http/testing/pool-scene.ts';

/** Channels of several keys: which key a call is sent with, and what happens when one fails. */

const here = setPoolScene();

describe('a channel of several keys', () => {
  it('uses them in turn, and counts for each what was charged', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    for (let n = 0; n < 4; n += 1) expect(await here.chat()).toBe(200);
    expect(here.used).toEqual([keyOf('aaaa'), keyOf('bbbb'), keyOf('aaaa'), keyOf('bbbb')]);
    const rows = await here.scene.stage.keysOf(id);
    const channel = await here.scene.server.parts.stores.channels.byId(id);
    expect(rows.map(({ usedQuotaUnits }) => usedQuotaUnits)).toEqual([400, 400]);
    expect(channel?.usedQuotaUnits).toBe(800);
  });

  it('never gives a key back, and shows its end and its state to administrators', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')], 'random');
    const got = await here.scene.asRoot(`/api/channel/${id}/keys`);
    expect(got.text).not.toContain('long-enough');
    expect(got.data).toMatchObject({
      total: 2,
      mode: 'random',
      counts: { enabled: 2, spent: 0 },
      items: [{ tail: 'bbbb', status: 'enabled', weight: 1 }, { tail: 'aaaa' }],
    });
    const list = await here.scene.asRoot(`/api/channel/${id}`);
    expect(list.data).toMatchObject({ key: '', pool: { mode: 'random', keys: 2, left: 2 } });
  });

  it('goes on with the next key where one dies, and no caller notices', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb'), keyOf('cccc')]);
    here.answers.set(keyOf('aaaa'), { status: 401, message: 'bad key' });
    here.answers.set(keyOf('bbbb'), { status: 402, message: 'pay first' });
    for (let n = 0; n < 3; n += 1) expect(await here.chat()).toBe(200);
    await expect.poll(() => here.statuses(id)).toEqual({ aaaa: 'revoked', bbbb: 'spent', cccc: 'enabled' });
    here.used.length = 0;
    await here.chat();
    expect(here.used).toEqual([keyOf('cccc')]);
    const { data } = await here.scene.asRoot(`/api/channel/${id}/keys?status=revoked`);
    expect(data).toMatchObject({ items: [{ tail: 'aaaa', reason: 'status 401, bad key' }] });
  });

  it('names the key of each attempt in the log for administrators, and not for the caller', async () => {
    await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    here.answers.set(keyOf('aaaa'), { status: 429, message: 'slow down' });
    await here.chat();
    const row = async (headers: Record<string, string>) =>
      (await createCaller(here.scene.server.url, headers)('/api/log/self?p=1&page_size=1')).text;
    const { text } = await here.scene.asRoot('/api/log?p=1&page_size=1&type=2');
    expect(text).toContain('…aaaa');
    expect(text).toContain('…bbbb');
    expect(await row(await here.scene.stage.session(here.spender.user))).not.toContain('aaaa');
  });

  it('tells a caller whose call failed neither the channel nor its keys', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const { name } = (await here.scene.server.parts.stores.channels.byId(id)) ?? { name: '' };
    for (const end of ['aaaa', 'bbbb']) here.answers.set(keyOf(end), { status: 400, message: 'bad call' });
    expect(await here.chat()).toBe(400);
    expect((await here.scene.asRoot('/api/log?p=1&page_size=1&type=5')).text).toContain(name);
    const call = createCaller(here.scene.server.url, await here.scene.stage.session(here.spender.user));
    const { text } = await call('/api/log/self?p=1&page_size=1&type=5');
    expect(text).toContain('bad call');
    for (const told of [name, 'channel_name', 'channel_id', 'channel_type', 'admin_info', 'aaaa'])
      expect(text).not.toContain(`${told}\\"`);
    expect(text).not.toContain(name);
  });

  it('is off only when no key is left, and comes back with a key', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    for (const end of ['aaaa', 'bbbb']) here.answers.set(keyOf(end), { status: 401, message: 'bad key' });
    await here.chat();
    const status = async () => (await here.scene.server.parts.stores.channels.byId(id))?.status;
    await expect.poll(status).toBe(channelStatus.autoDisabled);
    expect((await here.post(`/api/channel/${id}/keys`, { keys: keyOf('cccc') })).data).toEqual({ added: 1 });
    expect(await status()).toBe(channelStatus.enabled);
    expect(await here.chat()).toBe(200);
  });

  it('is tried again by one call when a spent key has waited, and only by one', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const [first] = await here.scene.stage.keysOf(id);
    const { channelKeys } = here.scene.server.parts.stores;
    const waited = { status: 'spent', reason: 'x', untilMs: Date.now() - 1, rounds: 1 } as const;
    await channelKeys.change(id, first?.id ?? 0, waited);
    await here.scene.server.parts.refreshRouting();
    here.answers.set(keyOf('aaaa'), { status: 402, message: 'still no money' });
    expect(await Promise.all(Array.from({ length: 30 }, here.chat))).toEqual(
      Array.from({ length: 30 }, () => 200),
    );
    await expect
      .poll(async () => {
        await here.chat();
        return (await here.scene.stage.keysOf(id))[0]?.rounds;
      })
      .toBe(2);
    expect(here.used.filter((key) => key === keyOf('aaaa')).length).toBe(1);
    // Now there is money.
    here.answers.clear();
    await channelKeys.change(id, first?.id ?? 0, { untilMs: Date.now() - 1 });
    await here.scene.server.parts.refreshRouting();
    await expect
      .poll(
        async () => {
          await here.chat();
          return (await here.statuses(id))['aaaa'];
        },
        { timeout: 10_000 },
      )
      .toBe('enabled');
  });

  it('passes over to the next key where one has had its calls of the minute', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const [first] = await here.scene.stage.keysOf(id);
    expect(
      (await here.post(`/api/channel/${id}/keys/${String(first?.id)}`, { calls_per_minute: 3 }, 'PUT'))
        .success,
    ).toBe(true);
    for (let n = 0; n < 12; n += 1) expect(await here.chat()).toBe(200);
    expect(here.used.filter((key) => key === keyOf('aaaa'))).toHaveLength(3);
  });

  it('waits no longer than a month, however late the upstream says', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    here.answers.set(keyOf('aaaa'), { status: 402, message: 'later', after: String(365 * 86_400) });
    await here.chat();
    await expect.poll(async () => (await here.statuses(id))['aaaa']).toBe('spent');
    const [row] = await here.scene.stage.keysOf(id);
    expect((row?.untilMs ?? 0) - Date.now()).toBeLessThan(33 * 86_400_000);
  });

  it('a key that is removed or replaced while it answers ends its answer, which is charged', async () => {
    const { id } = await here.pool(['slow-but-long-enough-1', keyOf('bbbb')]);
    const [first] = await here.scene.stage.keysOf(id);
    const before = (await here.scene.server.parts.stores.channels.byId(id))?.usedQuotaUnits ?? 0;
    const answered = here.chat();
    await expect.poll(() => here.held.length).toBe(1);
    await here.post(`/api/channel/${id}/keys/delete`, { ids: [first?.id] });
    here.held[0]?.();
    expect(await answered).toBe(200);
    expect((await here.scene.server.parts.stores.channels.byId(id))?.usedQuotaUnits).toBe(before + 200);
    expect(await here.statuses(id)).toEqual({ bbbb: 'enabled' });
  });

  it('a key that is removed in the middle of a stream ends the stream, which is charged once', async () => {
    const { id } = await here.pool(['slow-but-long-enough-1', keyOf('bbbb')]);
    const [first] = await here.scene.stage.keysOf(id);
    const stream = (await here.stream())[Symbol.asyncIterator]();
    expect(String((await stream.next()).value)).toContain('First');
    const { data } = await here.post(`/api/channel/${id}/keys/delete`, { ids: [first?.id] });
    expect(data).toMatchObject({ deleted: 1 });
    expect(await here.chat()).toBe(200);
    expect(here.used).toEqual(['slow-but-long-enough-1', keyOf('bbbb')]);
    here.held[0]?.();
    let rest = '';
    for (let next = await stream.next(); next.done !== true; next = await stream.next())
      rest += String(next.value);
    expect(rest).toContain(' and last.');
    expect(rest).toContain('[DONE]');
    const used = async () => (await here.scene.server.parts.stores.channels.byId(id))?.usedQuotaUnits;
    await expect.poll(used).toBe(400);
    const rows = await here.scene.stage.keysOf(id);
    expect(rows.map(({ tail, usedQuotaUnits }) => [tail, usedQuotaUnits])).toEqual([['bbbb', 200]]);
    const { stores } = here.scene.server.parts;
    expect(await brokenRules(stores.database)).toEqual([]);
  });

  it('late news of the old key do not end the new one', async () => {
    const { id } = await here.pool(['slow-but-long-enough-1', keyOf('bbbb')]);
    const [first] = await here.scene.stage.keysOf(id);
    here.answers.set('slow-but-long-enough-1', { status: 401, message: 'bad key' });
    const answered = here.chat();
    await expect.poll(() => here.held.length).toBe(1);
    await here.post(`/api/channel/${id}/keys/${String(first?.id)}`, { key: keyOf('dddd') }, 'PUT');
    here.held[0]?.();
    expect(await answered).toBe(200);
    await here.chat();
    expect(await here.statuses(id)).toEqual({ dddd: 'enabled', bbbb: 'enabled' });
  });
});

describe('under load', () => {
  it('no call fails while keys are replaced, switched and deleted, and the way of choosing changes', async () => {
    const { id } = await here.pool(
      Array.from({ length: 20 }, (_, n) => keyOf(`k${String(n).padStart(3, '0')}`)),
    );
    let isOver = false;
    const results: number[] = [];
    const callers = Array.from({ length: 8 }, async () => {
      while (!isOver) results.push(await here.chat());
    });
    for (let round = 0; round < 15; round += 1) {
      const rows = await here.scene.stage.keysOf(id);
      const [one, two, three] = rows;
      await here.post(`/api/channel/${id}/keys/${String(one?.id)}`, { key: keyOf(`new-${round}`) }, 'PUT');
      await here.post(
        `/api/channel/${id}/keys/${String(two?.id)}`,
        { status: round % 2 === 0 ? 'off' : 'enabled' },
        'PUT',
      );
      if (rows.length > 5) await here.post(`/api/channel/${id}/keys/delete`, { ids: [three?.id] });
      await here.post(
        `/api/channel/${id}/pool`,
        { mode: (['random', 'least_used', 'in_turn'] as const)[round % 3] },
        'PUT',
      );
    }
    isOver = true;
    await Promise.all(callers);
    expect(results.length).toBeGreaterThan(20);
    expect(new Set(results)).toEqual(new Set([200]));
  });
});
