import { beforeAll, expect, it } from 'vitest';
import type { TicketStore } from '#core/ticket-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createTicketStore } from './ticket-store.ts';

onEachEngine('tickets', (on) => {
  let tickets: TicketStore;
  beforeAll(() => {
    tickets = createTicketStore(on.database);
  });
  const ticket = (key: string, value = 'v', kind = 'code') => ({
    kind,
    key,
    value,
    nowMs: 1000,
    expiresAtMs: 2000,
  });

  it('are taken by one of many, and only before they end', async () => {
    await tickets.put(ticket('once'));
    const taken = await Promise.all(Array.from({ length: 10 }, () => tickets.take('code', 'once', 1500)));
    expect(taken.filter((value) => value === 'v')).toHaveLength(1);
    await tickets.put(ticket('late'));
    expect(await tickets.take('code', 'late', 2000)).toBeUndefined();
  });

  it('allow so many tries however many come at once, and a new one begins anew', async () => {
    await tickets.put(ticket('guess'));
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => tickets.attempt('code', 'guess', 5, 1500)),
    );
    expect(tries.filter((value) => value === 'v')).toHaveLength(5);
    await tickets.put(ticket('guess', 'w'));
    expect(await tickets.attempt('code', 'guess', 5, 1500)).toBe('w');
  });

  it('of one kind are not accepted as another kind', async () => {
    await tickets.put(ticket('same', 'a', 'login'));
    expect(await tickets.take('bind', 'same', 1500)).toBeUndefined();
    expect(await tickets.take('login', 'same', 1500)).toBe('a');
  });

  it('are claimed once until they end', async () => {
    expect(await tickets.claim(ticket('claimed'))).toBe(true);
    expect(await tickets.claim(ticket('claimed'))).toBe(false);
    expect(await tickets.claim({ ...ticket('claimed'), nowMs: 2000, expiresAtMs: 3000 })).toBe(true);
    expect(await tickets.madeAtMs('code', 'claimed', 2500)).toBe(2000);
    // The clock was set back since.
    expect(await tickets.madeAtMs('code', 'claimed', -3001)).toBeUndefined();
    await tickets.deleteExpired(3000);
    expect(await tickets.madeAtMs('code', 'claimed', 2500)).toBeUndefined();
  });
});
