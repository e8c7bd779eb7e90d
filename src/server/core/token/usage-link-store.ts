import type { Token } from './token.ts';

/** A link to the usage of one token. */
export interface UsageLink {
  readonly id: number;
  readonly tokenId: number;
  readonly userId: number;
  readonly note: string;
  readonly createdAtMs: number;
  /** Of who made it. */
  readonly createdBy: number;
  readonly expiresAtMs: number | null;
  readonly openedAtMs: number | null;
}

/** A link that is to be made. */
export interface NewUsageLink extends Omit<UsageLink, 'id' | 'openedAtMs'> {
  /** The keyed hash of its secret characters, which are not kept. */
  readonly mac: string;
}

/** What was charged, added up. */
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

/** Links to the usage of tokens. Every query but `open` includes the owner: another's counts as missing. */
export interface UsageLinkStore {
  /** Makes a link unless the token is missing or has `maxPerToken` that have not ended. */
  create(link: NewUsageLink, maxPerToken: number): Promise<UsageLink | 'missing' | 'too_many'>;
  /** Those that have not ended, newest first; undefined where the owner has no such token. */
  list(userId: number, tokenId: number, nowMs: number): Promise<readonly UsageLink[] | undefined>;
  /** @returns the token it showed */
  delete(userId: number, id: number): Promise<number | undefined>;
  /** The link and its token, where it has not ended, and its token and its owner are there and the owner is not disabled. */
  open(mac: string, nowMs: number): Promise<{ readonly link: UsageLink; readonly token: Token } | undefined>;
  /** Notes that it was opened, at most once a minute. */
  noteOpened(id: number, nowMs: number): Promise<void>;
  /** What the token was charged from a day on. */
  usage(token: Pick<Token, 'id' | 'userId'>, fromMs: number): Promise<TokenUsage>;
}
