import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { PRICE_DIFF_MAX } from '#contract/price-book.ts';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { dollarsOfRatio } from '#contract/model-dollars.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { formatExactPrice, formatPercent, MISSING } from '../../lib/text/format.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { type Change, isOfModels, optionKeys, partMore, type Value, valueText } from './price-changes.ts';
import { valueLines } from './value-words.ts';

interface DiffTableProps {
  readonly label: string;
  readonly diff: readonly Change[];
  /** Removes a change; without it the table is read-only. */
  readonly onRemove?: (change: Change) => void;
}

/** The rows that are shown at first, and that each further look adds: whoever approves must be able to see all. */
const SHOWN = 200;
const MORE = 1000;

const percent = (part: number): string => `${part < 0 ? '−' : '+'}${formatPercent(Math.abs(part))}`;

const More = ({ change }: { readonly change: Change }) => {
  const { t } = useTranslation('price-book');
  const part = partMore(change.before, change.after);
  if (part !== undefined) return <span className={part > 0 ? 'tone-bad' : 'tone-ok'}>{percent(part)}</span>;
  if (isOfModels(change.option)) return MISSING;
  if (change.before === null) return t('diff.added');
  return change.after === null ? t('diff.removed') : MISSING;
};

/** A ratio with the price it makes, as the list of prices says it; a price per call as that. */
const NumberShown = ({ option, value }: { readonly option: Change['option']; readonly value: number }) => {
  const { t } = useTranslation('price-book');
  const perRatio = dollarsOfRatio(useSiteStatus()?.quota_per_unit ?? QUOTA_PER_UNIT);
  if (option === 'ModelPrice') return <span className="number nowrap">{formatExactPrice(value)}</span>;
  return (
    <>
      <code className="nowrap">{value}</code>
      {option === 'ModelRatio' && (
        <p className="meta number nowrap">
          {t('diff.perMillion', { price: formatExactPrice(value * perRatio) })}
        </p>
      )}
    </>
  );
};

/** A number, or a rule in words. */
const Shown = ({ change, value }: { readonly change: Change; readonly value: Value }) => {
  const { t: book } = useTranslation('price-book');
  const { t: form } = useTranslation('price-form');
  const lines = valueLines(change.option, value, { book, form });
  // What counts then, which the list may not have either.
  if (value === null)
    return isOfModels(change.option) ? <span className="tone-muted">{book('diff.listed')}</span> : MISSING;
  if (typeof value === 'number') return <NumberShown option={change.option} value={value} />;
  if (lines === undefined) return <code className="price-value">{valueText(value)}</code>;
  return (
    <ul className="price-words">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
};

/** A table of changes: name, field, before, after. */
export const DiffTable = ({ label, diff, onRemove }: DiffTableProps) => {
  const { t } = useTranslation('price-book');
  const [shown, setShown] = useState(SHOWN);
  const left = diff.length - shown;
  // Wrapped in a box: a scrolling child of the dialog's grid would shrink to nothing.
  return (
    <div>
      <SmallTable
        label={label}
        isStackable={onRemove === undefined}
        columns={[
          { title: t('diff.name') },
          { title: t('diff.option') },
          { title: t('diff.before'), align: 'end' },
          { title: t('diff.after'), align: 'end' },
          { title: t('diff.more'), align: 'end' },
          ...(onRemove === undefined ? [] : [{ title: t('diff.take'), hidden: true }]),
        ]}
        rows={diff.slice(0, shown).map((change) => ({
          id: `${change.option} ${change.key}`,
          cells: [
            <span key="name" className="price-name">
              {change.key}
            </span>,
            t(`option.${optionKeys[change.option]}`),
            <Shown key="before" change={change} value={change.before} />,
            <Shown key="after" change={change} value={change.after} />,
            <More key="more" change={change} />,
            ...(onRemove === undefined
              ? []
              : [
                  <IconButton
                    key="take"
                    label={t('diff.takeOut', { name: change.key })}
                    onClick={() => onRemove(change)}
                  >
                    <IconX size={15} />
                  </IconButton>,
                ]),
          ],
        }))}
      />
      {left > 0 && (
        <Button size="small" onClick={() => setShown(shown + MORE)}>
          {t('diff.others', { count: Math.min(MORE, left) })}
        </Button>
      )}
      {diff.length === PRICE_DIFF_MAX && <p className="meta">{t('diff.cut', { most: PRICE_DIFF_MAX })}</p>}
    </div>
  );
};
