import { expect, it } from 'vitest';
import { keyOf, setPoolScene } from '../../http/testing/pool-scene.ts';

const here = setPoolScene();

it('a channel whose keys change without end serves every call meanwhile', async () => {
  const { id } = await here.pool([keyOf('one'), keyOf('two')]);
  const { stores, refreshRouting } = here.scene.server.parts;
  const [key] = await here.scene.stage.keysOf(id);
  let isOver = false;
  let changes = 0;
  const change = async (): Promise<void> => {
    while (!isOver) await stores.channelKeys.change(id, key?.id ?? 0, { label: `name ${(changes += 1)}` });
  };
  const refresh = async (): Promise<void> => {
    while (!isOver) await refreshRouting();
  };
  const busy = [change(), change(), refresh()];
  for (let call = 0; call < 200; call += 1) expect(await here.chat()).toBe(200);
  isOver = true;
  await Promise.all(busy);
  expect(changes).toBeGreaterThan(200);
});
