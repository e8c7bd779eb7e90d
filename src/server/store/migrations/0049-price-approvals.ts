import type { Migration } from './migration.ts';

/** Who wrote a change of prices, and which other admin approved it. People are JSON: `{"id", "name"}`. */
export const priceApprovals: Migration = {
  name: '0049-price-approvals',
  statements: ({ integer }) => [
    // Increases with every change of a draft: what is approved is one revision.
    `ALTER TABLE price_drafts ADD COLUMN revision ${integer} NOT NULL DEFAULT 0`,
    // Of drafts from before, nobody knows who wrote them.
    `ALTER TABLE price_drafts ADD COLUMN writers TEXT NOT NULL DEFAULT '[{"id":0,"name":""}]'`,
    // Settings that it changes, each with its text before and after.
    `ALTER TABLE price_drafts ADD COLUMN settings TEXT NOT NULL DEFAULT '[]'`,
    // The version that it brings back, and whether schedules end with that; null for other drafts.
    `ALTER TABLE price_drafts ADD COLUMN restoring TEXT`,
    // What another admin has answered; null until then, and again after every change.
    `ALTER TABLE price_drafts ADD COLUMN verdict TEXT`,
    `ALTER TABLE price_versions ADD COLUMN writers TEXT NOT NULL DEFAULT '[]'`,
    `ALTER TABLE price_versions ADD COLUMN approval TEXT`,
    `ALTER TABLE price_versions ADD COLUMN settings TEXT NOT NULL DEFAULT '[]'`,
  ],
};
