import type { PriceEntry } from '#core/price-book/price-tables.ts';
import type { User } from '#core/user/user.ts';
import type { Notice } from '../../control/channels/channel-notices.ts';
import { createPriceBook } from '../../control/wallet/book/price-book.ts';
import { createPriceDrafts } from '../../control/wallet/book/price-drafts.ts';
import { createOptionStore } from '../channels/option-store.ts';
import { createPriceBookStore } from '../channels/price-book-store.ts';
import type { Database } from '../database/database.ts';

const editor = (id: number, username: string) => ({
  user: { id, username, role: 100, status: 1, deletedAtMs: null } as User,
  via: 'session' as const,
  freshUntilMs: Infinity,
});
export const ann = editor(1, 'ann');
export const bob = editor(2, 'bob');
export const cat = editor(3, 'cat');

/** An entry of a draft: the price of a call of this model. */
export const set = (key: string, value: PriceEntry['value']): PriceEntry => ({
  option: 'ModelPrice',
  key,
  value,
});

/** What nodes on a database share beside it. */
export class PriceSite {
  nowMs = 1_000_000;
  refreshes = 0;
  /** What was written down, as `who what`, and what went wrong. */
  readonly rows: string[] = [];
  isLogAway = false;
  /** Who was notified of what, as `who what`. */
  readonly notices: string[] = [];
  /** The groups that an account is in. */
  readonly joined = new Set<string>();
  readonly people = new Map([ann, bob, cat].map(({ user }) => [user.id, user]));
}

/** A node that changes prices. */
export const openPriceNode = (database: Database, site: PriceSite) => {
  const store = createPriceBookStore(database);
  const options = createOptionStore(database);
  const deps = {
    priceBook: store,
    options,
    users: {
      byId: async (id: number) => site.people.get(id),
      ofRole: async () => [...site.people.values()],
      groupUse: async (name: string) => ({ users: site.joined.has(name) ? 1 : 0, tokens: 0 }),
    },
    channels: { page: async () => ({ items: [], total: 0 }) },
    clock: { now: () => site.nowMs, monotonic: () => site.nowMs },
    logs: {
      append: async ({ username, content }: { username: string; content: string }) => {
        if (site.isLogAway) throw new Error('the log is away');
        site.rows.push(`${username} ${content}`);
      },
    },
    notify: async ({ username }: User, { title }: Notice) =>
      void site.notices.push(`${username} ${title.key}`),
    refreshRouting: async () => void (site.refreshes += 1),
    log: { info: () => {}, warn: () => {}, error: (text: string) => void site.rows.push(text) },
  };
  return {
    store,
    options,
    prices: createPriceBook(deps),
    drafts: createPriceDrafts(deps),
    modelPrices: async () => JSON.parse((await options.all()).get('ModelPrice') ?? '{}') as object,
  };
};
