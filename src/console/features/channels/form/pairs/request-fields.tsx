import { useTranslation } from '../../../../lib/text/i18n.ts';
import type { ChannelFieldsProps } from '../channel-fields.ts';
import type { Pair } from './json-pairs.ts';
import MappingField from './mapping-field.tsx';
import { PairsField } from './pairs-field.tsx';

/** What counts as a refusal, of an upstream as to the caller. */
const isRefusal = (text: string): boolean => /^[45]\d\d$/.test(text.trim());

/** Parameters that operators set for all calls of a channel. */
const PARAMETERS = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'reasoning_effort',
  'service_tier',
  'store',
  'seed',
  'stop',
  'presence_penalty',
  'frequency_penalty',
  'user',
];

/** How a channel's requests and refusals differ from those of the caller. */
const RequestFields = ({ form }: Pick<ChannelFieldsProps, 'form'>) => {
  const { t } = useTranslation('channel-more');
  const { t: more } = useTranslation('channel-routing');
  const checkStatus = ([from, to]: Pair): string | undefined =>
    isRefusal(from) && isRefusal(to) ? undefined : more('pairs.badStatus');
  return (
    <>
      <MappingField
        label={t('form.mapping')}
        hint={t('form.mappingHint')}
        models={form.values.models}
        {...form.getInputProps('model_mapping')}
      />
      <PairsField
        label={t('form.statusMapping')}
        hint={t('form.statusMappingHint')}
        titles={[more('pairs.status'), more('pairs.answered')]}
        example={['400', '500']}
        check={checkStatus}
        {...form.getInputProps('status_code_mapping')}
      />
      <PairsField
        label={t('form.override')}
        hint={`${t('form.overrideHint')} · ${more('rules.valueHint')}`}
        values="json"
        titles={[more('pairs.parameter'), more('rules.value')]}
        example={['temperature', '0']}
        suggest={[PARAMETERS, []]}
        {...form.getInputProps('param_override')}
      />
    </>
  );
};

export default RequestFields;
