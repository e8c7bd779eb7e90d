import { AppError, type UpstreamProblem } from '#core/error.ts';
import { codeOfStatus } from './upstream-status.ts';

/** Words of sentences about the operator's account, which are none of the caller's business. */
const OF_ACCOUNT = new RegExp(
  [
    'api[ _-]?key|billing|balance|credits?\\b|suspend|deactivat|arrear|subscription|\\bunauthori[sz]ed',
    '欠费|余额|账户|账号|账单|密钥|令牌',
  ].join('|'),
  'i',
);

/** Words by which upstreams say that they have too much to do, whatever the caller. */
const OVERLOADED = new Set([
  'overloaded_error',
  'overloaded',
  'engine_overloaded_error',
  'engine_overloaded',
  'server_overloaded',
  'model_overloaded',
  'unavailable',
]);

/**
 * An upstream's own sentence on why it failed, as callers are told it: that it has too much to do, which limit was
 * reached. `otherwise` where it has none, where it is no part of an error in JSON (`body`), or speaks of our account.
 */
export const tellable = (upstream: UpstreamProblem, body: unknown, otherwise: string): string => {
  const { message } = upstream;
  return typeof body === 'string' || message === '' || OF_ACCOUNT.test(message) ? otherwise : message;
};

/** Trouble with the operator's account: nothing of what was said is told, and another try would not help. */
export const accountTrouble = (upstream: UpstreamProblem, message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { ...upstream, ofAccount: true } });

/** A failure that is neither the caller's mistake nor one of limits: `unavailable` where the upstream is overloaded. */
export const upstreamFailure = (upstream: UpstreamProblem, message: string): AppError => {
  const code = codeOfStatus(upstream.status);
  const isOverloaded =
    code === 'unavailable' ||
    [upstream.type, upstream.code].some((word) => word !== undefined && OVERLOADED.has(word.toLowerCase()));
  if (code === 'not_implemented') return new AppError(code, message, { upstream });
  return new AppError(isOverloaded ? 'unavailable' : 'upstream_failed', message, { upstream });
};
