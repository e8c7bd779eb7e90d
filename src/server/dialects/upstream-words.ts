import { AppError, type UpstreamProblem } from '#core/error.ts';
import { CALLER_MISTAKES, codeOfStatus } from './upstream-status.ts';

/** Words in messages about the operator's account, which callers must not see. */
const OF_ACCOUNT = new RegExp(
  [
    'api[ _-]?key|billing|balance|credits?\\b|suspend|deactivat|arrear|subscription|\\bunauthori[sz]ed',
    '欠费|余额|账户|账号|账单|密钥|令牌',
  ].join('|'),
  'i',
);

/** Error codes with which upstreams report that they are overloaded. */
const OVERLOADED = new Set([
  'overloaded_error',
  'overloaded',
  'engine_overloaded_error',
  'engine_overloaded',
  'server_overloaded',
  'model_overloaded',
]);

/** The upstream's word for its trouble is one of these. */
const isNamed = ({ type, code }: UpstreamProblem, words: ReadonlySet<string>): boolean =>
  [type, code].some((word) => word !== undefined && words.has(word.toLowerCase()));

/** Google's word, for an overload and for anything else that passes. */
const UNAVAILABLE = new Set(['unavailable']);

const ANTHROPIC_OVERLOADED = 529;

/** Whether an upstream says that it is overloaded, and not only that it is unavailable (503). */
export const saysOverloaded = (upstream: UpstreamProblem): boolean =>
  upstream.status === ANTHROPIC_OVERLOADED || isNamed(upstream, OVERLOADED);

/**
 * An upstream's own message for the caller: that it is overloaded, or which limit was reached. `otherwise` if there is
 * none, if it is not part of a JSON error (`body`), or if it is about our account.
 */
export const tellable = (upstream: UpstreamProblem, body: unknown, otherwise: string): string => {
  const { message } = upstream;
  return typeof body === 'string' || message === '' || OF_ACCOUNT.test(message) ? otherwise : message;
};

/** A problem with the operator's account: hides the upstream's message, and a retry would not help. */
export const accountTrouble = (upstream: UpstreamProblem, message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { ...upstream, ofAccount: true } });

/** A failure that is neither the caller's mistake nor a rate limit: `unavailable` if the upstream is overloaded. */
export const upstreamFailure = (
  upstream: UpstreamProblem,
  message: string,
  retryAfterSeconds?: number,
): AppError => {
  const code = codeOfStatus(upstream.status);
  const isOverloaded = code === 'unavailable' || saysOverloaded(upstream) || isNamed(upstream, UNAVAILABLE);
  if (code === 'not_implemented') return new AppError(code, message, { upstream });
  if (!isOverloaded) return new AppError('upstream_failed', message, { upstream });
  return new AppError('unavailable', message, {
    upstream,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
};

/** What an upstream said beside its status and its words. */
interface Said {
  readonly body: unknown;
  readonly retryAfterSeconds: number | undefined;
  /** The parameter that it names. */
  readonly param: string | undefined;
}

const TOO_MANY = 'the upstream is over its rate limit, try again later';

/**
 * The error of an upstream's status, where the operator's account is not the cause. The caller's mistakes, rate limits and
 * overload keep the upstream's message.
 */
export const upstreamRefusal = (
  upstream: UpstreamProblem,
  { body, retryAfterSeconds, param }: Said,
): AppError => {
  const { status } = upstream;
  const code = codeOfStatus(status);
  const failed = couldNotServe(status);
  if (CALLER_MISTAKES.has(code)) {
    const message = upstream.message || `the upstream refused the request (status ${status})`;
    return new AppError(code, message, { upstream, ...(param !== undefined && { param }) });
  }
  if (code === 'rate_limited')
    return new AppError(code, tellable(upstream, body, TOO_MANY), {
      upstream,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  if (code === 'upstream_timeout')
    return new AppError(code, 'the upstream did not answer in time', { upstream });
  return status >= 500
    ? upstreamFailure(upstream, tellable(upstream, body, failed), retryAfterSeconds)
    : new AppError('upstream_failed', failed, { upstream });
};

/** A rate limit that an upstream reports inside an answer. */
export const limitInside = (upstream: UpstreamProblem, body: unknown): AppError =>
  new AppError('rate_limited', tellable(upstream, body, TOO_MANY), { upstream });

/** The message for callers who must not see the upstream's own words. */
export const couldNotServe = (status: number): string =>
  `the upstream could not serve the request (status ${status})`;
