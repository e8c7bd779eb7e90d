import { describe, expect, it } from 'vitest';
import { shownText } from '#core/log/shown-phrase.ts';
import { keyOf, setPoolScene } from '../../http/testing/pool-scene.ts';

/** The same key in two channels: what an upstream says of a key holds wherever the key is sent to it. */

const here = setPoolScene();
const SHARED = keyOf('aaaa');

/** A pool that nothing is sent to while the first channel answers. */
const makeReserve = (key: string, more: object = {}) =>
  here.scene.stage.pool(here.scene.root, {
    baseUrl: here.baseUrl,
    models: 'm',
    groups: 'default',
    priority: -1,
    key: `${SHARED}\n${key}`,
    ...more,
  });

/** A channel whose only key is the shared one, and to which nothing is sent while another answers. @returns its id */
const makeLone = async (more: object = {}): Promise<number> => {
  const wish = { baseUrl: here.baseUrl, models: 'm', groups: 'default', priority: -1, key: SHARED, ...more };
  return (await here.scene.stage.channel(here.scene.root, wish)).id;
};
const rowOf = (id: number) => here.scene.server.parts.stores.channels.byId(id);
const statusOf = async (id: number) => (await rowOf(id))?.status;
const reasonOf = async (id: number): Promise<string> => {
  const info = JSON.parse((await rowOf(id))?.otherInfo ?? '{}') as { status_reason?: string };
  return shownText(info.status_reason ?? '', 'en');
};

