import { expect, it } from 'vitest';
import { sayPhrase } from '#contract/messages.ts';
import type { Ledger, Settlement } from '#core/ledger/ledger.ts';
import type { User } from '#core/user/user.ts';
import { createQuotaWarnings, LOOK_EVERY_MS, watchedLedger } from './quota-warnings.ts';
import { readUserSetting, userSettingText } from '../people/user-setting.ts';

const setting = (warningUnits: number | undefined) => {
  const never = readUserSetting('');
  return userSettingText({ ...never, warningUnits });
};

const CLOSED = { state: 'closed', chargedUnits: 1, houseLossUnits: 0 } as const;

/** One database with any number of nodes. */
const stage = (warningUnits: number | undefined, showsMoney = true) => {
  const told: string[] = [];
  let nowMs = 10_000_000;
  let warnedAtMs = 0;
  let undelivered = 0;
  const node = () =>
    createQuotaWarnings({
      users: { byId: async () => ({ id: 7, setting: setting(warningUnits) }) as User },
      identities: {
        claimQuotaWarning: async (_id, atMs, notAfterMs) => {
          if (warnedAtMs > notAfterMs) return false;
          warnedAtMs = atMs;
          return true;
        },
        releaseQuotaWarning: async (_id, claimedAtMs) => {
          if (warnedAtMs === claimedAtMs) warnedAtMs = 0;
        },
      },
      notify: async (_user, { text }) => {
        if (undelivered-- > 0) throw new Error('the mail server is away');
        told.push(sayPhrase(text, 'en'));
      },
      options: () => ({
        QuotaRemindThreshold: 1000,
        DisplayInCurrencyEnabled: showsMoney,
        QuotaPerUnit: 500_000,
        ServerAddress: '',
      }),
      clock: { now: () => nowMs, monotonic: () => nowMs },
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
  const warnings = node();
  const after = async (waitMs: number, quotaUnits: number): Promise<number> => {
    nowMs += waitMs;
    warnings.watch(7, quotaUnits);
    await warnings.lookAtWaiting();
    return told.length;
  };
  return {
    after,
    told,
    warnings,
    node,
    wait: (waitMs: number) => (nowMs += waitMs),
    failNext: (times: number) => (undelivered = times),
  };
};

it('warns below the threshold of the owner, and at most once in two hours', async () => {
  const { after, told } = stage(250_000);
  expect(await after(0, 250_000)).toBe(0);
  expect(await after(10_000, 249_999)).toBe(1);
  expect(told[0]).toContain('$0.499998,');
  expect(await after(7_199_000, 10)).toBe(1);
  expect(await after(1000, 10)).toBe(1);
  expect(await after(10_000, 10)).toBe(2);
});

it('uses the threshold of the site if the owner never chose one', async () => {
  const { after } = stage(undefined);
  expect(await after(0, 1000)).toBe(0);
  expect(await after(10_000, 999)).toBe(1);
});

it('a threshold of 0 never warns, and a site that shows units tells units', async () => {
  expect(await stage(0).after(0, 0)).toBe(0);
  const { after, told } = stage(1000, false);
  expect(await after(0, 999)).toBe(1);
  expect(told[0]).toContain('Your balance is 999 units,');
});

it('a second call right after the first is checked too, without waiting for a third', async () => {
  const { warnings, wait, told } = stage(600_000);
  warnings.watch(7, 650_000);
  warnings.watch(7, 620_000);
  warnings.watch(7, 550_000);
  wait(LOOK_EVERY_MS - 1);
  await warnings.lookAtWaiting();
  expect(told).toEqual([]);
  wait(1);
  await warnings.lookAtWaiting();
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('$1.10,');
});

it('pending checks are made before the server ends', async () => {
  const { warnings, told } = stage(600_000);
  warnings.watch(7, 650_000);
  warnings.watch(7, 550_000);
  await warnings.end();
  expect(told).toHaveLength(1);
});

it('two nodes warn once', async () => {
  const { warnings, node, told } = stage(600_000);
  const other = node();
  for (const one of [warnings, other]) one.watch(7, 550_000);
  for (const one of [warnings, other]) one.watch(7, 500_000);
  await Promise.all([warnings.end(), other.end()]);
  expect(told).toHaveLength(1);
});

it('a warning that could not be delivered is tried again a minute later, three times in all', async () => {
  const { warnings, wait, told, failNext } = stage(600_000);
  failNext(2);
  warnings.watch(7, 550_000);
  await warnings.lookAtWaiting();
  for (const waitMs of [59_999, 1]) {
    expect(told).toEqual([]);
    wait(waitMs);
    await warnings.lookAtWaiting();
  }
  expect(told).toEqual([]);
  wait(60_000);
  await warnings.lookAtWaiting();
  expect(told).toHaveLength(1);
});

it('what other running calls hold is no low balance: most of it comes back', async () => {
  const { warnings, told } = stage(600_000);
  const charged = (userQuotaUnits: number, userHeldUnits: number) =>
    watchedLedger(
      { settle: async () => ({ ...CLOSED, userQuotaUnits, userHeldUnits }) } as unknown as Ledger,
      warnings.watch,
    ).settle({ log: { userId: 7 } } as Settlement);
  await charged(10, 599_990);
  await warnings.end();
  expect(told).toEqual([]);
  await charged(10, 599_989);
  await warnings.end();
  expect(told).toHaveLength(1);
});
