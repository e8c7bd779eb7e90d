import type { listTokens } from '#contract/api/people/tokens.ts';
import { NEVER_EXPIRES, tokenStatus } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';

/** A token as its owner has it, with its key. */
export type Token = Data<typeof listTokens>['items'][number];

/** The list's name among the queries. */
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

/** Until its first call the server has the time of its making. */
export const wasUsed = (token: Token): boolean => token.accessed_time > token.created_time;

/** The key as programs send it. */
export const keyOf = (token: Token): string => `sk-${token.key}`;

const KEPT_LENGTH = 8;

/** Enough of a key to find it: a whole one does not belong into an address, nor into the logs of servers on the way. */
export const keyStart = (typed: string): string => typed.replace(/^sk-/, '').slice(0, KEPT_LENGTH);

/** `name    sk-key`, one a line. Source: specification, copy selected. */
export const keyLines = (tokens: readonly Token[]): string =>
  tokens.map((token) => `${token.name}    ${keyOf(token)}`).join('\n');

export const linesOf = (text: string | null): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const namesOf = (commaText: string): string[] => commaText.split(',').filter((name) => name !== '');
