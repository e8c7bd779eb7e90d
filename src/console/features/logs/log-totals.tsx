import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { useView } from '../../kit/resource-table/use-view.ts';
import { formatCount, formatExact, formatQuota, formatQuotaExact, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { readStored, store } from '../../lib/browser/stored.ts';
import { loadLogStat } from './log-query.ts';

export const LOG_STAT = 'log-stat';
const HIDDEN_KEY = 'log-totals-hidden';
/** Rates of the last minute, so they are reloaded while the page is visible. */
const RATES_EVERY_MS = 15_000;

interface LogTotalsProps {
  readonly isAdmin: boolean;
  readonly filters: readonly Filter[];
}

/**
 * Quota used under the filters, and the last minute's calls and tokens. A click masks them against onlookers.
 */
export const LogTotals = ({ isAdmin, filters }: LogTotalsProps) => {
  const { t } = useTranslation('logs');
  const [isHidden, setHidden] = useState(() => readStored(HIDDEN_KEY) === 'true');
  const { view } = useView(filters);
  const { data } = useQuery({
    queryKey: [LOG_STAT, isAdmin, view.filters],
    queryFn: ({ signal }) => loadLogStat(isAdmin, view.filters, signal),
    placeholderData: keepPreviousData,
    enabled: !isHidden,
    refetchInterval: RATES_EVERY_MS,
  });
  const toggle = (): void => {
    store(HIDDEN_KEY, isHidden ? undefined : 'true');
    setHidden(!isHidden);
  };
  const shown = (text: string | undefined): string => (isHidden ? '•••' : (text ?? MISSING));
  return (
    <button type="button" className="log-totals" aria-pressed={isHidden} onClick={toggle}>
      <span className="hidden-visually">{t(isHidden ? 'totals.show' : 'totals.hide')}</span>
      <span className="log-figures">
        <Total name={t('totals.quota')} tip={data && formatQuotaExact(data.quota)} isHidden={isHidden}>
          {shown(data && formatQuota(data.quota))}
        </Total>
        {(['rpm', 'tpm'] as const).map((name) => (
          <Total
            key={name}
            name={name.toUpperCase()}
            tip={data && t(`totals.${name}`, { count: data[name], exact: formatExact(data[name]) })}
            isHidden={isHidden}
          >
            {shown(data && formatCount(data[name]))}
          </Total>
        ))}
      </span>
      {isHidden ? <IconEye size={16} aria-hidden /> : <IconEyeOff size={16} aria-hidden />}
    </button>
  );
};

interface TotalProps {
  readonly name: string;
  readonly tip: string | undefined;
  readonly isHidden: boolean;
  readonly children: ReactNode;
}

const Total = ({ name, tip, isHidden, children }: TotalProps) => (
  <span className="log-total" data-tip={isHidden ? undefined : tip}>
    <span className="meta">{name}</span>
    <span className="log-total-figure number">{children}</span>
  </span>
);
