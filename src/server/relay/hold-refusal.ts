import { AppError } from '#core/error.ts';
import type { HoldOutcome } from '#core/ledger/ledger.ts';
import { invalidKey } from '#core/token/relay-key.ts';

type Refused = Exclude<HoldOutcome, 'held'>;

const refusals: Readonly<Record<Refused, () => AppError>> = {
  duplicate: () => new AppError('internal', 'internal server error', { reason: 'duplicate_request_id' }),
  user_refused: () => new AppError('forbidden', 'user banned', { reason: 'user_banned' }),
  token_refused: invalidKey,
  user_short: () =>
    new AppError('insufficient_quota', 'insufficient user quota', { reason: 'insufficient_user_quota' }),
  token_short: () =>
    new AppError('insufficient_quota', 'insufficient token quota', { reason: 'insufficient_token_quota' }),
};

/** Why the ledger took nothing aside, in the caller's words. */
export const holdRefusal = (outcome: Refused): AppError => refusals[outcome]();
