import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Segmented } from '../../kit/segmented.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { formatExact, formatQuotaExact } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useIsPhone } from '../../lib/browser/media.ts';
import type { UrlState } from '../../lib/browser/url-state.ts';
import { amountsWithRest } from './exact-amounts.ts';
import { type Owner, type Sums, sumsQuery } from './statement-calls.ts';

type By = 'token' | 'tag';

interface SumsSectionProps {
  readonly owner: Owner;
  readonly state: UrlState;
}

/** The usage of the running month by token or tag, each with a link to its statements. */
export const SumsSection = ({ owner, state }: SumsSectionProps) => {
  const { t } = useTranslation('statements');
  const [by, setBy] = useState<By>('token');
  const [month] = useState(() => new Date().toISOString().slice(0, 7));
  const sums = useQuery(sumsQuery(owner, month, by));
  return (
    <section>
      <div className="statement-sums-head">
        <h2>{t('soFar', { month })}</h2>
        <Segmented
          label={t('splitBy')}
          value={by}
          onChange={setBy}
          options={[
            { value: 'token', label: t('token') },
            { value: 'tag', label: t('tag') },
          ]}
        />
      </div>
      {sums.isError ? (
        <ErrorState error={sums.error} onRetry={() => void sums.refetch()} />
      ) : sums.data === undefined ? (
        <Skeleton height={120} />
      ) : (
        <SumsTable sums={sums.data} by={by} state={state} />
      )}
    </section>
  );
};

const SumsTable = ({
  sums,
  by,
  state,
}: {
  readonly sums: Sums;
  readonly by: By;
  readonly state: UrlState;
}) => {
  const { t } = useTranslation('statements');
  const isPhone = useIsPhone();
  if (sums.lines.length === 0) return <p className="tone-muted">{t('noneYet')}</p>;
  const nameOf = ({ token_id: id, name }: Sums['lines'][number]) => {
    const isOne = by === 'tag' ? name !== '' : id !== 0;
    if (!isOne) return by === 'tag' ? t('noTag') : t('noToken');
    return (
      <Link
        to="."
        search={{ ...state, ...(by === 'tag' ? { tag: name } : { token: String(id) }) }}
        className="link"
      >
        {name || `#${id}`}
      </Link>
    );
  };
  const { amounts, restUnits, rest, total } = amountsWithRest(
    sums.lines.map(({ units }) => units),
    sums.total_units,
  );
  const amount = (units: number, text: string | undefined) => (
    <span key="units" className="number nowrap" data-tip={formatQuotaExact(units)}>
      {text}
    </span>
  );
  const rows = sums.lines.map((line, at) => ({
    id: `${line.token_id} ${line.name}`,
    cells: [
      nameOf(line),
      formatExact(line.calls),
      formatExact(line.prompt_tokens),
      formatExact(line.completion_tokens),
      amount(line.units, amounts[at]),
    ],
  }));
  const added = (part: 'calls' | 'prompt_tokens' | 'completion_tokens'): number =>
    sums.lines.reduce((before, line) => before + line[part], 0);
  // Only if the list is complete: the server's totals include lines that it does not list.
  const isWhole = added('calls') === sums.total_calls;
  const tokens = (part: 'prompt_tokens' | 'completion_tokens') => (isWhole ? formatExact(added(part)) : '');
  // The list is of the largest only.
  if (!isWhole)
    rows.push({
      id: 'rest',
      cells: [t('rest'), formatExact(sums.total_calls - added('calls')), '', '', amount(restUnits, rest)],
    });
  const totalRow = {
    id: 'total',
    cells: [
      t('total'),
      formatExact(sums.total_calls),
      tokens('prompt_tokens'),
      tokens('completion_tokens'),
      amount(sums.total_units, total),
    ],
  };
  return (
    <SmallTable
      label={t('soFar', { month: sums.month })}
      isStackable
      columns={[
        { title: by === 'tag' ? t('tag') : t('token') },
        { title: t('calls'), align: 'end' },
        { title: t('input'), align: 'end' },
        { title: t('output'), align: 'end' },
        { title: t('amount'), align: 'end' },
      ]}
      rows={isPhone ? [...rows, totalRow] : rows}
      foot={[totalRow]}
    />
  );
};
