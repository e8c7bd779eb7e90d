import { SEALS_KEPT_MS } from '#contract/seals-kept.ts';
import type { Clock } from '#core/clock.ts';
import type { Published, Signed } from '#core/seal/lines.ts';
import type { SealStore } from '#core/seal/seal-store.ts';

/** The number of seals on a published page. */
export const SEALS_PER_PAGE = 500;
const PAGES_KEPT = 8;

interface PageDeps {
  readonly seals: Pick<SealStore, 'sealsAfter' | 'keys'>;
  readonly clock: Clock;
}

const signed = ({ line, signature }: Signed): Signed => ({ line, signature });

/** Published seals as JSON, page by page from 0. Pages are cached for a moment. */
export const createPublishedPages = ({ seals, clock }: PageDeps) => {
  const pages = new Map<number, { readonly text: string; readonly untilMs: number }>();

  const read = async (page: number): Promise<Published> => {
    const found = await seals.sealsAfter(page * SEALS_PER_PAGE, SEALS_PER_PAGE + 1);
    return {
      tollgate: 'seals',
      version: 1,
      keys: (await seals.keys()).map(signed),
      seals: found.slice(0, SEALS_PER_PAGE).map(signed),
      next_page: found.length > SEALS_PER_PAGE ? page + 1 : null,
    };
  };

  return {
    async page(page: number): Promise<string> {
      const kept = pages.get(page);
      if (kept !== undefined && kept.untilMs > clock.monotonic()) return kept.text;
      const text = JSON.stringify(await read(page));
      pages.delete(page);
      for (const oldest of pages.keys()) if (pages.size >= PAGES_KEPT) pages.delete(oldest);
      pages.set(page, { text, untilMs: clock.monotonic() + SEALS_KEPT_MS });
      return text;
    },
    /** Drops the cache after a change. */
    forget(): void {
      pages.clear();
    },
  };
};
