import { USAGE_LINK_DAYS } from '#contract/limits.ts';
import { logType } from '#contract/codes.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { Token } from '#core/token/token.ts';
import { tokenStatusAt } from '#core/token/token-state.ts';
import type { TokenUsage, UsageLink, UsageLinkStore } from '#core/token/usage-link-store.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { refuse, countOrRefuse } from '../refuse.ts';
import { DAY_MS } from '#core/time/spans.ts';

/** 256 bits in base64url. */
const LINK_LENGTH = 43;
const LINK_SHAPE = /^[0-9A-Za-z]{43}$/;
const LINKS_PER_TOKEN_MAX = 10;

interface UsageLinkDeps {
  readonly usageLinks: UsageLinkStore;
  readonly logs: Pick<LogStore, 'append'>;
  readonly vault: Pick<Vault, 'mac'>;
  /** Limited per link, so that a widely shared one does not keep the database busy. */
  readonly openLimit: RateLimiter;
  readonly clock: Clock;
  readonly random: Random;
}

interface UsageLinkWish {
  readonly tokenId: number;
  readonly note: string;
  readonly expiresAtMs: number | null;
}

/** What a link shows. */
export interface SharedUsage {
  readonly link: UsageLink;
  /** With its current status. */
  readonly token: Token;
  readonly usage: TokenUsage;
}

export type UsageLinks = ReturnType<typeof createUsageLinks>;

/** Links that show the usage of one token to anyone who has them. Refusals are thrown. */
export const createUsageLinks = (deps: UsageLinkDeps) => {
  const { usageLinks, vault, openLimit, clock, random } = deps;
  return {
    /**
     * Creates a link.
     * @returns the link and its secret, which is known only now
     */
    async create(
      actor: User,
      owner: User,
      wish: UsageLinkWish,
    ): Promise<UsageLink & { readonly open: string }> {
      const nowMs = clock.now();
      if (wish.expiresAtMs !== null && wish.expiresAtMs <= nowMs) throw refuse('usage_link_past');
      const open = random.alphanumeric(LINK_LENGTH);
      const link = { ...wish, userId: owner.id, createdAtMs: nowMs, createdBy: actor.id };
      const made = await usageLinks.create({ ...link, mac: macOf(vault, open) }, LINKS_PER_TOKEN_MAX);
      if (made === 'missing') throw refuse('token_missing');
      if (made === 'too_many') throw refuse('usage_link_too_many', { limit: LINKS_PER_TOKEN_MAX });
      await note(
        deps,
        actor,
        owner,
        storedPhrase('log_usage_link_made', { token: wish.tokenId, id: made.id }),
      );
      return { ...made, open };
    },

    async list(owner: User, tokenId: number): Promise<readonly UsageLink[]> {
      const links = await usageLinks.list(owner.id, tokenId, clock.now());
      if (links === undefined) throw refuse('token_missing');
      return links;
    },

    async revoke(actor: User, owner: User, id: number): Promise<void> {
      const token = await usageLinks.delete(owner.id, id);
      if (token === undefined) throw refuse('usage_link_missing');
      await note(deps, actor, owner, storedPhrase('log_usage_link_revoked', { token, id }));
    },

    /** The same refusal for links that never existed, were revoked, or whose token is gone. */
    async open(text: string): Promise<SharedUsage> {
      const nowMs = clock.now();
      const found = LINK_SHAPE.test(text) ? await usageLinks.open(macOf(vault, text), nowMs) : undefined;
      if (found === undefined) throw refuse('usage_link_ended');
      const { link, token } = found;
      await countOrRefuse(openLimit, String(link.id));
      const firstDayMs = (Math.floor(nowMs / DAY_MS) - USAGE_LINK_DAYS + 1) * DAY_MS;
      const usage = await usageLinks.usage(token, firstDayMs);
      await usageLinks.noteOpened(link.id, nowMs);
      return { link, token: { ...token, status: tokenStatusAt(token, nowMs) }, usage };
    },
  };
};

/** The prefix keeps this MAC different from that of any token's key. */
const macOf = (vault: Pick<Vault, 'mac'>, text: string): string => vault.mac(`usage-link:${text}`);

/** Logs to the owner's logs, even if an admin acted. */
const note = ({ logs, clock }: UsageLinkDeps, actor: User, owner: User, content: string): Promise<void> =>
  logs.append({
    createdAtMs: clock.now(),
    type: logType.manage,
    userId: owner.id,
    username: owner.username,
    content,
    ...(actor.id !== owner.id && {
      other: JSON.stringify({ admin_info: { admin_id: actor.id, admin_username: actor.username } }),
    }),
  });
