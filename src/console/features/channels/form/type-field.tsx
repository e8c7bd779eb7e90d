import { Select } from '@mantine/core';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { channelType, channelTypes } from '#contract/channel-types.ts';
import { typeGuides } from '#contract/channel-types/type-guides.ts';
import { searchedAnew, useChoiceList } from '../../../kit/fields/use-choice-list.ts';
import { MantineScope } from '../../../kit/mantine-scope.tsx';
import { ProviderIcon } from '../../../kit/provider-icon.tsx';
import { findTypes } from './find-types.ts';

interface TypeFieldProps {
  readonly label: string;
  /** A channel type's number as text. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const choiceOf = ({ id, label }: (typeof channelTypes)[number]) => ({ value: String(id), label });
const choices = channelTypes.map(choiceOf);

/** The channel type with its icon, searchable by all of its names. */
export const TypeField = ({ label, value, onChange }: TypeFieldProps) => {
  const { t, language } = useTranslation('channel-more');
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
        filter={({ search, limit }) => findTypes(search).slice(0, limit).map(choiceOf)}
        selectFirstOptionOnChange
        nothingFoundMessage={t('form.noType')}
        leftSection={
          <span className="type-chosen">
            <ProviderIcon type={Number(value)} />
          </span>
        }
        leftSectionPointerEvents="none"
        {...useChoiceList(
          label,
          choices.length,
          choices.findIndex((choice) => choice.value === value),
        )}
        {...searchedAnew(channelType(Number(value))?.label)}
        renderOption={({ option }) => (
          <span className="type-option">
            <ProviderIcon type={Number(option.value)} />
            {option.label}
            {language === 'zh' && (
              <span className="meta" aria-hidden>
                {typeGuides[Number(option.value)]?.labelZh}
              </span>
            )}
          </span>
        )}
      />
    </MantineScope>
  );
};
