import { describe, expect, test } from 'vitest';
import type { BoundSessionStore } from '#core/channel/selection/bound-session-store.ts';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import type { News } from '#core/news.ts';
import { userOf } from '#core/user/testing/user.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import type { Asked } from '../stages.ts';
import { heldCall } from '../testing/answered-call.ts';
import { SessionAffinity } from './session-affinity.ts';

/** News between two, delivered at once. */
const pairOfNews = (): [News, News] => {
  const listeners = [new Map<string, (body: string) => void>(), new Map<string, (body: string) => void>()];
  const of = (own: number): News => ({
    tell: (topic, body) => listeners[1 - own]?.get(topic)?.(body),
    hear: (topic, listener) => {
      listeners[own]?.set(topic, listener);
      return () => undefined;
    },
  });
  return [of(0), of(1)];
};

const vault = { mac: (text: string) => `mac of ${text}` };
let nowMs = 0;
const clock = { monotonic: () => nowMs, now: () => nowMs };
const log = { error: () => undefined };
/** The database has tests of its own. */
const boundSessions: BoundSessionStore = {
  save: async () => undefined,
  usedSince: async () => [],
  forget: async () => undefined,
  prune: async () => undefined,
};
const two = () =>
  pairOfNews().map((news) => new SessionAffinity({ clock, vault, news, boundSessions, log })) as [
    SessionAffinity,
    SessionAffinity,
  ];

const asked = (id: string, userId = 1, options: Partial<OptionValues> = {}): Asked => {
  const held = heldCall(openaiChat);
  return {
    ...held,
    call: { ...held.call, headers: { 'session-id': id } },
    caller: { ...held.caller, user: userOf({ id: userId }) },
    routing: { ...held.routing, options: { ...initialOptions, ...options } },
  };
};
const sessionIn = (affinity: SessionAffinity, ask: Asked, group = 'default') => {
  const session = affinity.sessionOf(ask, group);
  if (session === undefined) throw new Error('no session');
  return session;
};
const seat = { channelId: 5, keyId: 2 };

