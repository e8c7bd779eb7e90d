import { describe, expect, it } from 'vitest';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { keyOf, setPoolScene } from '../../http/testing/pool-scene.ts';

const here = setPoolScene();
const create = (changes: object) =>
  here.post('/api/channel', { type: 1, name: 'counted', models: 'm,n', group: 'svip', ...changes });

describe('what stands beside the list', () => {
  it('the counts match the results of the same search, also by a whole key, and by type', async () => {
    await create({ key: keyOf('aaaa') });
    await create({ key: keyOf('bbbb'), status: 2, type: 14 });
    const counts = async (query: string) => (await here.scene.asRoot(`/api/channel/counts?${query}`)).data;
    expect(await counts('keyword=COUNTED')).toEqual({ enabled: 1, disabled: 1, auto_disabled: 0 });
    expect(await counts(`keyword=${keyOf('bbbb')}`)).toEqual({ enabled: 0, disabled: 1, auto_disabled: 0 });
    expect(await counts('group=svip&model=m&type=1')).toMatchObject({ enabled: 1, disabled: 0 });
    const everything = await counts('');
    const { total } = (await here.scene.asRoot('/api/channel')).data as { total: number };
    const sum = Object.values(everything as Record<string, number>).reduce((all, one) => all + one, 0);
    expect(sum).toBe(total);
  });

  it('names channels by id, disabled ones as well, and leaves out deleted ones', async () => {
    await create({ key: keyOf('cccc'), status: 2 });
    await create({ key: keyOf('dddd') });
    const rows = (await allChannels(here.scene.server.parts.stores.channels)).filter(
      ({ name }) => name === 'counted',
    );
    const ids = rows.map(({ id }) => id);
    const names = async (query: string) => here.scene.asRoot(`/api/channel/names?ids=${query}`);
    expect((await names([...ids, 999_999].join(','))).data).toEqual(
      ids.map((id) => ({ id, name: 'counted' })),
    );
    for (const wrong of ['', 'x', '1,', '1;2', Array.from({ length: 201 }, () => 1).join(',')])
      expect((await names(wrong)).status).toBe(400);
  });
});
