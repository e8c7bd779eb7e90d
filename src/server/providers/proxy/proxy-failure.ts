import { type MessageKey, type PhraseValues, say } from '#contract/messages.ts';
import { AppError } from '#core/error.ts';

type ProxyMessage = Extract<MessageKey, `proxy_${string}`>;

/** What went wrong with a proxy, without its address: where it is and who may use it is the operator's. */
export const proxyFailure = (key: ProxyMessage, values: PhraseValues = {}, cause?: unknown): AppError =>
  new AppError(key === 'proxy_late' ? 'upstream_timeout' : 'upstream_failed', say(key, 'en', values), {
    reason: key,
    values,
    ...(cause === undefined ? {} : { cause }),
  });
