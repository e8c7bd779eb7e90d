/** How long a node may show seals and keys without those that another node has made since. */
export const SEALS_KEPT_MS = 10_000;
