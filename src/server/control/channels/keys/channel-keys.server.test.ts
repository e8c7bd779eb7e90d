import { describe, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { keyOf, setPoolScene } from '../../../http/testing/pool-scene.ts';

const here = setPoolScene();

describe('keys of a channel', () => {
  it('are added to a channel of one key, which looks as it did until then', async () => {
    const { id } = await here.scene.stage.channel(here.scene.root, {
      baseUrl: here.baseUrl,
      models: 'm',
      key: keyOf('aaaa'),
    });
    const alone = await here.scene.asRoot(`/api/channel/${id}`);
    expect(alone.text).not.toContain('pool');
    expect((await here.scene.asRoot(`/api/channel/${id}/keys`)).data).toMatchObject({ total: 0, items: [] });
    expect(
      (await here.post(`/api/channel/${id}/keys`, { keys: `${keyOf('aaaa')}\n${keyOf('bbbb')}` })).data,
    ).toEqual({ added: 1 });
    expect(await here.statuses(id)).toEqual({ aaaa: 'enabled', bbbb: 'enabled' });
    await here.chat();
    await here.chat();
    expect(here.used.toSorted()).toEqual([keyOf('aaaa'), keyOf('bbbb')]);
  });

  it('are previewed: repeated, known, and of other channels', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const other = await here.scene.stage.channel(here.scene.root, {
      baseUrl: here.baseUrl,
      models: 'm',
      key: keyOf('cccc'),
    });
    const lines = [keyOf('aaaa'), keyOf('cccc'), `${keyOf('cccc')}\u200B`, keyOf('dddd'), '\u200B', ''];
    const keys = lines.join('\r\n');
    expect((await here.post(`/api/channel/${id}/keys/preview`, { keys })).data).toEqual({
      keys: 3,
      named: 0,
      repeated: 1,
      remarks: 0,
      known: 1,
      elsewhere: [{ channel_id: other.id, keys: 1 }],
    });
    expect(Object.keys(await here.statuses(id))).toEqual(['aaaa', 'bbbb']);
  });

  it('have the names that stand beside them where they are pasted', async () => {
    const made = `# bought in May\nalice, ${keyOf('aaaa')}\n${keyOf('bbbb')} # Bob`;
    const { id } = await here.pool([made]);
    const keys = `name,key\ncarol,${keyOf('cccc')}\n${keyOf('dddd')}`;
    const path = `/api/channel/${id}/keys`;
    expect((await here.post(`${path}/preview`, { keys })).data).toMatchObject({
      keys: 2,
      named: 1,
      remarks: 1,
    });
    expect((await here.post(path, { keys, label: 'new' })).data).toEqual({ added: 2 });
    const { items } = (await here.scene.asRoot(path)).data as { items: { label: string; tail: string }[] };
    expect(Object.fromEntries(items.map(({ tail, label }) => [tail, label]))).toEqual({
      aaaa: 'alice',
      bbbb: 'Bob',
      cccc: 'carol',
      dddd: 'new',
    });
    const unclear = await here.post(path, { keys: `x\n\n${keyOf('eeee')} ${keyOf('ffff')}` });
    expect([unclear.success, unclear.message]).toEqual([false, expect.stringContaining('line 3') as unknown]);
    expect(JSON.stringify(unclear)).not.toContain('eeee');
  });

  it('are a thousand at once and no more, and chosen among as fast as one', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => keyOf(String(n).padStart(4, '0'))).join('\n');
    const full = await here.post(`/api/channel/${id}/keys`, { keys: many(999) });
    expect([full.success, full.message]).toEqual([false, 'a channel has at most 1000 keys']);
    expect((await here.scene.stage.keysOf(id)).length).toBe(2);
    expect((await here.post(`/api/channel/${id}/keys`, { keys: many(998) })).data).toEqual({ added: 998 });
    expect(await here.chat()).toBe(200);
    expect((await here.scene.asRoot(`/api/channel/${id}/keys?p=3&page_size=100`)).data).toMatchObject({
      total: 1000,
    });
  });

  it.each([
    [
      'the same key again',
      (id: number) => here.post(`/api/channel/${id}/keys`, { keys: keyOf('aaaa') }),
      'the channel has all of these keys already',
    ],
    [
      'a key that is gone',
      (id: number) => here.post(`/api/channel/${id}/keys/99999`, { weight: 2 }, 'PUT'),
      'the channel has no such key',
    ],
    [
      'both keys deleted',
      async (id: number) =>
        here.post(`/api/channel/${id}/keys/delete`, {
          ids: (await here.scene.stage.keysOf(id)).map((key) => key.id),
        }),
      'a channel keeps its last key: replace it, or delete the channel',
    ],
    [
      'a key replaced by another it has',
      async (id: number) =>
        here.post(
          `/api/channel/${id}/keys/${String((await here.scene.stage.keysOf(id))[0]?.id)}`,
          { key: keyOf('bbbb') },
          'PUT',
        ),
      'the channel has this key already',
    ],
  ])('%s is refused in clear words', async (_name, act, message) => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const got = await act(id);
    expect([got.status, got.success, got.message]).toEqual([200, false, message]);
    expect(Object.keys(await here.statuses(id))).toEqual(['aaaa', 'bbbb']);
  });

  it('are switched off by hand and on again, and have limits, weight and a proxy of their own', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const [first] = await here.scene.stage.keysOf(id);
    const path = `/api/channel/${id}/keys/${String(first?.id)}`;
    const edit = { label: 'team A', weight: 5, calls_per_minute: 60, concurrent: 2, status: 'off' };
    expect((await here.post(path, edit, 'PUT')).data).toMatchObject({
      ...edit,
      tokens_per_minute: 0,
      calls_per_day: 0,
    });
    await here.chat();
    await here.chat();
    expect(here.used).toEqual([keyOf('bbbb'), keyOf('bbbb')]);
    const seen = await here.post(path, { proxy: 'http://me:hidden@127.0.0.1:9' }, 'PUT');
    expect(seen.message).toContain('enter the key again');
    const proxied = await here.post(
      path,
      { proxy: 'http://me:hidden@127.0.0.1:9', key: keyOf('eeee'), status: 'enabled' },
      'PUT',
    );
    expect(proxied.data).toMatchObject({
      proxy: 'http://me:******@127.0.0.1:9',
      status: 'enabled',
      tail: 'eeee',
    });
    const kept = here.scene.server.parts.routing().channels.get(id)?.pool[0];
    expect(kept?.proxy?.password.reveal()).toBe('hidden');
    expect(kept?.limits).toEqual({ callsPerMinute: 60, tokensPerMinute: 0, concurrent: 2, callsPerDay: 0 });
  });

  it('sent back as they were read stay as they are: in their state too, and since when', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const [first, second] = await here.scene.stage.keysOf(id);
    const until = {
      status: 'cooling',
      reason: 'asked for a pause',
      untilMs: 9e12,
      changedAtMs: 5000,
    } as const;
    await here.scene.server.parts.stores.channelKeys.change(id, first?.id ?? 0, until);
    await here.scene.server.parts.stores.channelKeys.change(id, second?.id ?? 0, { changedAtMs: 5000 });
    const read = async () =>
      (await here.scene.asRoot(`/api/channel/${id}/keys`)).data as { items: { id: number }[] };
    const before = await read();
    expect(before).toMatchObject({ counts: { enabled: 1, cooling: 1 } });
    for (const key of before.items)
      expect((await here.post(`/api/channel/${id}/keys/${key.id}`, key, 'PUT')).data).toEqual(key);
    expect(await read()).toEqual(before);
  });

  it('are tested singly: one that works again is used again', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    here.answers.set(keyOf('aaaa'), { status: 401, message: 'bad key' });
    await here.chat();
    await expect.poll(async () => (await here.statuses(id))['aaaa']).toBe('revoked');
    const [first] = await here.scene.stage.keysOf(id);
    const path = `/api/channel/${id}/keys/${String(first?.id)}/test`;
    expect((await here.post(path, { model: 'm' })).success).toBe(false);
    here.answers.clear();
    expect((await here.post(path, { model: 'm' })).success).toBe(true);
    expect(await here.statuses(id)).toEqual({ aaaa: 'enabled', bbbb: 'enabled' });
  });

  it('are tested all in the background, and each is judged alone', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb'), keyOf('cccc')]);
    here.answers.set(keyOf('bbbb'), { status: 401, message: 'bad key' });
    expect((await here.post(`/api/channel/${id}/keys/test`, {})).success).toBe(true);
    const round = async () => (await here.scene.asRoot('/api/channel/keys/round')).data;
    await expect.poll(round).toMatchObject({ channel_id: id, running: false, done: 3, total: 3, failed: 1 });
    expect(await here.statuses(id)).toEqual({ aaaa: 'enabled', bbbb: 'revoked', cccc: 'enabled' });
  });

  it('are switched, tested and deleted by their state, all at once', async () => {
    const { id } = await here.pool(['aaaa', 'bbbb', 'cccc', 'dddd'].map(keyOf));
    const path = `/api/channel/${id}/keys`;
    const dead = ['bbbb', 'cccc'].map(keyOf);
    for (const key of dead) here.answers.set(key, { status: 401, message: 'bad key' });
    await here.post(`${path}/test`, {});
    await expect.poll(() => here.statuses(id)).toMatchObject({ bbbb: 'revoked', cccc: 'revoked' });
    const ids = new Map((await here.scene.stage.keysOf(id)).map((key) => [key.tail, key.id]));
    const both = [ids.get('bbbb'), ids.get('cccc')];
    const round = async () => (await here.scene.asRoot('/api/channel/keys/round')).data;
    await expect.poll(round).toMatchObject({ running: false });
    await here.post(`${path}/test?status=revoked`, {});
    await expect.poll(round).toMatchObject({ running: false, done: 2, total: 2, failed: 2 });
    const on = await here.post(`${path}/switch`, { status: 'revoked', to: 'enabled' });
    expect(on.data).toEqual({ ids: both });
    expect((await here.post(`${path}/switch`, { ids: both, to: 'off' })).data).toEqual({ ids: both });
    expect(await here.statuses(id)).toEqual({
      aaaa: 'enabled',
      bbbb: 'off',
      cccc: 'off',
      dddd: 'enabled',
    });
    expect((await here.post(`${path}/delete`, { status: 'off' })).data).toEqual({ deleted: 2 });
    expect(Object.keys(await here.statuses(id))).toEqual(['aaaa', 'dddd']);
    for (const nothing of [{}, { keyword: ' ' }]) {
      expect((await here.post(`${path}/delete`, nothing)).success).toBe(false);
      expect((await here.post(`${path}/switch`, { ...nothing, to: 'off' })).success).toBe(false);
    }
    expect(await here.statuses(id)).toEqual({ aaaa: 'enabled', dddd: 'enabled' });
  });

  it('that are all switched off switch their channel off, and on again with the first that is on', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const path = `/api/channel/${id}/keys/switch`;
    const status = () => here.scene.server.parts.routing().channels.get(id)?.status;
    await here.post(path, { status: 'enabled', to: 'off' });
    expect([status(), await here.chat()]).toEqual([3, 503]);
    await here.post(path, { keyword: keyOf('bbbb'), to: 'enabled' });
    expect([status(), await here.chat(), here.used]).toEqual([1, 200, [keyOf('bbbb')]]);
  });

  it('go with a copy of the channel, and with the channel when it is deleted', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')], 'least_used');
    const { data } = await here.post(`/api/channel/copy/${id}`, {});
    const copy = (await allChannels(here.scene.server.parts.stores.channels)).at(-1);
    expect([data === undefined, copy?.poolMode]).toEqual([false, 'least_used']);
    await here.post('/api/channel/batch', { ids: [id] });
    expect(await here.scene.stage.keysOf(id)).toEqual([]);
    await here.chat();
    await here.chat();
    expect(here.used.toSorted()).toEqual([keyOf('aaaa'), keyOf('bbbb')]);
  });

  it('entered in the form of the channel are all it has from then on', async () => {
    const { id } = await here.pool([keyOf('aaaa'), keyOf('bbbb')]);
    const moved = await here.post('/api/channel', { id, base_url: 'http://127.0.0.1:9' }, 'PUT');
    expect(moved.success).toBe(false);
    expect(
      (await here.post('/api/channel', { id, key: `${keyOf('bbbb')}\n${keyOf('cccc')}` }, 'PUT')).success,
    ).toBe(true);
    expect(await here.statuses(id)).toEqual({ bbbb: 'enabled', cccc: 'enabled' });
  });
});
