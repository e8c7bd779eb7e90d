import { useTranslation } from '../../../lib/text/i18n.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { typeGuides } from '#contract/channel-types/type-guides.ts';
import { Combobox } from '../../../kit/fields/combobox/combobox.tsx';
import type { Choice } from '../../../kit/fields/combobox/use-combobox.ts';
import { ProviderIcon } from '../../../kit/provider-icon.tsx';
import { findTypes } from './find-types.ts';

interface TypeFieldProps {
  readonly label: string;
  /** A channel type's number as text. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const choiceOf = ({ id, label }: (typeof channelTypes)[number]): Choice => ({ value: String(id), label });
const choices = channelTypes.map(choiceOf);
const find = (search: string): readonly Choice[] => findTypes(search).map(choiceOf);

/** The channel type with its icon, searchable by all of its names. */
export const TypeField = ({ label, value, onChange }: TypeFieldProps) => {
  const { t, language } = useTranslation('channel-more');
  return (
    <Combobox
      label={label}
      required
      choices={choices}
      value={value}
      onChange={onChange}
      isSearchable
      find={find}
      takesBest
      nothingFound={t('form.noType')}
      lead={
        <span className="type-chosen">
          <ProviderIcon type={Number(value)} />
        </span>
      }
      draw={(choice) => (
        <span className="type-option">
          <ProviderIcon type={Number(choice.value)} />
          {choice.label}
          {language === 'zh' && (
            <span className="meta" aria-hidden>
              {typeGuides[Number(choice.value)]?.labelZh}
            </span>
          )}
        </span>
      )}
    />
  );
};
