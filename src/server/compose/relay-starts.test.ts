import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { silentNews } from '#core/news.ts';
import { newAddressTable } from '../http/door/shared-address-counts.ts';
import { keptLog } from '../http/testing/test-config.ts';
import { CountedSeatRoom } from '../limits/counted-seat-room.ts';
import { Line } from './line.ts';
import { NewsDesk } from './news-desk.ts';
import { OtherRelays } from './other-relays.ts';
import type { RelayOffers } from './relay-offers.ts';
import { type RelayThreadsDeps, startRelayThreads } from './relay-threads.ts';

test('a relay that is being asked whether it answers is not silent, unless it was before', async () => {
  const { port1, port2 } = new MessageChannel();
  const none = { calls: '', eventLoopP99Seconds: 0, eventLoopMaxSeconds: 0, heapUsedBytes: 0 };
  let isWell = true;
  const relay = new Line(port2, {
    counted: () => {
      if (isWell) return none;
      throw new Error('it cannot answer');
    },
  });
  const line: Line<RelayOffers> = new Line(port1, {});
  const others = new OtherRelays();
  others.add(line);
  const seen: boolean[] = [];
  for (isWell of [true, false, true]) {
    const looked = others.look();
    seen.push(others.answers(line));
    await looked;
    seen.push(others.answers(line));
  }
  expect(seen).toEqual([true, true, true, false, false, true]);
  relay.close();
  port1.close();
});

test('a server that stops while a relay is started again starts it no more', async () => {
  const begun: string[] = [];
  const seat = Promise.withResolvers<{ nodeId: number; relays: number }>();
  let seats = 0;
  const nothing = async (): Promise<void> => undefined;
  const log = keptLog();
  const deps = {
    config: { relays: 2 },
    list: { enter: nothing, leave: nothing },
    database: {
      giveBack: nothing,
      // The first start fails.
      seat: () => ((seats += 1) === 1 ? Promise.reject(new Error('no seat')) : seat.promise),
    },
    ledger: { resolveAbandoned: async () => 0 },
    keyCare: { forRelay: {} },
    others: new OtherRelays(),
    news: new NewsDesk(log),
    seatRoom: new CountedSeatRoom(silentNews, () => 0),
    addresses: newAddressTable(2, 'salt'),
    clock: { now: () => 0, monotonic: () => 0 },
    log,
  } as unknown as RelayThreadsDeps;
  const note = ({ threadName }: { readonly threadName: string | null }): void =>
    void begun.push(threadName ?? '');
  process.on('worker', note);
  const relays = await startRelayThreads(deps);
  await expect.poll(() => seats).toBe(2);
  const stopped = relays.stop(0);
  seat.resolve({ nodeId: 1, relays: 2 });
  await stopped;
  process.off('worker', note);
  expect(begun).toEqual([]);
});
