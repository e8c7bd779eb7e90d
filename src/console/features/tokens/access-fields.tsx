import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ownModels } from '#contract/api/people/session.ts';
import { MultiSelectField } from '../../kit/fields/list-field.tsx';
import { SwitchField } from '../../kit/fields/switch-field.tsx';
import { TextAreaField } from '../../kit/fields/text-area-field.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { TokenFieldsProps } from './token-fields.ts';

const noModels: readonly string[] = [];

/** What a token may call, and from where. */
export const AccessFields = ({ form }: TokenFieldsProps) => {
  const { t } = useTranslation('tokens');
  const offered =
    useQuery({
      queryKey: ['own-models'],
      queryFn: () => call(ownModels),
      staleTime: 60_000,
      meta: { isAside: true },
    }).data ?? noModels;
  const { model_limits: models, model_limits_enabled: limitsModels } = form.values;
  const choices = useMemo(() => [...new Set([...offered, ...models])], [offered, models]);
  return (
    <>
      <SwitchField
        label={t('form.limits')}
        hint={t('form.limitsHint')}
        {...form.getInputProps('model_limits_enabled', { type: 'checkbox' })}
      />
      <div className="token-models">
        <MultiSelectField
          label={t('form.models')}
          placeholder={t('form.modelsPlaceholder')}
          choices={choices}
          disabled={!limitsModels}
          {...form.getInputProps('model_limits')}
        />
      </div>
      <TextAreaField
        label={t('form.ips')}
        hint={t('form.ipsHint')}
        placeholder={t('form.ipsPlaceholder')}
        mono
        rows={3}
        {...form.getInputProps('allow_ips')}
      />
    </>
  );
};
