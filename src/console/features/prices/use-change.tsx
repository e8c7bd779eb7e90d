import { useState } from 'react';
import { TextField } from '../../kit/fields/text-field.tsx';
import { TimeField } from '../../kit/fields/time-field.tsx';
import { formatTime } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { savePrices } from './price-calls.ts';
import type { PriceChange, PricedModel } from './price.ts';

/**
 * The reason and time of a price change, for the price book. A reason is prefilled, so that one click still changes a
 * price. @param usual the prefilled reason
 */
export const useChange = (usual: string) => {
  const { t } = useTranslation('prices');
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState<number>();
  const reason = typed ?? usual;
  return {
    /** @param rows what the changed models were when they were looked at */
    save: (changes: readonly PriceChange[], rows: readonly PricedModel[]) =>
      savePrices(changes, { reason: reason.trim() === '' ? usual : reason, at, base: baseOf(rows) }),
    /** The message on success. @param version the new one, if the change does not wait for an approval */
    saidOf: (done: string, version: number | undefined): string => {
      if (version === undefined) return t('change.waiting');
      return at === undefined ? done : t('change.scheduled', { time: formatTime(at) });
    },
    isNow: at === undefined,
    fields: (
      <div className="price-change">
        <TextField label={t('change.reason')} value={reason} maxLength={500} onChange={setTyped} />
        <TimeField label={t('change.at')} hint={t('change.atHint')} value={at} onChange={setAt} />
      </div>
    ),
  };
};

/** The oldest version that any of the rows was read at. */
const baseOf = (rows: readonly PricedModel[]): number | undefined =>
  rows.length === 0 ? undefined : Math.min(...rows.map(({ version }) => version));
