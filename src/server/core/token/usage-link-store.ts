import type { Token } from './token.ts';

/** A link to the usage of one token. */
export interface UsageLink {
  readonly id: number;
  readonly tokenId: number;
  readonly userId: number;
  readonly note: string;
  readonly createdAtMs: number;
  /** The user who made it. */
  readonly createdBy: number;
  readonly expiresAtMs: number | null;
  readonly openedAtMs: number | null;
}

/** A link to create. */
export interface NewUsageLink extends Omit<UsageLink, 'id' | 'openedAtMs'> {
  /** The keyed hash of its secret characters, which are not stored. */
  readonly mac: string;
}

/** Sums of charges. */
export interface UsedCounts {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly units: number;
}

/** What a token was charged since some day, by day and by model. */
export interface TokenUsage {
  readonly days: readonly (UsedCounts & { readonly dayMs: number })[];
  /** The dearest first. */
  readonly models: readonly (UsedCounts & { readonly model: string })[];
}

/**
 * Stores links to the usage of tokens. Every query but `open` includes the owner: another owner's link counts as
 * missing.
 */
export interface UsageLinkStore {
  /** Makes a link unless the token is missing or already has `maxPerToken` valid links. */
  create(link: NewUsageLink, maxPerToken: number): Promise<UsageLink | 'missing' | 'too_many'>;
  /** The valid links, newest first; undefined if the owner has no such token. */
  list(userId: number, tokenId: number, nowMs: number): Promise<readonly UsageLink[] | undefined>;
  /** @returns the id of the token it showed */
  delete(userId: number, id: number): Promise<number | undefined>;
  /** A link and its token, if the link is valid, its token and owner exist, and the owner is not disabled. */
  open(mac: string, nowMs: number): Promise<{ readonly link: UsageLink; readonly token: Token } | undefined>;
  /** Records that the link was opened, at most once a minute. */
  noteOpened(id: number, nowMs: number): Promise<void>;
  /** What the token was charged since a day. */
  usage(token: Pick<Token, 'id' | 'userId'>, fromMs: number): Promise<TokenUsage>;
}
