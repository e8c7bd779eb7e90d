import type { ErrorCode } from '#core/error.ts';

/** Ours: told to the operator, the channel is switched off. Theirs: told to the caller in the upstream's words. */
export const CAUSES = {
  key: { code: 'upstream_failed', disables: true },
  money: { code: 'upstream_failed', disables: true },
  model: { code: 'not_found', disables: false },
  rate: { code: 'rate_limited', disables: false },
  long: { code: 'invalid_request', disables: false },
  filter: { code: 'invalid_request', disables: false },
} as const satisfies Record<string, { readonly code: ErrorCode; readonly disables: boolean }>;
type Cause = keyof typeof CAUSES;
/** `code` and `key` where they are others than usual. */
export type Refusal = readonly [
  type: number,
  cause: Cause,
  status: number,
  body: unknown,
  code?: ErrorCode,
  key?: string,
];

/** Bodies that many share. */
export const openai = (message: string, type: string, code: unknown = null) => ({
  error: { message, type, param: null, code },
});
export const google = (code: number, status: string, message: string, reason?: string) => ({
  error: { code, status, message, details: reason === undefined ? [] : [{ reason }] },
});
export const claude = (type: string, message: string) => ({ type: 'error', error: { type, message } });
export const coded = (code: string, message: string) => ({ error: { code, message } });
export const minimax = (status_code: number, status_msg: string) => ({
  base_resp: { status_code, status_msg },
});
export const tencent = (Code: string, Message: string) => ({ Response: { Error: { Code, Message } } });
export const SIGNED = '1|id|secret';
export const LONG = 'This model takes at most 8192 tokens, and the messages are 9000.';
