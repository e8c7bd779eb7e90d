import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { listModels } from '#contract/api/catalogue.ts';
import { fetchModels, fetchModelsUnsaved } from '#contract/api/channels.ts';
import { Button } from '../../kit/button.tsx';
import { copyText } from '../../kit/copy.tsx';
import { call } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { queryClient } from '../../lib/query.ts';
import { toast } from '../../lib/toasts.ts';
import type { ChannelFieldsProps } from './channel-fields.ts';
import { keyLeaves } from './channel-form.ts';
import { useKnownModels } from './use-channel-filters.ts';

type Source = 'related' | 'fetch';

/** Ways to fill the list of models without typing. Nothing is taken away by them but by "clear". */
export const FillModels = ({ form, before }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const known = useKnownModels();
  const [busy, setBusy] = useState<Source>();
  const { models } = form.values;

  const add = (names: readonly string[]): void => {
    const fresh = names.filter((name) => !models.includes(name));
    if (fresh.length === 0) return toast('info', t('form.nothingAdded'));
    form.setFieldValue('models', [...models, ...fresh]);
    form.clearFieldError('models');
    toast('ok', t('form.added', { count: fresh.length }));
  };
  const fill = async (source: Source, read: () => Promise<readonly string[]>): Promise<void> => {
    setBusy(source);
    try {
      const names = await read();
      if (source === 'related' && names.length === 0) toast('info', t('form.noRelated'));
      else add(names);
    } catch (error) {
      toast('bad', messageOf(error));
    }
    setBusy(undefined);
  };
  const related = async (): Promise<readonly string[]> => {
    const byType = await queryClient.fetchQuery({
      queryKey: ['models-by-type'],
      queryFn: () => call(listModels),
      staleTime: 600_000,
    });
    return byType[form.values.type] ?? [];
  };
  const fetchFromUpstream = (): void => {
    const { key, type, base_url, other, proxy } = form.values;
    if (key.trim() !== '') {
      const body = {
        key: key.trim(),
        type: Number(type),
        base_url: base_url.trim(),
        other: other.trim(),
        proxy: proxy.trim(),
      };
      return void fill('fetch', () => call(fetchModelsUnsaved, { body }));
    }
    // The saved key is used by the server itself, and only where it belongs.
    if (before === undefined || keyLeaves(before, form.values) !== undefined) {
      form.setFieldError('key', t('invalid.key'));
      return toast('bad', t('invalid.key'));
    }
    return void fill('fetch', () => call(fetchModels, { params: { id: before.id } }));
  };
  return (
    <div className="models-actions">
      <Button size="small" busy={busy === 'related'} onClick={() => void fill('related', related)}>
        {t('form.fillRelated')}
      </Button>
      <Button size="small" onClick={() => add(known)}>
        {t('form.fillAll')}
      </Button>
      <Button size="small" busy={busy === 'fetch'} onClick={fetchFromUpstream}>
        {t('form.fetch')}
      </Button>
      {models.length > 0 && (
        <>
          <Button size="small" variant="plain" onClick={() => void copyText(models.join(','))}>
            {t('form.copyModels')}
          </Button>
          <Button size="small" variant="plain" onClick={() => form.setFieldValue('models', [])}>
            {t('form.clear')}
          </Button>
          <span className="meta number">{t('form.modelsCount', { count: models.length })}</span>
        </>
      )}
    </div>
  );
};
