import { describe, expect, it } from 'vitest';
import { aSecond, flowOf, healthOf, inOrder, type LiveChannel } from './live.ts';

const none = Array.from({ length: 60 }, () => 0);
const channel = (id: number, more: Partial<LiveChannel> = {}): LiveChannel => ({
  id,
  name: `channel ${String(id)}`,
  type: 1,
  status: 1,
  in_flight: 0,
  calls: 10,
  errors: 0,
  first_token_ms: { p50: null, p95: null },
  cached_share: null,
  breaker: { state: 'closed', seconds_left: 0 },
  cooling_models: [],
  history: { calls: none, errors: none, first_token_ms: none },
  keys: [],
  pool: 0,
  routes: [],
  ...more,
});

describe('the word for a channel', () => {
  it('is the worst of its known states', () => {
    const breaker = { state: 'cooling', seconds_left: 4 } as const;
    expect(healthOf(channel(1, { breaker, errors: 5 }))).toBe('cooling');
    expect(healthOf(channel(1, { errors: 1, cooling_models: ['a'] }))).toBe('errors');
    expect(healthOf(channel(1, { cooling_models: ['a'] }))).toBe('models');
    expect(healthOf(channel(1))).toBe('well');
    expect(healthOf(channel(1, { calls: 0 }))).toBe('quiet');
  });
});

it('cards keep their order while numbers change, except that problems come first', () => {
  const all = [channel(3), channel(1, { calls: 5 }), channel(2, { errors: 9 })];
  expect(inOrder(all).map(({ id }) => id)).toEqual([2, 1, 3]);
  expect(inOrder([channel(1, { calls: 50 }), channel(3, { calls: 900 })]).map(({ id }) => id)).toEqual([
    1, 3,
  ]);
});

it('calls per second have a readable number of digits', () => {
  expect([0, 6, 90, 6000].map(aSecond)).toEqual(['0', '0.10', '1.5', '100']);
});

describe('the picture', () => {
  it('connects each group to its models and these to their channels, each line once', () => {
    const flow = flowOf([
      channel(1, { routes: [{ group: 'vip', model: 'b' }] }),
      channel(2, {
        routes: [
          { group: 'vip', model: 'b' },
          { group: 'default', model: 'a' },
        ],
      }),
      channel(3),
    ]);
    expect([flow.groups, flow.models, flow.channels.map(({ id }) => id)]).toEqual([
      ['default', 'vip'],
      ['a', 'b'],
      [1, 2],
    ]);
    expect(flow.asks).toEqual([
      { from: 1, to: 1 },
      { from: 0, to: 0 },
    ]);
    expect(flow.goes).toEqual([
      { from: 1, to: 0 },
      { from: 1, to: 1 },
      { from: 0, to: 1 },
    ]);
  });

  it('has a readable number of rows', () => {
    const routes = Array.from({ length: 24 }, (_, at) => ({
      group: `g${String(at)}`,
      model: `m${String(at)}`,
    }));
    const flow = flowOf(Array.from({ length: 40 }, (_, id) => channel(id + 1, { routes })));
    expect([flow.groups.length, flow.models.length, flow.channels.length]).toEqual([16, 16, 16]);
  });
});
