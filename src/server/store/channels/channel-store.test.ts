import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { ChannelFilter, ChannelStore } from '#core/channel/channel-store.ts';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { createChannelStore } from './channel-store.ts';
import { givenChannel } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';

onEachEngine('channels', (on) => {
  let channels: ChannelStore;
  let first: number;
  let second: number;
  beforeAll(async () => {
    channels = createChannelStore(on.database);
    first = await givenChannel(on.database);
    second = await givenChannel(on.database);
  });
  const found = async (filter: Partial<ChannelFilter>) =>
    (await channels.page({ sortById: true, ...filter }, { page: 1, pageSize: 10 })).items.map(({ id }) => id);

  it('seals each key for the row it is in', async () => {
    expect((await allChannels(channels)).map(({ id, encryptedKey }) => [id, encryptedKey])).toEqual([
      [first, `sealed for ${first}`],
      [second, `sealed for ${second}`],
    ]);
  });

  it('matches groups as whole items, and models by a part of a name, whatever its signs', async () => {
    await channels.update(second, { models: 'gpt-5-mini, claude_3', groups: 'vip' });
    expect(await found({ model: 'gpt-5' })).toEqual([second, first]);
    expect(await found({ model: 'Claude' })).toEqual([second]);
    expect(await found({ model: 'gpt_5' })).toEqual([]);
    expect(await found({ group: 'defau' })).toEqual([]);
    expect(await found({ model: 'gpt-5-mini' })).toEqual([second, first]);
    expect(await found({ model: 'claude_3' })).toEqual([second]);
    expect(await found({ model: 'claude%' })).toEqual([]);
    expect(await found({ group: 'default' })).toEqual([first]);
  });

  it('searches by id, name, address, remark and whole key, and lists by priority', async () => {
    await channels.update(first, {
      name: 'Main',
      baseUrl: 'https://main.example',
      keyMac: 'its mac',
      remark: 'contract ends in May',
      priority: 5,
    });
    expect(await found({ keyword: 'MAIN' })).toEqual([first]);
    expect(await found({ keyword: 'Ends in may' })).toEqual([first]);
    expect(await found({ keyword: String(second) })).toEqual([second]);
    expect(await found({ keyword: 'sk-key', keyMac: 'its mac' })).toEqual([first]);
    expect(await found({ sortById: false })).toEqual([first, second]);
    expect(await found({ type: 99 })).toEqual([]);
  });

  it('disables a failing channel once, with the reason', async () => {
    // At the same moment, and which comes first is the database's choice.
    const outcomes = await Promise.all([
      channels.autoDisable(first, 'no credit', 9_000),
      channels.autoDisable(first, 'no credit', 9_000),
    ]);
    expect(outcomes.filter(Boolean)).toEqual([true]);
    expect(await channels.autoDisable(first, 'late', 9_000)).toBe(false);
    const row = await channels.byId(first);
    expect(row).toMatchObject({ status: 3 });
    expect(JSON.parse(row!.otherInfo)).toEqual({ status_reason: 'no credit', status_time: 9 });
    expect(await found({ status: 'disabled' })).toEqual([first]);
    expect(await found({ status: 'enabled' })).toEqual([second]);
    expect(await found({ status: 'auto' })).toEqual([first]);
    expect(await channels.counts({})).toEqual({ enabled: 1, disabled: 0, autoDisabled: 1 });
    await channels.update(second, { status: 2 });
    expect(await found({ status: 'auto' })).toEqual([first]);
    expect(await found({ status: 'disabled' })).toEqual([second, first]);
    expect(await found({ status: 'manual' })).toEqual([second]);
    expect(await channels.counts({})).toEqual({ enabled: 0, disabled: 1, autoDisabled: 1 });
    expect(await channels.counts({ keyword: 'main' })).toEqual({
      enabled: 0,
      disabled: 0,
      autoDisabled: 1,
    });
    expect(await channels.counts({ group: 'nobody' })).toEqual({
      enabled: 0,
      disabled: 0,
      autoDisabled: 0,
    });
    expect(await channels.counts({ type: 99 })).toEqual({ enabled: 0, disabled: 0, autoDisabled: 0 });
    await channels.update(second, { status: 1 });
  });

  it('sorts by what is asked for, before the usual order', async () => {
    await channels.update(first, { weight: 1 });
    await channels.update(second, { weight: 3 });
    expect(await found({ sort: { key: 'weight', isDescending: true } })).toEqual([second, first]);
    expect(await found({ sort: { key: 'weight', isDescending: false } })).toEqual([first, second]);
    expect(await found({ sortById: false, sort: { key: 'balance', isDescending: true } })).toEqual([
      first,
      second,
    ]);
  });

  it('announces a new revision for changes that affect calls, whoever writes them, and for no others', async () => {
    const { writer } = on.database;
    const revision = async () => (await channels.revisions()).find(({ id }) => id === second)?.revision ?? -1;
    const rows = writer.selectFrom('channels').selectAll().where('id', '=', second);
    const quiet: string[] = [];
    // The database itself makes it of another.
    const { models_lower: made, ...stored } = await rows.executeTakeFirstOrThrow();
    expect(made).toBe(stored.models.toLowerCase());
    for (const column of Object.keys(stored)) {
      const before = await revision();
      await sql`UPDATE channels SET ${sql.ref(column)} = ${sql.ref(column)} WHERE id = ${second}`.execute(
        writer,
      );
      if ((await revision()) === before) quiet.push(column);
    }
    // A new column belongs here, or in a trigger of its own.
    expect(quiet).toEqual([
      'id',
      'key_mac',
      'used_quota',
      'balance_usd',
      'balance_updated_at',
      'response_time_ms',
      'tested_at',
      'created_at',
      'other_info',
      'remark',
      'revision',
    ]);
  });

  it('changes only what is given, and deletes', async () => {
    const before = await channels.byId(second);
    expect(await channels.update(second, { weight: 7, tag: 'a', autoDisable: false })).toEqual({
      ...before,
      weight: 7,
      tag: 'a',
      autoDisable: false,
      revision: (before?.revision ?? 0) + 1,
    });
    expect(await channels.update(second, { tag: null })).toMatchObject({ tag: null, weight: 7 });
    expect(await channels.update(999_999, { weight: 1 })).toBeUndefined();
    expect([await channels.delete(second), await channels.delete(second)]).toEqual([true, false]);
  });
});
