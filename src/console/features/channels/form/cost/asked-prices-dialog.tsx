import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askPrices } from '#contract/api/channels/channel-checks.ts';
import { Button } from '../../../../kit/button.tsx';
import { Dialog } from '../../../../kit/dialogs/dialog.tsx';
import { NumberField } from '../../../../kit/fields/number-field.tsx';
import { SelectField } from '../../../../kit/fields/select-field.tsx';
import { ErrorState, Notice } from '../../../../kit/states.tsx';
import { SmallTable } from '../../../../kit/tables/small-table.tsx';
import { call } from '../../../../lib/server/api.ts';
import { useTranslation } from '../../../../lib/text/i18n.ts';
import { type Asked, type AskedChannel, type AskedRow, askedRows, usualGroup } from './asked-prices.ts';
import { amountText, type CostRow, furtherText } from './channel-cost.ts';
import { listed } from '../../../../lib/text/format.ts';

interface AskedPricesProps {
  readonly asked: () => AskedChannel;
  /** The table as it stands. */
  readonly rows: readonly CostRow[];
  readonly currency: string;
  readonly onTake: (rows: readonly CostRow[]) => void;
  readonly onClose: () => void;
}

/** What the upstream asks for the channel's models, to be taken over row by row. */
const AskedPrices = ({ asked, ...shown }: AskedPricesProps) => {
  const { t } = useTranslation('channel-more');
  const prices = useQuery({
    queryKey: ['asked-prices'],
    queryFn: ({ signal }) => call(askPrices, { body: asked() }, signal),
    retry: false,
    // Asked anew only by who opens it anew.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (prices.data !== undefined) return <Compared asked={prices.data} {...shown} />;
  return (
    <Dialog title={t('cost.asked.title')} width={820} onClose={shown.onClose}>
      {prices.isError ? (
        <ErrorState error={prices.error} onRetry={() => void prices.refetch()} />
      ) : (
        <p role="status">{t('cost.asked.asking')}</p>
      )}
    </Dialog>
  );
};

const Compared = ({
  asked,
  rows,
  currency,
  onTake,
  onClose,
}: Omit<AskedPricesProps, 'asked'> & { readonly asked: Asked }) => {
  const { t } = useTranslation('channel-more');
  const [group, setGroup] = useState(() => usualGroup(asked.groups));
  const [paid, setPaid] = useState<number | undefined>(1);
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const ratio = asked.groups.find(({ name }) => name === group)?.ratio ?? 1;
  const found = askedRows(asked.prices, rows, ratio * (paid ?? 1));
  const changed = found.filter(({ isSame }) => !isSame);
  const isTicked = ({ row, doubt }: AskedRow): boolean => (doubt === undefined) !== turned.has(row.model);
  const taken = changed.filter(isTicked).map(({ row }) => row);
  const turn = (model: string): void => {
    const next = new Set(turned);
    if (!next.delete(model)) next.add(model);
    setTurned(next);
  };
  const foot = (
    <>
      <span className="drawer-extra" />
      <Button onClick={onClose}>{t('form.pick.cancel')}</Button>
      <Button variant="primary" disabled={taken.length === 0} onClick={() => onTake(taken)}>
        {t('cost.asked.take', { count: taken.length })}
      </Button>
    </>
  );
  return (
    <Dialog title={t('cost.asked.title')} width={820} onClose={onClose} foot={foot}>
      <div className="field-pair">
        {asked.groups.length > 0 && (
          <SelectField
            label={t('cost.asked.group')}
            hint={t('cost.asked.groupHint')}
            value={group}
            onChange={setGroup}
            choices={asked.groups.map(({ name, ratio: times }) => ({
              value: name,
              label: `${name} × ${times}`,
            }))}
          />
        )}
        <NumberField
          label={t('cost.asked.paid', { currency })}
          hint={t('cost.asked.paidHint')}
          min={0}
          max={1000}
          step="any"
          value={paid}
          onChange={setPaid}
        />
      </div>
      {changed.length > 0 && <p className="meta">{t('cost.asked.unit', { currency })}</p>}
      {changed.length > 0 && (
        <SmallTable
          isStackable
          label={t('cost.asked.title')}
          columns={[
            { title: t('cost.asked.model') },
            { title: t('cost.asked.now') },
            { title: t('cost.asked.there') },
          ]}
          rows={changed.map((one) => ({
            id: one.row.model,
            cells: [
              <label key="model" className="asked-model mono">
                <input
                  type="checkbox"
                  className="checkbox"
                  checked={isTicked(one)}
                  onChange={() => turn(one.row.model)}
                />
                {one.row.model}
              </label>,
              one.now === undefined ? (
                <span key="now" className="meta">
                  {t('cost.asked.none')}
                </span>
              ) : (
                <Prices key="now" row={one.now} />
              ),
              <AskedPrice key="there" asked={one} />,
            ],
          }))}
        />
      )}
      {changed.length < found.length && (
        <p className="meta">{t('cost.asked.same', { count: found.length - changed.length })}</p>
      )}
      {found.length === 0 && <Notice tone="warn">{t('cost.asked.nothing')}</Notice>}
      {asked.unpriced.length > 0 && (
        <p className="meta">{t('cost.asked.unpriced', { models: listed(asked.unpriced) })}</p>
      )}
    </Dialog>
  );
};

const AskedPrice = ({ asked: { row, doubt } }: { readonly asked: AskedRow }) => {
  const { t } = useTranslation('channel-more');
  return (
    <>
      <Prices row={row} />
      {doubt !== undefined && <p className="meta tone-warn">{t(`cost.asked.doubt.${doubt}`)}</p>}
    </>
  );
};

const Prices = ({ row }: { readonly row: CostRow }) => {
  const { t } = useTranslation('channel-more');
  const { input, output, cacheRead, call: perCall } = row;
  const further = furtherText(row, t);
  if (perCall !== undefined)
    return <span className="number">{t('cost.asked.call', { call: amountText(perCall) })}</span>;
  const parts = [
    input !== undefined && t('cost.asked.input', { input: amountText(input) }),
    output !== undefined && t('cost.asked.output', { output: amountText(output) }),
    cacheRead !== undefined && t('cost.asked.cached', { cached: amountText(cacheRead) }),
    further !== '' && further,
  ];
  return <span className="number">{parts.filter((part) => part !== false).join(' · ')}</span>;
};

export default AskedPrices;
