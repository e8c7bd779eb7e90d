import { role } from '#contract/codes.ts';
import type { Verdict } from '#core/price-book/approval.ts';
import type { DraftHead } from '#core/price-book/price-book-store.ts';
import { notifyAll } from '../../people/notify-all.ts';
import type { PriceBookDeps } from './price-drafts.ts';
import { saidReason } from './price-reason.ts';

/** `asked`: a change of prices waits for an approval; `late`: it still waits although it was due. */
type PriceNews = 'asked' | 'late' | 'approved' | 'rejected';

type NoticeDeps = Pick<PriceBookDeps, 'users' | 'notify' | 'log'>;

/**
 * Notifies admins of a change of prices: of a request for approval those who may approve, of the answer those who wrote
 * the change, of anything else everybody. Returns at once; failed deliveries are logged.
 */
export const tellPriceNews = (
  deps: NoticeDeps,
  news: PriceNews,
  draft: Pick<DraftHead, 'author' | 'reason' | 'writers'>,
  verdict?: Verdict,
): void => {
  const wrote = new Set(draft.writers.map(({ id }) => id));
  const isTold = (id: number): boolean =>
    news === 'asked' ? !wrote.has(id) : news === 'late' || wrote.has(id);
  const values = {
    author: draft.author,
    reason: saidReason(draft.reason),
    name: verdict?.name ?? '',
    words: verdict?.words ?? '',
  };
  const notice = {
    kind: 'price_approval' as const,
    title: { key: `notice_prices_${news}_title` as const },
    text: { key: `notice_prices_${news}_text` as const, values },
  };
  const send = async (): Promise<void> => {
    const admins = await deps.users.ofRole(role.admin);
    await notifyAll(
      deps,
      admins.filter(({ id }) => isTold(id)),
      notice,
    );
  };
  void send().catch((error: unknown) => deps.log.error('a notice failed', { error }));
};
