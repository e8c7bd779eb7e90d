import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { Outlet } from './outlet.ts';
import { noReply } from '../calls.ts';

/** A caller that reads only when the test says so. */
const slowCaller = (aheadMax: number) => {
  const caller = { reads: false };
  const outlet = new Outlet(
    { reply: { ...noReply, write: () => caller.reads }, framing: 'events' },
    aheadMax,
  );
  const write = (bytes = 1): boolean => {
    outlet.write(Buffer.alloc(bytes));
    return outlet.isFull;
  };
  return { caller, write };
};

it('without a queue, the upstream waits as soon as one piece is unread', () => {
  expect(slowCaller(0).write()).toBe(true);
});

it('as many pieces as the queue holds are written ahead, and again once the caller has read', () => {
  const { caller, write } = slowCaller(3);
  expect([write(), write(), write(), write()]).toEqual([false, false, false, true]);
  caller.reads = true;
  expect(write()).toBe(false);
  caller.reads = false;
  expect([write(), write(), write(), write()]).toEqual([false, false, false, true]);
});

it('no more than 256 KiB of large pieces is buffered', () => {
  const { write } = slowCaller(1_000_000);
  expect(write(256 * 1024)).toBe(false);
  expect(write()).toBe(true);
});

it('comments keep a silent stream open only where the operator wants them, as often as that', () => {
  const pingsOf = (isEnabled: boolean): number | undefined => {
    const outlet = new Outlet({ reply: noReply, framing: 'events' }, 1);
    const options = {
      'general_setting.ping_interval_enabled': isEnabled,
      'general_setting.ping_interval_seconds': 7,
    };
    outlet.allowPings({ ...initialOptions, ...options }, 5);
    return outlet.pingEveryMs;
  };
  expect([pingsOf(true), pingsOf(false)]).toEqual([7000, undefined]);
});
