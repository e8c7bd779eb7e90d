import type { Generated } from 'kysely';

/** The price book: migrations/0019-price-book.ts explains the columns. */
export interface PriceTables {
  price_versions: {
    version: Generated<number>;
    prices: string;
    created_at: number;
    author_id: Generated<number>;
    author: Generated<string>;
    reason: Generated<string>;
    changes: number | null;
    restored_from: number | null;
    writers: Generated<string>;
    approval: Generated<string | null>;
    settings: Generated<string>;
  };
  price_changes: {
    version: number;
    option_name: string;
    name: string;
    before: string | null;
    after: string | null;
  };
  price_drafts: {
    id: Generated<number>;
    author_id: number;
    author: string;
    reason: string;
    base: number;
    entries: string;
    entry_count: number;
    updated_at: number;
    due_at: number | null;
    state: string;
    may_remove: Generated<string>;
    revision: Generated<number>;
    writers: Generated<string>;
    settings: Generated<string>;
    restoring: Generated<string | null>;
    verdict: Generated<string | null>;
  };
}
