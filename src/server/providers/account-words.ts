import { AppError, type UpstreamProblem } from '#core/error.ts';
import type { Wire } from '../dialects/dialect.ts';
import { gemini } from '../dialects/gemini/gemini.ts';
import { readUpstreamError } from '../dialects/openai/error.ts';
import { accountTrouble } from '../dialects/upstream-words.ts';
import type { Provider } from './provider.ts';

/**
 * By what an upstream says, in codes of its own, that the key is not good or that nothing is left to pay with. Each is
 * looked for in `[status][type][code] message`.
 */
export interface AccountWords {
  readonly key?: RegExp;
  readonly money?: RegExp;
  /** That it is asked too often, where it says so under another status than 429. */
  readonly tooOften?: RegExp;
  /** That the caller's own words are at fault (too long, filtered), where the status says otherwise. */
  readonly caller?: RegExp;
}

const PAYMENT_REQUIRED = { money: /^\[402\]/ };
/** docs.bigmodel.cn/cn/api/api-code: 1113 comes with the status of a rate limit. */
const ZHIPU = { key: /\[(?:100[0-5]|111[012]|1121)\]/, money: /\[1113\]/ };
const GOOGLE = /\[API_KEY_INVALID\]|\[CONSUMER_(?:SUSPENDED|INVALID)\]|\[(?:SERVICE|BILLING)_DISABLED\]/;

/** By channel type, each from the provider's list of error codes. */
const words: Readonly<Record<number, AccountWords>> = {
  // ai.google.dev/gemini-api/docs/troubleshooting: 403 is about the key, whatever its words are.
  11: { key: new RegExp(`${GOOGLE.source}|^\\[403\\]`) },
  24: { key: new RegExp(`${GOOGLE.source}|^\\[403\\]`) },
  41: { key: GOOGLE },
  16: ZHIPU,
  26: ZHIPU,
  // help.aliyun.com/zh/model-studio/error-code
  17: { money: /\[Arrearage\]/i },
  // www.xfyun.cn/doc/spark, error codes: not licensed for what is asked, or nothing left of it.
  18: {
    key: /\[(?:10015|10313)\]|HMAC signature/,
    money: /\[(?:10016|11200)\]/,
    tooOften: /\[(?:10007|1120[123])\]/,
  },
  // openrouter.ai/docs, errors: a request too large for what is left says nothing of smaller ones.
  20: { money: /^\[402\](?!.*fewer max_tokens)/, caller: /^\[403\].*(?:flagged|moderation)/i },
  // cloud.tencent.com/document/product/1823/131595: what is not bought has the type of a permission.
  23: { key: /^\[401\]/, money: PAYMENT_REQUIRED.money },
  // FastGPT answers its own codes under status 500.
  22: { key: /\[514\]/ },
  // docs.aws.amazon.com, common errors: they come under 403, and which it was stands in a header.
  33: { key: /^\[403\].*(?:security token|signature we calculated|api key)/i },
  // docs.cohere.com/reference/errors: 498 is a request or an answer that is blocked.
  34: { ...PAYMENT_REQUIRED, caller: /^\[498\]/ },
  // platform.minimax.io/docs/api-reference/errorcode: its numbers also stand in the words of errors under other statuses.
  35: {
    key: /\[authorized_error\]|\((?:1004|2049)\)/,
    money: /\[insufficient_balance_error\]|\(1008\)/,
    tooOften: /\((?:1002|1039|1041|2056)\)/,
    caller: /\((?:1026|1027|2013)\)/,
  },
  37: { money: /\[provider_quota_exceeded\]/ },
  38: PAYMENT_REQUIRED,
  // developers.cloudflare.com, API errors
  39: { key: /\[(?:10000|10001|9109|6003)\]/ },
  // platform.moonshot.cn/docs, errors: it comes with the status of a rate limit.
  25: { money: /\[exceeded_current_quota_error\]/ },
  // docs.siliconflow.cn, error codes
  40: { money: /\[30001\]/ },
  // api-docs.deepseek.com/quick_start/error_codes
  43: PAYMENT_REQUIRED,
  45: { money: /\[AccountOverdueError\]/i },
  // docs.x.ai: a key that is not known is an invalid argument.
  48: {
    key: /incorrect api key/i,
    money: /^\[403\].*(?:credits|spending limit)/i,
    caller: /^\[403\].*(?:usage guidelines|safety_check)/i,
  },
  56: PAYMENT_REQUIRED,
  101: PAYMENT_REQUIRED,
  102: { ...PAYMENT_REQUIRED, key: /^\[412\]/ },
  103: PAYMENT_REQUIRED,
  104: { ...PAYMENT_REQUIRED, key: /^\[403\].*authorization failed/i },
  105: PAYMENT_REQUIRED,
  107: PAYMENT_REQUIRED,
  // Gateways of this family say it of the key's own account in the word for a caller's.
  108: { money: /\[(?:insufficient_user_quota|pre_consume_token_quota_failed)\]/ },
};

/** The word everybody uses for what an upstream says of its account; undefined where it says nothing of it. */
export const accountCode = (
  { key, money, tooOften, caller }: AccountWords,
  { status, type = '', code = '', message }: UpstreamProblem,
): 'invalid_api_key' | 'billing_not_active' | 'rate_limit_exceeded' | 'invalid_request' | undefined => {
  const said = `[${status}][${type}][${code}] ${message}`;
  if (key?.test(said) === true) return 'invalid_api_key';
  if (money?.test(said) === true) return 'billing_not_active';
  if (tooOften?.test(said) === true) return 'rate_limit_exceeded';
  return caller?.test(said) === true ? 'invalid_request' : undefined;
};

/** A provider whose errors tell trouble with the account in the words that routing and operators know. */
export const withAccountWords = (type: number, provider: Provider): Provider => {
  const known = words[type];
  if (known === undefined) return provider;
  const read =
    provider.readError ?? (provider.dialect.name === gemini.name ? gemini.readError : readUpstreamError);
  return { ...provider, readError: readsAccount(known, read) };
};

const readsAccount =
  (known: AccountWords, read: Wire['readError']): Wire['readError'] =>
  (status, body, retryAfter) => {
    const error = read(status, body, retryAfter);
    const code = error.upstream === undefined ? undefined : accountCode(known, error.upstream);
    if (error.upstream === undefined || code === undefined) return error;
    if (code === 'invalid_request')
      return new AppError('invalid_request', error.upstream.message, { upstream: error.upstream });
    if (code === 'rate_limit_exceeded') {
      // Under whatever status: as what it is.
      const { retryAfterSeconds } = read(429, body, retryAfter);
      return new AppError('rate_limited', 'the upstream is over its rate limit, try again later', {
        upstream: error.upstream,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      });
    }
    return accountTrouble(
      { ...error.upstream, code },
      `the upstream could not serve the request (status ${status})`,
    );
  };
