import { type SyntheticEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { SelectField } from '../../kit/fields/select-field.tsx';
import { priceOptions } from '#contract/price-book.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { type Entry, isPriceOption, optionKeys, valueFrom } from './price-changes.ts';

/** One more change: a field, a name, a value. */
export const AddEntry = ({ onAdd }: { readonly onAdd: (entry: Entry) => void }) => {
  const { t } = useTranslation('price-book');
  const [option, setOption] = useState<Entry['option']>('ModelRatio');
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const value = valueFrom(text);
  const add = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (value === undefined || key.trim() === '') return;
    onAdd({ option, key: key.trim(), value });
    setKey('');
    setText('');
    event.currentTarget.querySelector<HTMLInputElement>('[name=name]')?.focus();
  };
  return (
    <form className="price-add" noValidate onSubmit={add}>
      <SelectField
        label={t('diff.option')}
        value={option}
        choices={priceOptions.map((one) => ({ value: one, label: t(`option.${optionKeys[one]}`) }))}
        onChange={(chosen) => isPriceOption(chosen) && setOption(chosen)}
      />
      <TextField label={t('diff.name')} name="name" value={key} maxLength={255} onChange={setKey} />
      <TextField
        label={t('add.value')}
        value={text}
        mono
        hint={t('add.hint')}
        error={value === undefined ? t('add.wrong') : undefined}
        onChange={setText}
      />
      <Button type="submit" disabled={value === undefined || key.trim() === ''}>
        {t('add.add')}
      </Button>
    </form>
  );
};
