import { useMemo, useState } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { MultiSelectField, TagsField } from '../../../kit/fields/list-field.tsx';
import { SelectField } from '../../../kit/fields/select-field.tsx';
import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import type { ChannelFieldsProps } from './channel-fields.ts';
import { listOf } from '../channel.ts';
import { FillModels } from './fill-models.tsx';
import { useGroupNames, useKnownModels } from '../use-channel-filters.ts';

const choicesOf = (names: readonly string[]) =>
  [...new Set(names)].map((name) => ({ value: name, label: name }));

/** The channel's models and groups. */
export const ModelFields = ({ form, before }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const known = useKnownModels();
  const groups = useGroupNames();
  const { models, groups: chosenGroups } = form.values;
  const groupChoices = useMemo(() => [...new Set([...groups, ...chosenGroups])], [groups, chosenGroups]);
  return (
    <>
      <div className="models-field">
        <TagsField
          label={t('form.models')}
          required
          placeholder={t('form.modelsPlaceholder')}
          choices={known}
          {...form.getInputProps('models')}
        />
      </div>
      <FillModels form={form} before={before} />
      <CustomModels form={form} />
      <div className="field-pair">
        <MultiSelectField
          label={t('form.groups')}
          placeholder={t('form.groupsPlaceholder')}
          choices={groupChoices}
          {...form.getInputProps('groups')}
        />
        <SelectField
          label={t('form.testModel')}
          hint={t('form.testModelHint')}
          clearable
          placeholder={models[0] ?? ''}
          choices={choicesOf(form.values.test_model === '' ? models : [...models, form.values.test_model])}
          {...form.getInputProps('test_model')}
        />
      </div>
    </>
  );
};

/** Custom model names, several at once; names already in the list are refused. */
const CustomModels = ({ form }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();

  const add = (): void => {
    const names = listOf(text.replaceAll('，', ','));
    if (names.length === 0) return;
    const fresh = names.filter((name) => !form.values.models.includes(name));
    setError(fresh.length < names.length ? t('invalid.duplicate') : undefined);
    if (fresh.length === 0) return;
    form.setFieldValue('models', [...form.values.models, ...fresh]);
    setText('');
  };
  return (
    <div
      className="models-custom"
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        add();
      }}
    >
      <TextField
        label={t('form.custom')}
        placeholder={t('form.customPlaceholder')}
        mono
        value={text}
        error={error}
        onChange={(next) => {
          setText(next);
          setError(undefined);
        }}
      />
      <Button onClick={add} disabled={text.trim() === ''}>
        {t('form.customAdd')}
      </Button>
    </div>
  );
};
