import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Binding, SessionBindings } from './session-bindings.ts';

const TTL_MS = 1000;
const at = (channelId: number, userId = 1, more: Partial<Binding> = {}): Binding => ({
  channelId,
  keyId: 0,
  userId,
  model: 'm',
  ...more,
});

describe('bindings of sessions', () => {
  test('lead back to the seat that answered last, and only the user whose they are', () => {
    const bindings = new SessionBindings();
    bindings.bind('s', at(1), 0);
    bindings.bind('s', at(2, 1, { keyId: 7 }), 1);
    expect(bindings.wish(1, 's', 2, TTL_MS)).toMatchObject({ channelId: 2, keyId: 7 });
    expect(bindings.wish(2, 's', 2, TTL_MS)).toBeUndefined();
    expect([1, 2].map((user) => bindings.past(user, 's', 2, TTL_MS)?.answers)).toEqual([2, undefined]);
  });

  test('end where a call of the session fails at their seat, and not at another', () => {
    const bindings = new SessionBindings();
    bindings.bind('s', at(1), 0);
    const failedAt = (failed: number): void =>
      bindings.failed(1, 's', ({ channelId }) => channelId === failed);
    failedAt(2);
    expect(bindings.wish(1, 's', 1, TTL_MS)).toBeDefined();
    failedAt(1);
    expect([bindings.wish(1, 's', 1, TTL_MS), bindings.size]).toEqual([undefined, 0]);
  });

  test('end when the session was idle too long, and not while it is used', () => {
    const bindings = new SessionBindings();
    for (const nowMs of [0, 900, 1800]) bindings.bind('s', at(1), nowMs);
    expect(bindings.wish(1, 's', 2800, TTL_MS)).toBeDefined();
    expect(bindings.wish(1, 's', 2801, TTL_MS)).toBeUndefined();
    expect(bindings.size).toBe(0);
  });

  test('are sent to other relays when they are new or moved, and again after a minute', () => {
    const bindings = new SessionBindings();
    const told = [0, 10, 59_999, 60_000, 60_001].map((nowMs) => bindings.bind('s', at(1), nowMs));
    expect(told).toEqual([true, false, false, true, false]);
    expect(bindings.bind('s', at(2), 60_002)).toBe(true);
  });

  test('made by two at once end at one seat for both, and one that moved later takes the other along', () => {
    const [one, other] = [new SessionBindings(), new SessionBindings()];
    one.bind('s', at(1), 0);
    other.bind('s', at(2), 5);
    one.heard('s', at(2), 100);
    other.heard('s', at(1), 105);
    expect(one.wish(1, 's', 200, TTL_MS)).toMatchObject({ channelId: 1 });
    expect(other.wish(1, 's', 200, TTL_MS)).toMatchObject({ channelId: 1 });
    other.bind('s', at(3), 10_000);
    one.heard('s', at(3), 10_100);
    expect(one.wish(1, 's', 10_200, TTL_MS)).toMatchObject({ channelId: 3 });
  });

  test('that moved away from a seat, however soon, are not drawn back there by who knows only that one', () => {
    const [one, other] = [new SessionBindings(), new SessionBindings()];
    one.bind('s', at(1), 0);
    other.heard('s', at(1), 100);
    one.bind('s', at(2), 200);
    expect(other.heard('s', at(2, 1, { from: one.movedFrom(1, 's') }), 300)).toBe(false);
    expect(other.wish(1, 's', 400, TTL_MS)).toMatchObject({ channelId: 2 });
    // Both at once: one of the two that they moved to.
    one.bind('s', at(4), 500);
    other.bind('s', at(3), 500);
    expect(one.heard('s', at(3, 1, { from: other.movedFrom(1, 's') }), 600)).toBe(true);
    expect(other.heard('s', at(4, 1, { from: { channelId: 2, keyId: 0 } }), 600)).toBe(true);
    for (const bindings of [one, other])
      expect(bindings.wish(1, 's', 700, TTL_MS)).toMatchObject({ channelId: 3 });
  });

  test('end at one seat also where an answer comes from the seat that was just given up for the other', () => {
    const [one, other] = [new SessionBindings(), new SessionBindings()];
    const stored = (bindings: SessionBindings) => bindings.stored(1, 's') ?? at(0);
    const told = (bindings: SessionBindings) => {
      const from = bindings.movedFrom(1, 's');
      return { ...stored(bindings), ...(from !== undefined && { from }) };
    };
    one.bind('s', at(1), 0);
    other.bind('s', at(2), 0);
    const early = told(other);
    expect(other.heard('s', told(one), 100)).toBe(true);
    // A call that was on its way to the other's first seat.
    other.bind('s', at(2), 150);
    const late = told(other);
    expect(one.heard('s', early, 200)).toBe(true);
    const again = told(one);
    expect(one.heard('s', late, 250)).toBe(false);
    expect(other.heard('s', again, 300)).toBe(true);
    expect(one.heard('s', told(other), 400)).toBe(false);
    expect([one, other].map((bindings) => stored(bindings).channelId)).toEqual([1, 1]);
  });

  test('of a session that calls too often let its other calls go anywhere, and do not move for them', () => {
    const bindings = new SessionBindings();
    bindings.bind('s', at(1), 0);
    const busy: boolean[] = [];
    for (let call = 0; call < 80; call += 1) busy.push(bindings.wish(1, 's', 10, TTL_MS)?.isBusy ?? false);
    expect(busy.filter((is) => !is)).toHaveLength(60);
    // Who only looks sees what the next call would.
    expect(bindings.peek(1, 's', 10, TTL_MS)?.isBusy).toBe(true);
    expect(bindings.peek(1, 's', 60_000, 1e6)?.isBusy).toBe(false);
    expect(bindings.bind('s', at(2), 20)).toBe(false);
    expect(bindings.wish(1, 's', 60_000, 1e6)).toEqual({ channelId: 1, keyId: 0, isBusy: false });
    expect(bindings.bind('s', at(2), 60_001)).toBe(true);
  });

  test('are forgotten by channel, by the beginning of the model, or all', () => {
    const filled = () => {
      const bindings = new SessionBindings();
      bindings.bind('a', at(1), 0);
      bindings.bind('b', at(2, 1, { model: 'claude-x' }), 0);
      bindings.bind('c', at(2, 2), 0);
      return bindings;
    };
    const one = filled();
    expect([one.forget({ channelId: 2 }), one.size, [...one.counts(0, TTL_MS)]]).toEqual([2, 1, [[1, 1]]]);
    const other = filled();
    expect([other.forget({ modelPrefix: 'claude-' }), other.size]).toEqual([1, 2]);
    const all = filled();
    expect([all.forget({}), all.size]).toEqual([3, 0]);
  });

  test('of hundreds of thousands of invented sessions take no more room than the most that are kept', () => {
    const bindings = new SessionBindings(1000);
    for (let made = 0; made < 300_000; made += 1) bindings.bind(String(made), at(1), made);
    expect(bindings.size).toBe(1000);
    expect(bindings.wish(1, '299000', 300_000, 1e9)).toBeDefined();
    expect(bindings.wish(1, '298999', 300_000, 1e9)).toBeUndefined();
  });

  test('of a user who invents sessions never push out those of users below their share', () => {
    const bindings = new SessionBindings(100);
    for (let flood = 0; flood < 200; flood += 1) bindings.bind(`x${String(flood)}`, at(1, 1), 0);
    for (let user = 2; user < 12; user += 1)
      for (let session = 0; session < 5; session += 1) bindings.bind(`s${String(session)}`, at(1, user), 1);
    for (let flood = 0; flood < 500; flood += 1) bindings.bind(`y${String(flood)}`, at(1, 1), 2);
    for (let user = 2; user < 12; user += 1)
      for (let session = 0; session < 5; session += 1)
        expect(bindings.wish(user, `s${String(session)}`, 3, TTL_MS)).toBeDefined();
    expect(bindings.size).toBe(100);
  });

  test('are never more than allowed, and a user within the even share loses none, whatever the order', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(30)), { maxLength: 300 });
    fc.assert(
      fc.property(steps, (binds) => {
        const most = 12;
        const bindings = new SessionBindings(most);
        const used = new Map<number, Set<string>>();
        for (const [time, [userId, session]] of binds.entries()) {
          const name = String(session);
          bindings.bind(name, at(1, userId), time);
          expect(bindings.size).toBeLessThanOrEqual(most);
          expect(bindings.wish(userId, name, time, TTL_MS)).toBeDefined();
          used.set(userId, (used.get(userId) ?? new Set()).add(name));
        }
        const share = most / 4;
        const modest = [...used].filter(([, sessions]) => sessions.size <= share);
        const lost = modest.flatMap(([userId, sessions]) =>
          [...sessions].filter(
            (session) => bindings.wish(userId, session, binds.length, TTL_MS) === undefined,
          ),
        );
        expect(lost).toEqual([]);
      }),
    );
  });
});
