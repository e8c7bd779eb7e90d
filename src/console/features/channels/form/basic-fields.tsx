import { IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { channelType, neededOther, needsAddress } from '#contract/channel-types.ts';
import { typeGuides } from '#contract/channel-types/type-guides.ts';
import { CHANNEL_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { SwitchField } from '../../../kit/fields/switch-field.tsx';
import { TextAreaField } from '../../../kit/fields/text-area-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import type { ChannelFieldsProps } from './channel-fields.ts';
import { CUSTOM_TYPE, keyCount, keyLeaves, OPENAI_TYPE, otherFor, VERTEX_TYPE } from './channel-form.ts';
import { TypeField } from './type-field.tsx';

/** The channel's type, address and key. */
export const BasicFields = ({ form, before }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const type = Number(form.values.type);
  // These stay the same, unlike the form, so that the list of types is not drawn with every letter of a name.
  const { setFieldValue } = form;
  const { other } = form.values;
  const chooseType = (next: string): void => {
    setFieldValue('type', next);
    setFieldValue('other', otherFor(Number(next), other));
  };
  return (
    <>
      <div className="field-pair">
        <TextField
          label={t('form.name')}
          placeholder={t('form.namePlaceholder')}
          required
          autoFocus
          maxLength={CHANNEL_NAME_MAX_LENGTH}
          {...form.getInputProps('name')}
        />
        <TypeField label={t('form.type')} value={form.values.type} onChange={chooseType} />
      </div>
      <KeyField form={form} before={before} />
      <AddressField form={form} />
      {type === OPENAI_TYPE && (
        <TextField
          label={t('form.organization')}
          hint={t('form.organizationHint')}
          placeholder="org-…"
          mono
          {...form.getInputProps('openai_organization')}
        />
      )}
      <OtherField form={form} />
    </>
  );
};

const KeyField = ({ form, before }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const { values } = form;
  const type = Number(values.type);
  const { keyHint: shape, keyAlso: also, keyExample, keyPage } = typeGuides[type] ?? {};
  const leavesFor = before === undefined || values.key.trim() !== '' ? undefined : keyLeaves(before, values);
  const count = before === undefined ? keyCount(values) : 0;

  const hints = [
    type === VERTEX_TYPE ? t('form.keyServiceAccount') : shape !== undefined && t('form.keyShape', { shape }),
    also !== undefined && t(`form.keyAlso.${also}`),
    before === undefined &&
      type !== VERTEX_TYPE &&
      (count > 1 ? t(values.is_pool ? 'form.keyPool' : 'form.keyCount', { count }) : t('form.keyHintMany')),
  ];
  const hint =
    leavesFor === undefined ? (
      hints.filter(Boolean).join(' · ')
    ) : (
      <span className="tone-warn">{t('form.keyNeeded', { host: leavesFor })}</span>
    );
  const field = (
    <TextAreaField
      label={t('form.key')}
      mono
      rows={2}
      required={before === undefined || leavesFor !== undefined}
      placeholder={
        before === undefined
          ? ((type === VERTEX_TYPE ? '{ "type": "service_account", … }' : shape) ??
            keyExample ??
            t('form.keyPlaceholder'))
          : t('form.keyKeep')
      }
      aside={
        keyPage !== undefined && (
          <a className="link key-page" href={keyPage} target="_blank" rel="noreferrer">
            {t('form.keyPage')}
            <IconExternalLink size={13} aria-hidden />
          </a>
        )
      }
      {...(hint === '' ? {} : { hint })}
      {...form.getInputProps('key')}
    />
  );
  if (count <= 1) return field;
  return (
    <>
      {field}
      <SwitchField
        label={t('form.isPool')}
        hint={t('form.isPoolHint')}
        {...form.getInputProps('is_pool', { type: 'checkbox' })}
      />
    </>
  );
};

const AWS_TYPE = 33;

/** Types whose address is made of other fields. */
const ADDRESS_HINTS: Readonly<Record<number, 'form.baseUrlCustom' | 'form.baseUrlOfRegion'>> = {
  [CUSTOM_TYPE]: 'form.baseUrlCustom',
  [AWS_TYPE]: 'form.baseUrlOfRegion',
  [VERTEX_TYPE]: 'form.baseUrlOfRegion',
};

const AddressField = ({ form }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const type = Number(form.values.type);
  const usual = channelType(type)?.baseUrl ?? '';
  const hint = ADDRESS_HINTS[type] ?? (needsAddress(type) ? 'form.baseUrlNeeded' : 'form.baseUrlHint');
  return (
    <TextField
      label={t('form.baseUrl')}
      hint={t(hint)}
      required={needsAddress(type)}
      type="url"
      mono
      placeholder={usual || 'https://'}
      {...form.getInputProps('base_url')}
    />
  );
};

const examples = {
  'api-version': '',
  'account-id': '',
  region: 'global',
  plugin: '',
  'bot-id': '',
  'library-id': '',
} as const;

/** An example of the API version, by type. */
const VERSIONS: Readonly<Record<number, string>> = { 3: '2025-04-01-preview', 18: 'v3.5', 24: 'v1beta' };

const VERSION_HINTS = {
  3: 'form.otherHint.azure',
  18: 'form.otherHint.spark',
  24: 'form.otherHint.gemini',
} as Readonly<Record<number, `form.otherHint.${'azure' | 'spark' | 'gemini'}`>>;

const OtherField = ({ form }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const type = Number(form.values.type);
  const kind = channelType(type)?.other;
  if (kind === undefined) return null;
  const hint = kind === 'api-version' ? VERSION_HINTS[type] : (`form.otherHint.${kind}` as const);
  return (
    <TextField
      label={t(`form.other.${kind}`)}
      required={neededOther(type) !== undefined}
      mono
      placeholder={VERSIONS[type] ?? examples[kind]}
      {...(hint === undefined ? {} : { hint: t(hint) })}
      {...form.getInputProps('other')}
    />
  );
};
