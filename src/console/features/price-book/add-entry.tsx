import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react';
import { listOptions } from '#contract/api/site/options.ts';
import { parsed } from '#contract/json-text.ts';
import { type PriceOption, priceOptions } from '#contract/price-book.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/fields/select-field.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { NameField } from '../../shared/price-form/name-field.tsx';
import { EntryValue } from './entry-value.tsx';
import {
  type Change,
  type Entry,
  isOfModels,
  isPriceOption,
  namesIn,
  optionKeys,
  PRICE_BOOK,
  type Value,
  valueIn,
} from './price-changes.ts';

interface AddEntryProps {
  /** The changes that are in the draft already. */
  readonly diff: readonly Change[];
  readonly onAdd: (entry: Entry) => void;
  /** Whether something is entered that is not added yet. */
  readonly onHalf: (isHalf: boolean) => void;
}

/** Adds a change: option, name, and its new value or none. */
export const AddEntry = ({ diff, onAdd, onHalf }: AddEntryProps) => {
  const { t } = useTranslation('price-book');
  const [option, setOption] = useState<PriceOption>('ModelRatio');
  const [name, setName] = useState('');
  const [action, setAction] = useState<'set' | 'remove'>('set');
  const [value, setValue] = useState<Value>();
  const [added, setAdded] = useState(0);
  const tables = useTables();
  const key = name.trim();
  const entered = action === 'remove' ? null : value;
  const isReady = key !== '' && entered !== undefined;
  const isHalf = key !== '' || value !== undefined;
  const tellHalf = useEffectEvent(onHalf);
  useEffect(() => {
    tellHalf(isHalf);
  }, [isHalf]);
  const add = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isReady) return;
    onAdd({ option, key, value: entered });
    setName('');
    setValue(undefined);
    setAdded(added + 1);
    event.currentTarget.querySelector<HTMLInputElement>('[name=name]')?.focus();
  };
  const own = diff.find((change) => change.option === option && change.key === key);
  const from = own === undefined ? valueIn(tables?.get(option), key) : own.after;
  const isWhole = option === 'PriceDimensions' || option === 'GroupGroupRatio';
  // Another name remounts the fields, so that they start with its current value.
  const fieldsKey = [option, added, ...(isWhole ? [key] : [])].join('\n');
  return (
    <form className="price-add" noValidate onSubmit={add}>
      <div className="price-add-fields">
        <SelectField
          label={t('diff.option')}
          value={option}
          choices={priceOptions.map((one) => ({ value: one, label: t(`option.${optionKeys[one]}`) }))}
          onChange={(chosen) => {
            if (!isPriceOption(chosen)) return;
            setOption(chosen);
            setValue(undefined);
          }}
        />
        <NameField
          label={t(`add.${nameKinds[option] ?? 'model'}`)}
          value={name}
          known={namesIn(tables, option)}
          onChange={(typed) => {
            setName(typed);
            if (isWhole) setValue(undefined);
          }}
        />
        <Segmented
          label={t('add.action')}
          value={action}
          options={(['set', 'remove'] as const).map((one) => ({ value: one, label: t(`add.${one}`) }))}
          onChange={setAction}
        />
      </div>
      {action === 'remove' ? (
        <p className="meta">{t(isOfModels(option) ? 'add.listed' : 'add.gone')}</p>
      ) : isWhole && (key === '' || tables === undefined) ? (
        <p className="meta">{t('add.nameFirst')}</p>
      ) : (
        <EntryValue key={fieldsKey} option={option} from={from} onChange={setValue} />
      )}
      <Button type="submit" disabled={!isReady}>
        {t('add.add')}
      </Button>
    </form>
  );
};

/** What an option's names are, if they are not models. */
const nameKinds: Readonly<Partial<Record<PriceOption, 'tool' | 'group' | 'userGroup'>>> = {
  'tool_price_setting.prices': 'tool',
  GroupRatio: 'group',
  GroupGroupRatio: 'userGroup',
};

/** The current values, by option; undefined until they are loaded. */
const useTables = (): ReadonlyMap<PriceOption, unknown> | undefined =>
  useQuery({
    queryKey: [PRICE_BOOK, 'tables'],
    queryFn: async ({ signal }) =>
      new Map(
        (await call(listOptions, {}, signal)).flatMap(({ key, value }) =>
          isPriceOption(key) ? [[key, parsed(value)] as const] : [],
        ),
      ),
    meta: { isAside: true },
  }).data;
