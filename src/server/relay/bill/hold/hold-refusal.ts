import type { Phrase } from '#contract/messages.ts';
import type { OptionValues } from '#contract/options.ts';
import { AppError } from '#core/error.ts';
import type { HoldRefusal, Shortage } from '#core/ledger/ledger.ts';
import { shownQuota } from '#core/quota/shown-quota.ts';
import { invalidKey } from '#core/token/relay-key.ts';
import { withoutEnd } from '#contract/without-end.ts';

type Options = Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit' | 'ServerAddress'>;

/** Whose quota it is, and how to get more of it. */
const payers = {
  user_short: { name: 'user', noun: 'account', page: 'topup', title: 'Wallet', remedy: 'Top up' },
  token_short: {
    name: 'token',
    noun: 'token',
    page: 'token',
    title: 'Tokens',
    remedy: "Raise the token's quota",
  },
} as const;

/**
 * Why the ledger refused the hold, for the caller. If quota is short, also how much is missing and what to do about it.
 * @param hasFile a file of unknown size is part of the call
 */
export const holdRefusal = (
  outcome: HoldRefusal,
  askedUnits: number,
  options: Options,
  hasFile = false,
): AppError => {
  switch (outcome) {
    case 'duplicate':
      return new AppError('internal', 'internal server error', { reason: 'duplicate_request_id' });
    case 'user_refused':
      return new AppError('forbidden', 'user banned', { reason: 'user_banned' });
    case 'token_refused':
      return invalidKey();
    default:
      return shortOf(outcome, askedUnits, options, hasFile);
  }
};

/** What to do about a file that is held as the longest that its model reads. */
const COUNTED_FILE =
  'send a file whose size can be counted (PDF, .docx, .pptx or text, in the request itself): of others the model may read all it can';

const shortOf = (
  { state, availableUnits, heldUnits }: Shortage,
  askedUnits: number,
  options: Options,
  hasFile: boolean,
): AppError => {
  const { name, noun, page, title, remedy } = payers[state];
  const shown = (units: number): string => shownQuota(units, options);
  const held = heldUnits === 0 ? '' : `, and ${shown(heldUnits)} more is held by calls that are running`;
  const address = withoutEnd(options.ServerAddress, '/');
  const where = address === '' ? `on the page ${title} of the console` : `at ${address}/${page}`;
  const message =
    `insufficient ${name} quota: at least ${shown(askedUnits)} is held while this call runs, ` +
    `the ${noun} has ${shown(availableUnits)}${held}. ${remedy} ${where}, or ${hasFile ? COUNTED_FILE : 'ask for fewer output tokens'}`;
  // The playground has no token, so only texts about the account are translated.
  const wallet: Phrase =
    address === '' ? { key: 'relay_wallet_page' } : { key: 'relay_wallet_at', values: { address } };
  const phrase: Phrase | undefined =
    name === 'token'
      ? undefined
      : {
          key: 'relay_short',
          values: {
            asked: shown(askedUnits),
            left: shown(availableUnits),
            held: heldUnits === 0 ? '' : { key: 'relay_held_more', values: { units: shown(heldUnits) } },
            remedy: { key: 'relay_remedy', values: { where: wallet } },
          },
        };
  return new AppError('insufficient_quota', message, {
    reason: `insufficient_${name}_quota`,
    ...(phrase !== undefined && { phrase }),
  });
};
