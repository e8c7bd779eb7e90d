import { TOKEN_BATCH_MAX, TOKEN_NAME_MAX_LENGTH, TOKEN_TAG_MAX_LENGTH } from '#contract/limits.ts';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { ExpiryField } from './expiry-field.tsx';
import { GroupField } from './group-field.tsx';
import type { TokenFieldsProps } from './token-fields.ts';
import { COUNT_PICKS } from './token-picks.ts';

/** Name, tag, group and expiry of a token, and the number of new ones. */
export const BasicFields = ({ form, isNew }: TokenFieldsProps & { readonly isNew: boolean }) => {
  const { t } = useTranslation('tokens');
  return (
    <>
      <TextField
        label={t('form.name')}
        placeholder={t('form.namePlaceholder')}
        required
        autoFocus
        maxLength={TOKEN_NAME_MAX_LENGTH}
        {...form.getInputProps('name')}
      />
      <TextField
        label={t('form.tag')}
        placeholder={t('form.tagPlaceholder')}
        hint={t('form.tagHint')}
        maxLength={TOKEN_TAG_MAX_LENGTH}
        {...form.getInputProps('tag')}
      />
      <GroupField {...form.getInputProps('group')} />
      <ExpiryField {...form.getInputProps('expired_time')} />
      {isNew && (
        <div className="field">
          <NumberField
            label={t('form.count')}
            hint={t('form.countHint')}
            min={1}
            max={TOKEN_BATCH_MAX}
            {...form.getInputProps('count')}
          />
          <div className="presets">
            {COUNT_PICKS.map((count) => (
              <button
                key={count}
                type="button"
                className="preset number"
                aria-pressed={form.values.count === count}
                onClick={() => form.setFieldValue('count', count)}
              >
                {count}
              </button>
            ))}
          </div>
        </div>
      )}
    </>
  );
};
