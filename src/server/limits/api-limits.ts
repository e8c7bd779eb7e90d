import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { MakeDurableLimiter, MakeLimiter } from './durable-limits.ts';
import { DAY_S, MINUTE_S } from '#core/time/spans.ts';

const LINKS_PER_ADDRESS = 30;
const OPENED_PER_LINK = 120;

interface ApiLimitConfig {
  readonly apiLimitPerAddress: number;
  readonly loginLimitPerAddress: number;
  readonly registerLimitPerAddress: number;
  readonly searchLimitPerUser: number;
}

type Counted = 'any' | 'login' | 'register' | 'setup' | 'search' | 'code' | 'oauth' | 'reset' | 'link';

/**
 * Rate limits of the control plane: by address, for searches by user. Limits against guessing are persistent; the
 * others are counted where counting is fast.
 */
export const createApiLimits = (
  config: ApiLimitConfig,
  durable: MakeLimiter,
  counted: MakeLimiter,
): Record<Counted, RateLimiter> => ({
  any: counted('any', config.apiLimitPerAddress, 3 * MINUTE_S),
  login: durable('login', config.loginLimitPerAddress, 15 * MINUTE_S),
  register: durable('register', config.registerLimitPerAddress, 60 * MINUTE_S),
  // The secret cannot be guessed; this only stops endless attempts.
  setup: durable('setup', config.loginLimitPerAddress * 10, 15 * MINUTE_S),
  // Mails to addresses of other people, and guesses at the codes in them.
  code: durable('code', config.loginLimitPerAddress, 15 * MINUTE_S),
  oauth: durable('oauth', config.loginLimitPerAddress * 3, 15 * MINUTE_S),
  reset: durable('reset', config.loginLimitPerAddress, 15 * MINUTE_S),
  // Links cannot be guessed; this keeps somebody who has one from overloading the database.
  link: counted('link', LINKS_PER_ADDRESS, MINUTE_S),
  search: counted('search', config.searchLimitPerUser, MINUTE_S),
});

/**
 * The limit of all addresses together, as a multiple of one address's limit: 100 guesses with the default of 5, which
 * is NIST's bound.
 */
const ANYWHERE = 20;

/**
 * Also multiples of one account's limit. Three of a million codes are right at a time: with 50 guesses a day, somebody who
 * knows the password needs twelve years for an even chance.
 */
const CODES_A_DAY = 10;
const WECHAT_CODES_AN_HOUR = 10;

/** Mails to one mailbox, which strangers may ask for from many addresses. */
const MAILS_PER_MAILBOX = 10;

/** Limits mails with codes, and those with links, to one mailbox. */
export const createMailLimit = (durable: MakeLimiter): RateLimiter =>
  durable('mails-to', MAILS_PER_MAILBOX, 60 * MINUTE_S);

/**
 * Limits guesses at an account's password or second-factor codes. Codes are counted for all addresses together, because
 * only somebody who knows the password is asked for one. Source: NIST SP 800-63B-4, 3.2.2, rate limiting.
 */
export const createGuessLimits = (durable: MakeLimiter, loginLimitPerAccount: number) => ({
  fromAddress: durable('password', loginLimitPerAccount, 15 * MINUTE_S),
  fromDevice: durable('password-device', loginLimitPerAccount, 15 * MINUTE_S),
  fromAnywhere: durable('password-anywhere', loginLimitPerAccount * ANYWHERE, 60 * MINUTE_S),
  codeLimit: both(
    durable('second-factor', loginLimitPerAccount, 15 * MINUTE_S),
    durable('second-factor-day', loginLimitPerAccount * CODES_A_DAY, DAY_S),
  ),
});

/** Applies both limits, the narrower and the wider one. */
const both = (narrow: RateLimiter, wide: RateLimiter): RateLimiter => ({
  take: async (key) => {
    const taken = await narrow.take(key);
    return taken.ok ? wide.take(key) : taken;
  },
  forget: async (key) => {
    await narrow.forget(key);
    await wide.forget(key);
  },
});

/**
 * Limits guesses at the codes that WeChat's account sends. A guess names no account and hits anybody who has just asked for
 * a code, so all guesses are counted together. Before that they are counted by address, so that nobody alone closes the way
 * in for all, and while binding by the user's own account.
 */
export const createWechatLimits = (durable: MakeDurableLimiter, loginLimitPerAccount: number) => ({
  byAccount: durable('wechat-bind', loginLimitPerAccount, 15 * MINUTE_S),
  byAddress: durable('wechat-address', loginLimitPerAccount, 15 * MINUTE_S),
  byAll: durable('wechat', loginLimitPerAccount * WECHAT_CODES_AN_HOUR, 60 * MINUTE_S),
});

/** Limits wrong redemption codes by user; a right one is not counted. */
export const createRedeemLimit = (durable: MakeLimiter): RateLimiter => durable('redeem', 10, 10 * MINUTE_S);

/** Limits how often one link to a token's usage is opened, over all addresses. */
export const createLinkLimit = (counted: MakeLimiter): RateLimiter =>
  counted('usage-link', OPENED_PER_LINK, MINUTE_S);

/** Limits orders by user, because each is a row, paid or not. */
export const createOrderLimit = (durable: MakeLimiter): RateLimiter => durable('order', 30, 10 * MINUTE_S);
