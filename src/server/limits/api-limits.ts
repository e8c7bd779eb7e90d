import type { RateLimiter } from '#core/rate-limiter.ts';
import type { KeptLimits } from './kept.ts';
import { createMemoryLimiter } from './memory.ts';

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
 * is kept; what only costs time is counted by each node for itself.
 */
export const createApiLimits = (config: ApiLimitConfig, kept: KeptLimits): Record<Counted, RateLimiter> => ({
  any: createMemoryLimiter(config.apiLimitPerAddress, 3 * MINUTE_S),
  login: kept('login', config.loginLimitPerAddress, 15 * MINUTE_S),
  register: kept('register', config.registerLimitPerAddress, 60 * MINUTE_S),
  // The secret cannot be guessed; this only keeps somebody from trying all day.
  setup: kept('setup', config.loginLimitPerAddress * 10, 15 * MINUTE_S),
  // Mails somebody else may get, and guesses at what is in them.
  code: kept('code', config.loginLimitPerAddress, 15 * MINUTE_S),
  oauth: kept('oauth', config.loginLimitPerAddress * 3, 15 * MINUTE_S),
  reset: kept('reset', config.loginLimitPerAddress, 15 * MINUTE_S),
  search: createMemoryLimiter(config.searchLimitPerUser, MINUTE_S),
});

/** Attempts to guess the password of one account, or the codes of its second factor. */
export const createGuessLimits = (kept: KeptLimits, loginLimitPerAccount: number) => ({
  loginLimit: kept('password', loginLimitPerAccount, 15 * MINUTE_S),
  codeLimit: kept('second-factor', loginLimitPerAccount, 15 * MINUTE_S),
});

/** Codes one user may try that do not exist; a right one is not counted. */
export const createRedeemLimit = (kept: KeptLimits): RateLimiter => kept('redeem', 10, 10 * MINUTE_S);

/** Orders one user may make: each is a row, paid or not. */
export const createOrderLimit = (): RateLimiter => createMemoryLimiter(30, 10 * MINUTE_S);
