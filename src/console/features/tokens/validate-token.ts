import { NEVER_EXPIRES } from '#contract/codes.ts';
import { TOKEN_BATCH_MAX } from '#contract/limits.ts';
import type { Translate } from '../../lib/text/i18n.ts';
import { isIpRange } from './ip-text.ts';
import { readExpiry, type TokenValues } from './token-form.ts';
import { linesOf } from './token.ts';

type Say = Translate<'tokens'>;

export type TokenErrors = Partial<Record<keyof TokenValues, string>>;

interface Asked {
  /** Undefined for a new token. */
  readonly before: TokenValues | undefined;
  readonly nowMs: number;
}

/** What is wrong with the form, by field. An expiry that has passed is only refused when it is a new one. */
export const validateToken = (values: TokenValues, { before, nowMs }: Asked, t: Say): TokenErrors => {
  const errors: Partial<Record<keyof TokenValues, string | undefined>> = {
    name: values.name.trim() === '' ? t('invalid.name') : undefined,
    count:
      before === undefined && !isCount(values.count)
        ? t('invalid.count', { max: TOKEN_BATCH_MAX })
        : undefined,
    expired_time: expiryError(values.expired_time, before?.expired_time, nowMs, t),
    remain_quota: quotaError(values, t),
    model_limits:
      values.model_limits_enabled && values.model_limits.length === 0 ? t('invalid.models') : undefined,
    allow_ips: ipsError(values.allow_ips, t),
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
};

const isCount = (count: number | undefined): boolean =>
  count !== undefined && Number.isInteger(count) && count >= 1 && count <= TOKEN_BATCH_MAX;

const expiryError = (text: string, before: string | undefined, nowMs: number, t: Say): string | undefined => {
  const at = readExpiry(text);
  if (at === undefined) return t('invalid.expiry');
  return at !== NEVER_EXPIRES && at * 1000 <= nowMs && text !== before ? t('invalid.past') : undefined;
};

const quotaError = (
  { unlimited_quota: unlimited, remain_quota: quota }: TokenValues,
  t: Say,
): string | undefined => {
  if (unlimited) return undefined;
  if (quota === undefined) return t('invalid.quotaNeeded');
  return quota < 0 ? t('invalid.quota') : undefined;
};

const ipsError = (text: string, t: Say): string | undefined => {
  const wrong = linesOf(text).find((line) => !isIpRange(line));
  return wrong === undefined ? undefined : t('invalid.ip', { line: wrong });
};
