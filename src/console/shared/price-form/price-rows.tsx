import './price-form.css';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { priceParts } from '#contract/options/price-dimensions.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { SharesDraft } from './price-draft.ts';

interface PriceRowsProps<Row> {
  readonly title: string;
  readonly about: string;
  readonly rows: readonly Row[];
  readonly fresh: Row;
  readonly onChange: (rows: readonly Row[]) => void;
  /** The fields of a row; `edit` changes some of its values. */
  readonly children: (row: Row, at: number, edit: (change: Partial<Row>) => void) => ReactNode;
}

/** One kind of dimension: its rows, each with its fields, and a button for one more. */
export const PriceRows = <Row,>({ title, about, rows, fresh, onChange, children }: PriceRowsProps<Row>) => {
  const { t } = useTranslation('price-form');
  return (
    <section className="price-rows" aria-label={title}>
      <h3>{title}</h3>
      <p className="field-hint">{about}</p>
      {rows.map((row, at) => (
        // Rows are keyed by index, because two tiers may have the same name while typing.
        <fieldset key={at} className="price-row">
          <legend className="hidden-visually">{`${title} ${String(at + 1)}`}</legend>
          <div className="price-row-fields">
            {children(row, at, (change) => onChange(rows.with(at, { ...row, ...change })))}
          </div>
          <IconButton
            label={t('remove', { name: `${title} ${String(at + 1)}` })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <IconTrash size={16} />
          </IconButton>
        </fieldset>
      ))}
      <Button size="small" icon={<IconPlus size={15} />} onClick={() => onChange([...rows, fresh])}>
        {t('add', { name: title })}
      </Button>
    </section>
  );
};

interface ShareFieldsProps {
  readonly shares: SharesDraft;
  /** One factor for all parts may be given instead. */
  readonly hasAll?: boolean;
  /** Only the prompt has an excess. */
  readonly isPromptOnly?: boolean;
  readonly isWrong: (field: string) => boolean;
  readonly onChange: (shares: SharesDraft) => void;
}

/** The factors of the price's parts: one for all, or one for each. */
export const ShareFields = ({ shares, hasAll, isPromptOnly, isWrong, onChange }: ShareFieldsProps) => {
  const { t } = useTranslation('price-form');
  const hasParts = priceParts.some((part) => shares[part] !== undefined);
  const fields = [...(hasAll === true ? (['all'] as const) : []), ...priceParts];
  const isShut = (name: (typeof fields)[number]): boolean => {
    if (name === 'all') return hasParts;
    const isOutside = isPromptOnly === true && (name === 'output' || name === 'call');
    return shares.all !== undefined || (isOutside && shares[name] === undefined);
  };
  return fields.map((name) => (
    <NumberField
      key={name}
      label={t(`part.${name}`)}
      value={shares[name]}
      min={0}
      max={1000}
      step="any"
      unit="×"
      disabled={isShut(name)}
      error={isWrong(name) ? t(isPromptOnly === true ? 'wrong.excess' : 'wrong.factor') : undefined}
      onChange={(factor) => {
        const { [name]: _, ...others } = shares;
        onChange(factor === undefined ? others : { ...others, [name]: factor });
      }}
    />
  ));
};
