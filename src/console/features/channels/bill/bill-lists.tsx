import { useState } from 'react';
import { type ComparedList, comparedLists } from '#contract/channel/reconcile.ts';
import { Button } from '../../../kit/button.tsx';
import { SearchInput } from '../../../kit/search-input.tsx';
import { Segmented } from '../../../kit/segmented.tsx';
import { EmptyState } from '../../../kit/states.tsx';
import { SmallTable } from '../../../kit/tables/small-table.tsx';
import { formatTime, MISSING } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import {
  type BillLine,
  type Compared,
  formatDifference,
  formatMeasure,
  linesWith,
  type Measure,
} from './bill.ts';

const SHOWN = 100;

/** The four lists, one at a time. */
export const BillLists = ({ compared }: { readonly compared: Compared }) => {
  const { t } = useTranslation('channel-bill');
  const first = comparedLists.find((one) => compared.lists[one].count > 0) ?? 'matched';
  const [list, setList] = useState<ComparedList>(first);
  const [text, setText] = useState('');
  const [most, setMost] = useState(SHOWN);
  const { lines, count } = compared.lists[list];
  const found = linesWith(lines, text);
  const choose = (next: ComparedList): void => {
    setList(next);
    setMost(SHOWN);
  };
  return (
    <section className="bill-lists">
      <div className="bill-buttons">
        <Segmented
          label={t('lists')}
          value={list}
          options={comparedLists.map((value) => ({
            value,
            label: t(`list.${value}`),
            count: compared.lists[value].count,
          }))}
          onChange={choose}
        />
        <SearchInput label={t('search')} value={text} onChange={setText} />
      </div>
      <p className="meta">{t(`listAbout.${list}`)}</p>
      {found.length === 0 ? (
        <EmptyState text={t('noLines')} />
      ) : (
        <Lines compared={compared} lines={found.slice(0, most)} label={t(`list.${list}`)} />
      )}
      {found.length > most && (
        <div>
          <Button onClick={() => setMost(most + SHOWN)}>{t('moreLines')}</Button>
        </div>
      )}
      {count > lines.length && <p className="meta">{t('cut', { most: lines.length })}</p>}
    </section>
  );
};

interface LinesProps {
  readonly compared: Compared;
  readonly lines: readonly BillLine[];
  readonly label: string;
}

const Lines = ({ compared, lines, label }: LinesProps) => {
  const { t } = useTranslation('channel-bill');
  const { measures, currency, by } = compared;
  const refs = by === 'call' ? [{ title: t('line') }, { title: t('request') }] : [];
  return (
    <SmallTable
      label={label}
      isStackable
      columns={[
        { title: t(by === 'call' ? 'time' : 'day') },
        { title: t('model') },
        ...refs,
        ...measures.map((measure) => ({ title: t(`measures.${measure}`), align: 'end' as const })),
      ]}
      rows={lines.map((line, at) => ({
        id: `${at} ${line.theirs?.ref ?? ''} ${line.ours?.ref ?? ''}`,
        cells: [
          timeOf(line, compared),
          <span key="model" className="mono bill-model">
            {line.model || MISSING}
          </span>,
          ...(by === 'call' ? [line.theirs?.ref || MISSING, <Ref key="ref" of={line.ours?.ref} />] : []),
          ...measures.map((measure) => (
            <Both key={measure} line={line} measure={measure} currency={currency} />
          )),
        ],
      }))}
    />
  );
};

const timeOf = ({ theirs, ours }: BillLine, { by, days }: Compared): string => {
  const at = theirs?.at ?? ours?.at ?? 0;
  // Days begin where the file's zone says.
  if (by === 'day') return days.find(({ at: start }) => start === at)?.day ?? MISSING;
  return formatTime(at / 1000);
};

const Ref = ({ of }: { readonly of: string | undefined }) =>
  of === undefined || of === '' ? MISSING : <span className="mono bill-model">{of}</span>;

interface BothProps {
  readonly line: BillLine;
  readonly measure: Measure;
  readonly currency: string;
}

/** What both sides state; the difference below it if there is one. */
const Both = ({ line: { theirs, ours }, measure, currency }: BothProps) => {
  const [other, own] = [theirs?.[measure] ?? undefined, ours?.[measure] ?? undefined];
  const shown = (value: number | undefined): string =>
    value === undefined ? MISSING : formatMeasure(measure, value, currency);
  if (theirs === null || ours === null) return shown(theirs === null ? own : other);
  if (other === own) return shown(own);
  return (
    <>
      {`${shown(other)} → ${shown(own)}`}
      {other !== undefined && own !== undefined && (
        <div className="meta">{formatDifference(measure, own - other, currency)}</div>
      )}
    </>
  );
};
