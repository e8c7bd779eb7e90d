import type { listTokens } from '#contract/api/people/tokens.ts';
import { NEVER_EXPIRES, tokenStatus } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';

/** A token as its owner has it, with its key. */
export type Token = Data<typeof listTokens>['items'][number];

/** The query key of the list. */
export const TOKENS = 'tokens';

export type TokenState = 'enabled' | 'disabled' | 'expired' | 'exhausted';

/** A token's status now: it may have expired since the server sent it. */
export const stateOf = (token: Token, nowMs: number = Date.now()): TokenState => {
  if (token.status === tokenStatus.disabled) return 'disabled';
  const isExpired = token.expired_time !== NEVER_EXPIRES && token.expired_time * 1000 <= nowMs;
  if (token.status === tokenStatus.expired || isExpired) return 'expired';
  const isExhausted = !token.unlimited_quota && token.remain_quota <= 0;
  return token.status === tokenStatus.exhausted || isExhausted ? 'exhausted' : 'enabled';
};

/** Before the first call, the server reports the time of creation. */
export const wasUsed = (token: Token): boolean => token.accessed_time > token.created_time;

/** The key as programs send it. */
export const keyOf = (token: Token): string => `sk-${token.key}`;

const KEPT_LENGTH = 8;

/** The start of a key, enough to find it: a whole key must not get into an address or a server's log. */
export const keyStart = (typed: string): string => typed.replace(/^sk-/, '').slice(0, KEPT_LENGTH);

/** `name    sk-key`, one per line, without keys that cannot be decrypted. Source: specification, copy selected. */
export const keyLines = (tokens: readonly Token[]): string =>
  tokens
    .filter(({ key }) => key !== '')
    .map((token) => `${token.name}    ${keyOf(token)}`)
    .join('\n');

export const linesOf = (text: string | null): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const namesOf = (commaText: string): string[] => commaText.split(',').filter((name) => name !== '');
