import { role } from '#contract/codes.ts';
import type { Verdict } from '#core/price-book/approval.ts';
import type { DraftHead } from '#core/price-book/price-book-store.ts';
import type { PriceBookDeps } from './price-drafts.ts';

/** `asked`: a change of prices waits for an approval; `late`: it still does although it was due. */
type PriceNews = 'asked' | 'late' | 'approved' | 'rejected';

type NoticeDeps = Pick<PriceBookDeps, 'users' | 'notify' | 'log'>;

/**
 * Notifies admins of a change of prices: of a question those who may answer it, of the answer those who wrote it, of all
 * else everybody. Returns at once; failed deliveries are logged.
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
    reason: draft.reason,
    name: verdict?.name ?? '',
    words: verdict?.words ?? '',
  };
  const notice = {
    kind: 'price_approval' as const,
    title: { key: `notice_prices_${news}_title` as const },
    text: { key: `notice_prices_${news}_text` as const, values },
  };
  const send = async (): Promise<void> => {
    for (const user of await deps.users.ofRole(role.admin))
      if (isTold(user.id))
        await deps.notify(user, notice).catch((error: unknown) => {
          deps.log.warn('a notice was not delivered', { user: user.id, kind: notice.kind, error });
        });
  };
  void send().catch((error: unknown) => deps.log.error('a notice failed', { error }));
};
