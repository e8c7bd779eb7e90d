import { useState } from 'react';
import { comparePrices } from '#contract/api/wallet/price-previews.ts';
import type { Data } from '#contract/endpoint.ts';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { Notice } from '../../kit/states.tsx';
import { Chip } from '../../kit/status.tsx';
import { callWhole } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { formatExact, formatPercent, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { newDraft } from './draft-dialog.tsx';
import { optionKeys, partMore, PRICE_BOOK } from './price-changes.ts';

type Row = Data<typeof comparePrices>[number];

interface CompareDialogProps {
  readonly onDraft: (id: number) => void;
  readonly onClose: () => void;
}

const nameOf = ({ option, key }: Row): string => `${option} ${key}`;
/** The most rows that are shown. */
const SHOWN = 500;
/** The first of them, without half of a model's: ratios of a model are one price. */
const wholeModels = (found: readonly Row[]): readonly Row[] =>
  found.slice(0, SHOWN).filter(({ key }) => key !== found[SHOWN]?.key);

/** What differs from a list, and how many units to the dollar its ratios were taken at, if it has any. */
const compared = async (url: string, units: number | undefined) => {
  const body = url === '' ? {} : { url, ...(units !== undefined && { quota_per_unit: units }) };
  const { data: rows, quota_per_unit: taken, is_told: isTold } = await callWhole(comparePrices, { body });
  return { rows, units: typeof taken === 'number' ? taken : undefined, isTold: isTold === true };
};

/** The prices that differ from a published list; each can be taken into a draft. */
const CompareDialog = ({ onDraft, onClose }: CompareDialogProps) => {
  const { t } = useTranslation('price-book');
  const [url, setUrl] = useState('');
  const [units, setUnits] = useState<number | undefined>();
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const compare = useAction({
    run: () => compared(url.trim(), units),
    quiet: true,
  });
  const rows = wholeModels(compare.data?.rows ?? []);
  const chosen = rows.filter((row) => taken.has(nameOf(row)));
  const make = useAction({
    run: () => newDraft(chosen.map(({ option, key, after }) => ({ option, key, value: after }))),
    refresh: [PRICE_BOOK],
  });
  const read = (): void =>
    compare.mutate(undefined, {
      onSuccess: (found) => setTaken(new Set(found.rows.filter(({ held }) => held === 'none').map(nameOf))),
    });
  const foot = (
    <Button
      variant="primary"
      disabled={chosen.length === 0}
      busy={make.isPending}
      onClick={() => make.mutate(undefined, { onSuccess: onDraft })}
    >
      {t('compare.take', { count: chosen.length })}
    </Button>
  );
  return (
    <Dialog title={t('compare.title')} onClose={onClose} width={860} foot={foot} isInAddress losesNothing>
      <p className="tone-muted">{t('compare.about')}</p>
      <div className="price-compare">
        <TextField
          label={t('compare.url')}
          hint={t('compare.urlHint')}
          type="url"
          value={url}
          maxLength={2048}
          onChange={setUrl}
        />
        <Button busy={compare.isPending} onClick={read}>
          {t('compare.read')}
        </Button>
      </div>
      {compare.error !== null && <Notice tone="bad">{messageOf(compare.error)}</Notice>}
      {url.trim() !== '' && (
        <NumberField
          label={t('compare.units')}
          hint={t('compare.unitsHint', { units: formatExact(QUOTA_PER_UNIT) })}
          min={1}
          value={units}
          onChange={setUnits}
        />
      )}
      {compare.data?.units !== undefined && (
        <p className="tone-muted">
          {t(compare.data.isTold ? 'compare.told' : 'compare.untold', {
            units: formatExact(compare.data.units),
          })}
        </p>
      )}
      {compare.data?.rows.length === 0 && <p>{t('compare.same')}</p>}
      {rows.length > 0 && (
        <div>
          <SmallTable
            label={t('compare.title')}
            columns={[
              { title: t('compare.taken'), hidden: true },
              { title: t('diff.name') },
              { title: t('diff.option') },
              { title: t('diff.before'), align: 'end' },
              { title: t('diff.after'), align: 'end' },
              { title: t('diff.more'), align: 'end' },
            ]}
            rows={rows.map((row) => {
              const part = partMore(row.before, row.after);
              return {
                id: nameOf(row),
                cells: [
                  <input
                    key="take"
                    type="checkbox"
                    className="checkbox"
                    aria-label={t('compare.takeOne', { name: row.key })}
                    checked={taken.has(nameOf(row))}
                    disabled={row.held === 'flip'}
                    onChange={() => setTaken((before) => before.symmetricDifference(new Set([nameOf(row)])))}
                  />,
                  <span key="name" className="price-name">
                    {row.key}{' '}
                    {row.held !== 'none' && <Chip tone="warn">{t(`compare.held.${row.held}`)}</Chip>}
                  </span>,
                  t(`option.${optionKeys[row.option]}`),
                  row.before ?? MISSING,
                  row.after,
                  part === undefined ? MISSING : `${part < 0 ? '−' : '+'}${formatPercent(Math.abs(part))}`,
                ],
              };
            })}
          />
        </div>
      )}
    </Dialog>
  );
};

export default CompareDialog;
