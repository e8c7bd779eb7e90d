import type { RateLimiter } from '#core/rate-limiter.ts';
import type { MakeLimiter } from './kept.ts';

const MINUTE_S = 60;

interface ApiLimitConfig {
  readonly apiLimitPerAddress: number;
  readonly loginLimitPerAddress: number;
  readonly registerLimitPerAddress: number;
  readonly searchLimitPerUser: number;
}

type Counted = 'any' | 'login' | 'register' | 'setup' | 'search' | 'code' | 'oauth' | 'reset';

/**
 * What may be asked of the control plane in a span of time: by address, searches by user. What could be used to guess
 * is kept; what only costs time is counted where counting is quick.
 */
export const createApiLimits = (
  config: ApiLimitConfig,
  kept: MakeLimiter,
  counted: MakeLimiter,
): Record<Counted, RateLimiter> => ({
  any: counted('any', config.apiLimitPerAddress, 3 * MINUTE_S),
  login: kept('login', config.loginLimitPerAddress, 15 * MINUTE_S),
  register: kept('register', config.registerLimitPerAddress, 60 * MINUTE_S),
  // The secret cannot be guessed; this only keeps somebody from trying all day.
  setup: kept('setup', config.loginLimitPerAddress * 10, 15 * MINUTE_S),
  // Mails somebody else may get, and guesses at what is in them.
  code: kept('code', config.loginLimitPerAddress, 15 * MINUTE_S),
  oauth: kept('oauth', config.loginLimitPerAddress * 3, 15 * MINUTE_S),
  reset: kept('reset', config.loginLimitPerAddress, 15 * MINUTE_S),
  search: counted('search', config.searchLimitPerUser, MINUTE_S),
});

/** How many times more the guesses of all addresses together may be: 100 with the usual 5, which is NIST's bound. */
const ANYWHERE = 20;

/**
 * Attempts to guess the password of one account, or the codes of its second factor. Codes are counted for all addresses
 * together: only who knows the password is asked for one. Source: NIST SP 800-63B-4, 3.2.2, rate limiting.
 */
export const createGuessLimits = (kept: MakeLimiter, loginLimitPerAccount: number) => ({
  fromAddress: kept('password', loginLimitPerAccount, 15 * MINUTE_S),
  fromDevice: kept('password-device', loginLimitPerAccount, 15 * MINUTE_S),
  fromAnywhere: kept('password-anywhere', loginLimitPerAccount * ANYWHERE, 60 * MINUTE_S),
  codeLimit: kept('second-factor', loginLimitPerAccount, 15 * MINUTE_S),
});

/** Codes one user may try that do not exist; a right one is not counted. */
export const createRedeemLimit = (kept: MakeLimiter): RateLimiter => kept('redeem', 10, 10 * MINUTE_S);

/** Orders one user may make: each is a row, paid or not. */
export const createOrderLimit = (kept: MakeLimiter): RateLimiter => kept('order', 30, 10 * MINUTE_S);
