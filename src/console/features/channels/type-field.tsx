import { Select } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { choiceList } from '../../kit/fields/choice-list.ts';
import { MantineScope } from '../../kit/mantine-scope.tsx';
import { ProviderIcon } from '../../kit/provider-icon.tsx';

interface TypeFieldProps {
  readonly label: string;
  /** A channel type's number as text. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const choices = channelTypes.map((type) => ({ value: String(type.id), label: type.label }));

/** The kind of upstream, by its mark and name. */
export const TypeField = ({ label, value, onChange }: TypeFieldProps) => {
  const { t } = useTranslation();
  return (
    <MantineScope>
      <Select
        label={label}
        withAsterisk
        data={choices}
        value={value}
        onChange={(next) => next !== null && onChange(next)}
        allowDeselect={false}
        searchable
        selectFirstOptionOnChange
        nothingFoundMessage={t('field.nothingFound')}
        leftSection={
          <span className="type-chosen">
            <ProviderIcon type={Number(value)} />
          </span>
        }
        leftSectionPointerEvents="none"
        {...choiceList(label)}
        renderOption={({ option }) => (
          <span className="type-option">
            <ProviderIcon type={Number(option.value)} />
            {option.label}
          </span>
        )}
      />
    </MantineScope>
  );
};
