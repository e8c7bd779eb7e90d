import { IconEye, IconEyeOff, IconInfinity } from '@tabler/icons-react';
import { useState } from 'react';
import { NEVER_EXPIRES } from '#contract/codes.ts';
import { NamedCell } from '../../kit/tables/named-cell.tsx';
import { IconButton } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { GroupChip, RatioChip } from '../../kit/group-chip.tsx';
import { Chip, Switch } from '../../kit/status.tsx';
import { QuotaLeft } from '../../kit/texts/quota-text.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import {
  formatNames,
  formatPercent,
  formatQuota,
  formatQuotaExact,
  formatQuotaLeft,
  formatTime,
  maskKey,
} from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { switchToken } from './token-calls.ts';
import { keyOf, linesOf, namesOf, stateOf, type Token } from './token.ts';
import type { OwnGroups } from './use-own-groups.ts';

interface CellProps {
  readonly token: Token;
}

export const NameCell = ({ token }: CellProps) => (
  <NamedCell name={token.name}>
    #{token.id} · {token.tag === '' ? <TimeText at={token.created_time} /> : token.tag}
  </NamedCell>
);

/** The switch and the state in words; if the token stopped by itself, the reason. */
export const StatusCell = ({ token }: CellProps) => {
  const { t } = useTranslation('tokens');
  const state = stateOf(token);
  const tip =
    state === 'expired'
      ? t('status.expiredTip', { time: formatTime(token.expired_time) })
      : state === 'exhausted'
        ? t('status.exhaustedTip')
        : undefined;
  return (
    <Switch
      checked={state === 'enabled'}
      label={t('status.of', { name: token.name })}
      onChange={(wanted) => void switchToken(token, wanted ? 'on' : 'off')}
    >
      <span className={tip === undefined ? undefined : 'tone-bad token-stopped'} data-tip={tip}>
        {t(`status.${state}`)}
      </span>
    </Switch>
  );
};

/** The used and the remaining quota. */
export const QuotaCell = ({ token }: CellProps) => {
  const { t } = useTranslation('tokens');
  const { used_quota: used, remain_quota: remain } = token;
  if (token.unlimited_quota) {
    return (
      <span className="token-quota">
        <span className="token-unlimited">
          <IconInfinity size={17} aria-hidden />
          {t('quota.unlimited')}
        </span>
        <span className="meta number" data-tip={formatQuotaExact(used)}>
          {t('quota.used', { used: formatQuota(used) })}
        </span>
      </span>
    );
  }
  const total = used + Math.max(0, remain);
  const part = total === 0 ? 1 : used / total;
  const level = part >= 1 ? 'bad' : part >= 0.8 ? 'warn' : 'ok';
  return (
    <span className="token-quota">
      <span
        data-tip={t('quota.remain', { remain: formatQuotaExact(remain), total: formatQuotaExact(total) })}
      >
        <QuotaLeft left={Math.max(0, remain)} used={used} />
      </span>
      <span
        className={`token-bar token-bar-${level}`}
        role="img"
        aria-label={t('quota.part', { part: formatPercent(part) })}
        data-tip={`${t('quota.used', { used: formatQuotaLeft(remain, used).used })} · ${formatPercent(part)}`}
        // The bar shows what is left, as the number above it does.
        style={{ '--part': `${Math.max(0, 1 - part) * 100}%` }}
      />
    </span>
  );
};

export const GroupCell = ({ token, groups }: CellProps & { readonly groups: OwnGroups }) => {
  const { t } = useTranslation('tokens');
  if (token.group === '')
    return (
      <span data-tip={t('group.ownTip')}>
        <Chip>{t('group.own')}</Chip>
      </span>
    );
  const group = groups[token.group];
  return (
    <span className="chips">
      <GroupChip name={token.group} {...(group === undefined ? {} : { tip: group.desc })} />
      {group !== undefined && (
        <RatioChip ratio={group.ratio} tip={t('group.ratio', { ratio: group.ratio })} />
      )}
    </span>
  );
};

/** The masked key: a click copies it, the eye shows it. */
export const KeyCell = ({ token }: CellProps) => {
  const { t } = useTranslation('tokens');
  const [isShown, setShown] = useState(false);
  const { name } = token;
  const key = keyOf(token);
  if (token.key === '') return <span className="tone-bad">{t('key.damaged')}</span>;
  const shown = isShown ? key : maskKey(key);
  return (
    <span className="token-key" data-shown={isShown}>
      <Copy value={key} shown={shown} mono label={`${t('key.copy', { name })}: ${shown}`} />
      <IconButton
        label={t(isShown ? 'key.hide' : 'key.show', { name })}
        pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <IconEyeOff size={15} /> : <IconEye size={15} />}
      </IconButton>
    </span>
  );
};

/** Which models and which addresses the token is limited to. */
export const LimitsCell = ({ token }: CellProps) => {
  const { t } = useTranslation('tokens');
  const models = token.model_limits_enabled ? namesOf(token.model_limits) : undefined;
  const ips = linesOf(token.allow_ips);
  if (models === undefined && ips.length === 0) return <span className="tone-muted">{t('limit.none')}</span>;
  return (
    <span className="chips">
      {models !== undefined && (
        <Chip tip={formatNames(models)}>{t('limit.models', { count: models.length })}</Chip>
      )}
      {ips.length > 0 && <Chip tip={formatNames(ips)}>{t('limit.ips', { count: ips.length })}</Chip>}
    </span>
  );
};

/** `isAlone`: the cell has no heading, so "never" needs more words. */
export const ExpiryCell = ({ token, isAlone = false }: CellProps & { readonly isAlone?: boolean }) => {
  const { t } = useTranslation('tokens');
  if (token.expired_time === NEVER_EXPIRES)
    return <span className="tone-muted">{t(isAlone ? 'expires.neverAlone' : 'expires.never')}</span>;
  return (
    <span>
      <TimeText at={token.expired_time} />
      <span className="cell-meta number">{formatTime(token.expired_time).slice(0, -3)}</span>
    </span>
  );
};
