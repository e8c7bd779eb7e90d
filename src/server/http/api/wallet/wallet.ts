import type * as contract from '#contract/api/wallet/wallet.ts';
import type { Language } from '#contract/messages.ts';
import { shownText } from '#core/log/shown-phrase.ts';
import type { JournalRow, JournalStore } from '#core/wallet/journal-store.ts';
import type { Redemptions } from '../../../control/wallet/redemptions.ts';
import type { TopUps } from '../../../control/wallet/top-ups.ts';
import type { Handlers } from '../../handler.ts';
import { pageOf, pageRequest, toSeconds } from '../page.ts';

interface WalletDeps {
  readonly redemptions: Redemptions;
  readonly topUps: TopUps;
  readonly journal: JournalStore;
}

/** The caller's own quota: codes, payments and their history. */
export const walletHandlers = ({ redemptions, topUps, journal }: WalletDeps): Handlers<typeof contract> => ({
  redeem: ({ body }, { actor }) => redemptions.redeem(actor.user, body.key),
  topUpInfo: async () => {
    const { isOn, methods, least, link } = topUps.info();
    return {
      enable_online_topup: isOn,
      pay_methods: methods.map(({ name, type, color }) => ({ name, type, color: color ?? '' })),
      min_topup: least,
      topup_link: link,
    };
  },
  payableAmount: async ({ body }, { actor }) => ({
    data: topUps.payable(actor.user, body.amount),
    fields: { message: 'success' },
  }),
  pay: async ({ body }, { actor }) => {
    const { url, fields } = await topUps.order(actor.user, body.amount, body.payment_method);
    return { data: { ...fields }, fields: { message: 'success', url } };
  },
  listOwnMovements: async ({ query }, { actor, language }) =>
    pageOf(await journal.list(actor.user.id, pageRequest(query)), query, (row) =>
      movementWire(row, language),
    ),
});

const movementWire = (row: JournalRow, language: Language) => ({
  id: row.id,
  kind: row.kind,
  quota: row.deltaUnits,
  earned: row.earnedUnits,
  balance: row.quotaAfterUnits,
  reason: shownText(row.reason, language),
  created_time: toSeconds(row.createdAtMs),
});
