import { IconX } from '@tabler/icons-react';
import { IconButton } from '../../kit/button.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { formatPercent, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { type Change, optionKeys, partMore, valueText } from './price-changes.ts';

interface DiffTableProps {
  readonly label: string;
  readonly diff: readonly Change[];
  /** Takes one out; without it the table is only looked at. */
  readonly onRemove?: (change: Change) => void;
}

/** More rows than anybody reads at once. */
const SHOWN = 200;

const percent = (part: number): string => `${part < 0 ? '−' : '+'}${formatPercent(Math.abs(part))}`;

const More = ({ change }: { readonly change: Change }) => {
  const { t } = useTranslation('price-book');
  const part = partMore(change.before, change.after);
  if (part !== undefined) return <span className={part > 0 ? 'tone-bad' : 'tone-ok'}>{percent(part)}</span>;
  if (change.before === null) return t('diff.added');
  return change.after === null ? t('diff.removed') : MISSING;
};

/** A table of changes: name, field, before, after. */
export const DiffTable = ({ label, diff, onRemove }: DiffTableProps) => {
  const { t } = useTranslation('price-book');
  // Wrapped in a box: a scrolling child of the dialog's grid would shrink to nothing.
  return (
    <div>
      <SmallTable
        label={label}
        columns={[
          { title: t('diff.name') },
          { title: t('diff.option') },
          { title: t('diff.before'), align: 'end' },
          { title: t('diff.after'), align: 'end' },
          { title: t('diff.more'), align: 'end' },
          ...(onRemove === undefined ? [] : [{ title: t('diff.take'), hidden: true }]),
        ]}
        rows={diff.slice(0, SHOWN).map((change) => ({
          id: `${change.option} ${change.key}`,
          cells: [
            <span key="name" className="price-name">
              {change.key}
            </span>,
            t(`option.${optionKeys[change.option]}`),
            <code key="before" className="price-value">
              {valueText(change.before) || MISSING}
            </code>,
            <code key="after" className="price-value">
              {valueText(change.after) || MISSING}
            </code>,
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
      {diff.length > SHOWN && <p className="meta">{t('diff.others', { count: diff.length - SHOWN })}</p>}
    </div>
  );
};