describe('affinity', () => {
  test('knows a session of a user, and tells no two users, groups, models or names together', () => {
    const [here] = two();
    const own = sessionIn(here, asked('s')).id;
    const held = asked('s');
    const facts = { ...held.request.facts, model: 'other' };
    const others = [
      sessionIn(here, asked('s', 2)).id,
      sessionIn(here, asked('t')).id,
      sessionIn(here, asked('s'), 'vip').id,
      sessionIn(here, { ...held, request: { ...held.request, facts } }).id,
    ];
    expect(new Set([own, ...others]).size).toBe(5);
    expect(sessionIn(here, asked('s')).id).toBe(own);
    expect(own).toMatch(/^[\w-]{22}$/);
  });

  test('of two relays or nodes is one: a session bound here is bound there, and forgotten there', () => {
    const [here, there] = two();
    const session = sessionIn(here, asked('s'));
    here.bind(session, 1, seat, { model: 'a model with spaces', promptTokens: 10 });
    expect(there.wish(1, sessionIn(there, asked('s')))).toMatchObject(seat);
    expect(there.wish(2, session)).toBeUndefined();
    expect(there.forget({ modelPrefix: 'other' })).toBe(0);
    expect([...there.counts(session.ttlMs)]).toEqual([[5, 1]]);
    expect(there.forget({ channelId: 5 })).toBe(1);
    expect(here.wish(1, session)).toBeUndefined();
  });

  test('agrees even where the first message of one is lost, as the other was not there yet', () => {
    const listeners: ((body: string) => void)[] = [];
    const lost = { isLost: true };
    const of = (own: number): News => ({
      tell: (topic, body) => void (topic === 'session-bound' && !lost.isLost && listeners[1 - own]?.(body)),
      hear: (topic, listener) => {
        if (topic === 'session-bound') listeners[own] = listener;
        return () => undefined;
      },
    });
    const [here, there] = [0, 1].map(
      (own) => new SessionAffinity({ clock, vault, news: of(own), boundSessions, log }),
    ) as [SessionAffinity, SessionAffinity];
    const session = sessionIn(here, asked('s'));
    here.bind(session, 1, { channelId: 5, keyId: 2 }, { model: 'm', promptTokens: 10 });
    lost.isLost = false;
    there.bind(session, 1, { channelId: 6, keyId: 0 }, { model: 'm', promptTokens: 10 });
    for (const each of [here, there]) expect(each.wish(1, session)).toMatchObject({ channelId: 5, keyId: 2 });
  });

  test('restores what an earlier run knew, the oldest first; newer bindings win', async () => {
    const known = { userId: 1, channelId: 7, keyId: 1, model: 'm', answers: 9, promptTokens: 900 };
    const [own] = two();
    const [first, second] = [sessionIn(own, asked('s')), sessionIn(own, asked('t'))];
    const store: BoundSessionStore = {
      ...boundSessions,
      usedSince: async () => [
        { ...known, id: first.id, usedAtMs: nowMs - first.ttlMs - 1 },
        { ...known, id: second.id, usedAtMs: nowMs - 1000 },
      ],
    };
    const [news] = pairOfNews();
    const affinity = new SessionAffinity({ clock, vault, news, boundSessions: store, log });
    await affinity.load();
    expect(affinity.wish(1, first)).toBeUndefined();
    expect(affinity.wish(1, second)).toMatchObject({ channelId: 7, keyId: 1 });
    expect(affinity.past(1, second)).toEqual({ answers: 9, promptTokens: 900, idleMs: 1000 });
    affinity.bind(second, 1, seat, { model: 'm', promptTokens: 10 });
    await affinity.load();
    expect(affinity.wish(1, second)).toMatchObject(seat);
  });

  test('forgets nothing because of a message that does not read', () => {
    const [news, other] = pairOfNews();
    const affinity = new SessionAffinity({ clock, vault, news, boundSessions, log });
    const session = sessionIn(affinity, asked('s'));
    affinity.bind(session, 1, seat, { model: 'm', promptTokens: 10 });
    for (const wrong of ['', '{', '[]', '"all"', 'null']) other.tell('sessions-forgotten', wrong);
    for (const wrong of ['', 'x', `${session.id} 1 2`, `${session.id} -1 2 3 m`])
      other.tell('session-bound', wrong);
    expect(affinity.wish(1, session)).toMatchObject(seat);
  });

  test('ends when the session is idle for as many minutes as its model is given', () => {
    const [here] = two();
    const options = { 'affinity_setting.minutes_by_model': { 'm*': 2 } };
    const session = sessionIn(here, asked('s', 1, options));
    expect(session.ttlMs).toBe(120_000);
    here.bind(session, 1, seat, { model: 'm', promptTokens: 10 });
    nowMs += 120_000;
    expect(here.wish(1, session)).toMatchObject(seat);
    nowMs += 1;
    expect(here.wish(1, session)).toBeUndefined();
  });

  test('stays the same when its group is renamed, however often', () => {
    const [here] = two();
    const named = (name: string, former: readonly string[]) => ({
      GroupRatio: { default: 1, [name]: 1 },
      'group_setting.former_names': Object.fromEntries(former.map((each) => [each, name])),
    });
    const before = sessionIn(here, asked('s', 1, named('vip', [])), 'vip').id;
    expect(sessionIn(here, asked('s', 1, named('gold', ['vip'])), 'gold').id).toBe(before);
    expect(sessionIn(here, asked('s', 1, named('silver', ['vip', 'gold'])), 'silver').id).toBe(before);
    expect(sessionIn(here, asked('s', 1, named('gold', ['vip'])), 'default').id).not.toBe(before);
  });

  test('is none for a pinned channel, nor where it is switched off', () => {
    const [here] = two();
    const pinned = asked('s');
    expect(here.sessionOf({ ...pinned, caller: { ...pinned.caller, channelId: 3 } }, '')).toBeUndefined();
    expect(here.sessionOf(asked('s', 1, { 'affinity_setting.enabled': false }), '')).toBeUndefined();
    const never = { 'affinity_setting.minutes_by_model': { m: 0 } };
    expect(here.sessionOf(asked('s', 1, never), '')).toBeUndefined();
  });

  test('a row of the log leads to its session while sessions are bound, and to none where they are not', () => {
    const [affinity] = two();
    const found = (isOn: boolean) =>
      affinity.sessionById('x', asked('s', 1, { 'affinity_setting.enabled': isOn }).routing, 'm');
    expect(found(true)).toMatchObject({ id: 'x', from: 'row' });
    expect(found(false)).toBeUndefined();
  });
});