describe('the same key in another channel', () => {
  it.each([
    [{ status: 401, message: 'bad key' }, 'revoked'],
    [{ status: 402, message: 'pay first' }, 'spent'],
    [{ status: 429, message: 'the limit of the day', after: '36000' }, 'cooling'],
  ] as const)('is known to be bad after %o, without a call that has to find out', async (answer, state) => {
    const { id } = await here.pool([SHARED, keyOf('bbbb')]);
    const reserve = await makeReserve(keyOf('cccc'));
    here.answers.set(SHARED, answer);
    for (let n = 0; n < 3; n += 1) expect(await here.chat()).toBe(200);
    await expect.poll(() => here.statuses(id)).toEqual({ aaaa: state, bbbb: 'enabled' });
    await expect.poll(() => here.statuses(reserve.id)).toEqual({ aaaa: state, cccc: 'enabled' });
    await here.post('/api/channel', { id, status: 2 }, 'PUT');
    here.used.length = 0;
    for (let n = 0; n < 3; n += 1) expect(await here.chat()).toBe(200);
    expect(new Set(here.used)).toEqual(new Set([keyOf('cccc')]));
  });

  it('is judged alone at another address or account, and where it was switched off by hand', async () => {
    const { id } = await here.pool([SHARED, keyOf('bbbb')]);
    const elsewhere = await makeReserve(keyOf('cccc'), { baseUrl: `${here.baseUrl}/elsewhere` });
    const account = await makeReserve(keyOf('dddd'), { organization: 'another' });
    const off = await makeReserve(keyOf('eeee'));
    const offKeys = await here.scene.stage.keysOf(off.id);
    const offId = offKeys.find(({ tail }) => tail === 'aaaa')?.id;
    await here.post(`/api/channel/${off.id}/keys/switch`, { ids: [offId], to: 'off' });
    here.answers.set(SHARED, { status: 401, message: 'bad key' });
    await expect
      .poll(
        async () => {
          await here.chat();
          return here.statuses(id);
        },
        { timeout: 10_000 },
      )
      .toMatchObject({ aaaa: 'revoked' });
    for (const { id: other } of [elsewhere, account])
      expect(await here.statuses(other)).toMatchObject({ aaaa: 'enabled' });
    expect(await here.statuses(off.id)).toMatchObject({ aaaa: 'off' });
  });

  it('is judged alone in what it may do, which can differ', async () => {
    const { id } = await here.pool([SHARED, keyOf('bbbb')]);
    const reserve = await makeReserve(keyOf('cccc'));
    here.answers.set(SHARED, { status: 403, message: 'Permission denied' });
    for (let n = 0; n < 2; n += 1) expect(await here.chat()).toBe(200);
    await expect.poll(() => here.statuses(id)).toMatchObject({ aaaa: 'revoked' });
    here.answers.delete(SHARED);
    here.answers.set(keyOf('bbbb'), { status: 401, message: 'bad key' });
    await here.chat();
    await expect.poll(() => here.statuses(id)).toMatchObject({ bbbb: 'revoked' });
    expect(await here.statuses(reserve.id)).toMatchObject({ aaaa: 'enabled' });
  });

  it('switches a channel off that has no other, if it is revoked, and says where; a key that works brings it back', async () => {
    const { id } = await here.pool([SHARED, keyOf('bbbb')]);
    const lone = await makeLone();
    const elsewhere = await makeLone({ baseUrl: `${here.baseUrl}/elsewhere` });
    const byHand = await makeLone({ autoDisable: false });
    here.answers.set(SHARED, { status: 401, message: 'bad key' });
    for (let n = 0; n < 2; n += 1) expect(await here.chat()).toBe(200);
    await expect.poll(() => statusOf(lone)).toBe(3);
    expect(await reasonOf(lone)).toContain(`#${id}`);
    expect(await reasonOf(lone)).toContain('bad key');
    expect([await statusOf(elsewhere), await statusOf(byHand)]).toEqual([1, 1]);
    here.answers.clear();
    const [key] = (await here.scene.stage.keysOf(id)).filter(({ tail }) => tail === 'aaaa');
    await here.post(`/api/channel/${id}/keys/${key?.id}/test`, {});
    await expect.poll(() => statusOf(lone)).toBe(1);
  });

  it.each([
    [{ status: 402, message: 'pay first' }, 'spent'],
    [{ status: 429, message: 'the limit of the day', after: '36000' }, 'cooling'],
  ] as const)('rests where a channel has no other, after %o', async (answer, state) => {
    const { id } = await here.pool([SHARED, keyOf('bbbb')]);
    await makeLone();
    await makeLone({ key: keyOf('cccc'), priority: -2 });
    here.answers.set(SHARED, answer);
    for (let n = 0; n < 2; n += 1) expect(await here.chat()).toBe(200);
    await expect.poll(() => here.statuses(id)).toMatchObject({ aaaa: state });
    await here.post('/api/channel', { id, status: 2 }, 'PUT');
    here.used.length = 0;
    for (let n = 0; n < 3; n += 1) expect(await here.chat()).toBe(200);
    expect(new Set(here.used)).toEqual(new Set([keyOf('cccc')]));
  });

  it.each([
    [{ status: 401, message: 'bad key' }, 'revoked', 3],
    [{ status: 402, message: 'pay first' }, 'spent', 1],
  ] as const)('tells the others where it is the only one, after %o', async (answer, state, status) => {
    const lone = await makeLone({ priority: 1 });
    const reserve = await makeReserve(keyOf('cccc'));
    here.answers.set(SHARED, answer);
    await here.chat();
    await expect.poll(() => here.statuses(reserve.id)).toEqual({ aaaa: state, cccc: 'enabled' });
    await expect.poll(() => statusOf(lone)).toBe(status);
  });

  it('is as new again as soon as it works in one of them', async () => {
    const { id } = await here.pool([SHARED, keyOf('bbbb')]);
    const reserve = await makeReserve(keyOf('cccc'));
    here.answers.set(SHARED, { status: 402, message: 'pay first' });
    for (let n = 0; n < 2; n += 1) await here.chat();
    await expect.poll(() => here.statuses(reserve.id)).toMatchObject({ aaaa: 'spent' });
    here.answers.clear();
    const [key] = (await here.scene.stage.keysOf(id)).filter(({ tail }) => tail === 'aaaa');
    await here.post(`/api/channel/${id}/keys/${key?.id}/test`, {});
    await expect.poll(() => here.statuses(id)).toMatchObject({ aaaa: 'enabled' });
    await expect.poll(() => here.statuses(reserve.id)).toMatchObject({ aaaa: 'enabled' });
  });
});
