import type { createRedemptions, updateRedemption } from '#contract/api/wallet/redemptions.ts';
import type { Sent } from '#contract/endpoint.ts';
import { REDEMPTION_BATCH_MAX, REDEMPTION_DEFAULT_QUOTA } from '#contract/limits.ts';
import { formatRoundQuota } from '../../lib/text/format.ts';
import type { Translate } from '../../lib/text/i18n.ts';
import { changesWith } from '../../lib/server/changed-meanwhile.ts';
import type { Code } from './code.ts';

/** The form's values. */
export interface CodeValues {
  readonly name: string;
  readonly quota: number | undefined;
  readonly count: number | undefined;
  /** Unix seconds; undefined for never. */
  readonly expires: number | undefined;
}

/** Source: specification, constants. */
export const newCode: CodeValues = {
  name: '',
  quota: REDEMPTION_DEFAULT_QUOTA,
  count: 1,
  expires: undefined,
};

export const valuesOf = (code: Code): CodeValues => ({
  name: code.name,
  quota: code.quota,
  count: 1,
  expires: code.expired_time === 0 ? undefined : code.expired_time,
});

const settingsOf = ({ name, quota = 0, expires = 0 }: CodeValues) => ({
  // A new code without a name is called by what it is worth.
  name: name.trim() === '' ? formatRoundQuota(quota) : name.trim(),
  quota: Math.trunc(quota),
  expired_time: expires,
});

export const createBody = (values: CodeValues): NonNullable<Sent<typeof createRedemptions>['body']> => ({
  ...settingsOf(values),
  count: Math.trunc(values.count ?? 1),
});

/** Only what was changed: others may have changed the rest, and an expiry in the past would be refused. */
export const updateBody = (
  code: Code,
  values: CodeValues,
  shown = code,
): NonNullable<Sent<typeof updateRedemption>['body']> => ({
  id: code.id,
  ...changesWith(settingsOf(valuesOf(code)), settingsOf(values), shown),
});

interface Asked {
  /** Undefined for new codes. */
  readonly before: CodeValues | undefined;
  readonly nowMs: number;
}

export const validateCode = (
  values: CodeValues,
  { before, nowMs }: Asked,
  t: Translate<'redemption'>,
): Partial<Record<keyof CodeValues, string>> => {
  const { quota, count, expires } = values;
  const isCount =
    count !== undefined && Number.isInteger(count) && count >= 1 && count <= REDEMPTION_BATCH_MAX;
  return {
    ...(before !== undefined && values.name.trim() === '' ? { name: t('invalid.name') } : {}),
    ...(quota === undefined || quota < 1 ? { quota: t('invalid.quota') } : {}),
    ...(isCount ? {} : { count: t('invalid.count', { max: REDEMPTION_BATCH_MAX }) }),
    ...(expires !== undefined && expires !== before?.expires && expires * 1000 <= nowMs
      ? { expires: t('invalid.past') }
      : {}),
  };
};
