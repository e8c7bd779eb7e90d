import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import type { Routing } from '#core/channel/routing.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { createGroupsReady } from './groups-ready.ts';

/** A routing that knows `vip`, and `gold` once it is read again after `gold` was made of it. */
const stage = () => {
  const now = { ms: 0, reads: 0, stored: 'vip', read: 'vip' };
  const routing = () =>
    standIn<Routing>({
      options: {
        ...initialOptions,
        GroupRatio: { default: 1, [now.read]: 1 },
        'group_setting.former_names': now.read === 'gold' ? { vip: 'gold' } : {},
      },
    });
  const ready = createGroupsReady({
    routing,
    refresh: async () => {
      now.reads += 1;
      now.read = now.stored;
    },
    clock: { monotonic: () => now.ms },
    log: standIn({}),
  });
  return { now, ready };
};

it('whoever is read just after their group was renamed waits for a routing that knows its name', async () => {
  const { now, ready } = stage();
  await ready('vip', '');
  await ready('default', 'auto');
  expect(now.reads).toBe(0);
  now.stored = 'gold';
  await ready('default', 'gold');
  expect(now).toMatchObject({ reads: 1, read: 'gold' });
  // Its members are known by both names.
  await ready('vip', 'gold');
  expect(now.reads).toBe(1);
});

it('a group that does not exist is not looked for with every call', async () => {
  const { now, ready } = stage();
  for (now.ms = 0; now.ms < 30_000; now.ms += 1000) await ready('gone', '');
  expect(now.reads).toBe(3);
});
