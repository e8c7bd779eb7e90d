import { expect, it } from 'vitest';
import type { User } from '#core/user/user.ts';
import { createQuotaWarnings } from './quota-warnings.ts';
import { userSettingText } from './user-setting.ts';

const vault = { encrypt: (text: string) => text, decrypt: (text: string) => text };
const setting = (warningUnits: number | undefined) =>
  userSettingText(
    7,
    { notifyType: 'email', warningUnits, webhookUrl: '', webhookSecret: '', notificationEmail: '' },
    vault,
  );

const stage = (warningUnits: number | undefined) => {
  const told: string[] = [];
  let nowMs = 10_000_000;
  let warnedAtMs = 0;
  const watch = createQuotaWarnings({
    users: { byId: async () => ({ id: 7, setting: setting(warningUnits) }) as User },
    identities: {
      claimQuotaWarning: async (_id, atMs, notAfterMs) => {
        if (warnedAtMs > notAfterMs) return false;
        warnedAtMs = atMs;
        return true;
      },
    },
    notify: async (_user, notice) => void told.push(notice.text),
    vault,
    options: () => ({ QuotaRemindThreshold: 1000, QuotaPerUnit: 500_000, ServerAddress: '' }),
    clock: { now: () => nowMs, monotonic: () => nowMs },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const after = async (waitMs: number, quotaUnits: number): Promise<number> => {
    nowMs += waitMs;
    watch(7, quotaUnits);
    await new Promise((resolve) => setImmediate(resolve));
    return told.length;
  };
  return { after, told };
};

it('warns below the threshold of the owner, and at most once in two hours', async () => {
  const { after, told } = stage(250_000);
  expect(await after(0, 250_000)).toBe(0);
  expect(await after(10_000, 249_999)).toBe(1);
  expect(told[0]).toContain('$0.5000');
  expect(await after(7_199_000, 10)).toBe(1);
  expect(await after(1000, 10)).toBe(1);
  expect(await after(10_000, 10)).toBe(2);
});

it('goes by the site where the owner never chose', async () => {
  const { after } = stage(undefined);
  expect(await after(0, 1000)).toBe(0);
  expect(await after(10_000, 999)).toBe(1);
});
