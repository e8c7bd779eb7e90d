import type { RateLimiter } from '#core/rate-limiter.ts';
import { createMemoryLimiter } from './memory.ts';

const MINUTE_S = 60;

interface ApiLimitConfig {
  readonly apiLimitPerAddress: number;
  readonly loginLimitPerAddress: number;
  readonly registerLimitPerAddress: number;
  readonly searchLimitPerUser: number;
}

type Counted = 'any' | 'login' | 'register' | 'setup' | 'search' | 'code' | 'oauth' | 'reset';

/** What may be asked of the control plane in a span of time: by address, searches by user. */
export const createApiLimits = (config: ApiLimitConfig): Record<Counted, RateLimiter> => ({
  any: createMemoryLimiter(config.apiLimitPerAddress, 3 * MINUTE_S),
  login: createMemoryLimiter(config.loginLimitPerAddress, 15 * MINUTE_S),
  register: createMemoryLimiter(config.registerLimitPerAddress, 60 * MINUTE_S),
  // The secret cannot be guessed; this only keeps somebody from trying all day.
  setup: createMemoryLimiter(config.loginLimitPerAddress * 10, 15 * MINUTE_S),
  // Mails somebody else may get, and guesses at what is in them.
  code: createMemoryLimiter(config.loginLimitPerAddress, 15 * MINUTE_S),
  oauth: createMemoryLimiter(config.loginLimitPerAddress * 3, 15 * MINUTE_S),
  reset: createMemoryLimiter(config.loginLimitPerAddress, 15 * MINUTE_S),
  search: createMemoryLimiter(config.searchLimitPerUser, MINUTE_S),
});

/** Attempts to guess the password of one account. */
export const createLoginLimit = (loginLimitPerAccount: number): RateLimiter =>
  createMemoryLimiter(loginLimitPerAccount, 15 * MINUTE_S);

/** Codes one user may try that do not exist; a right one is not counted. */
export const createRedeemLimit = (): RateLimiter => createMemoryLimiter(10, 10 * MINUTE_S);

/** Orders one user may make: each is a row, paid or not. */
export const createOrderLimit = (): RateLimiter => createMemoryLimiter(30, 10 * MINUTE_S);
