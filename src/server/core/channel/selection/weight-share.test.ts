import { expect, it } from 'vitest';
import { channelRowOf } from '../testing/channel.ts';
import { routingOf } from '../testing/selecting.ts';
import { weightShare } from './weight-share.ts';

const sharesOf = (...rows: readonly ReturnType<typeof channelRowOf>[]) => {
  const routing = routingOf(...rows);
  return Object.fromEntries(
    rows.flatMap(({ id }) => {
      const share = weightShare(routing, id);
      return share === undefined ? [] : [[id, share]];
    }),
  );
};
const row = (id: number, more: Parameters<typeof channelRowOf>[1]) =>
  channelRowOf(id, { models: 'a', groups: 'default', weight: 1, ...more });

it('is the part of its weight among those of its priority', () => {
  expect(sharesOf(row(1, { weight: 3 }), row(2, {}), row(3, { priority: 5 }), row(4, { weight: 0 }))).toEqual(
    {
      1: 0.75,
      2: 0.25,
      3: 1,
      4: 0,
    },
  );
});

it('is equal where no channel has a weight', () => {
  expect(sharesOf(row(1, { weight: 0 }), row(2, { weight: 0 }))).toEqual({ 1: 0.5, 2: 0.5 });
});

it('is the mean over models and groups, and there is none for a channel that is off', () => {
  expect(sharesOf(row(1, { models: 'a,b' }), row(2, {}), row(3, { status: 2 }))).toEqual({ 1: 0.75, 2: 0.5 });
});
