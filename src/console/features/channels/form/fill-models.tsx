import { Suspense, useState } from 'react';
import { late } from '../../../kit/late.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { listModels } from '#contract/api/site/names.ts';
import { fetchModels, fetchModelsUnsaved } from '#contract/api/channels/channels.ts';
import { Button } from '../../../kit/button.tsx';
import { copyAndTell } from '../../../kit/copy.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { messageOf } from '../../../lib/server/api-error.ts';
import { queryClient } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import type { ChannelFieldsProps } from './channel-fields.ts';
import { keyLeaves } from './channel-form.ts';
import { readObject } from '../channel.ts';
import { type ModelChanges, modelChanges } from './model-changes.ts';
import { useKnownModels } from '../use-channel-filters.ts';

const PickModels = late(() => import('./pick-models.tsx'));

/** Longer lists are reviewed in a dialog before they are added. */
const TAKEN_AT_ONCE = 60;

type Source = 'related' | 'fetch';

/** The known models of a channel type. */
const relatedModels = async (type: string): Promise<readonly string[]> => {
  const byType = await queryClient.fetchQuery({
    queryKey: ['models-by-type'],
    queryFn: () => call(listModels),
    staleTime: 600_000,
  });
  return byType[type] ?? [];
};

/** Buttons that fill the list of models. Only "clear" and a confirmed dialog remove any. */
export const FillModels = ({ form, before }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const known = useKnownModels();
  const [busy, setBusy] = useState<Source>();
  const [problem, setProblem] = useState<string>();
  const [changes, setChanges] = useState<ModelChanges>();
  const { models } = form.values;

  const change = (added: readonly string[], removed: readonly string[]): void => {
    // Read again: models may have been typed while the list was loading.
    const left = form.getValues().models.filter((name) => !removed.includes(name));
    const fresh = added.filter((name) => !left.includes(name));
    if (fresh.length + removed.length === 0) return toast('info', t('form.nothingAdded'));
    form.setFieldValue('models', [...left, ...fresh]);
    form.clearFieldError('models');
    if (fresh.length > 0) toast('ok', t('form.added', { count: fresh.length }));
  };
  const fill = async (source: Source, read: () => Promise<void>): Promise<void> => {
    setBusy(source);
    setProblem(undefined);
    try {
      await read();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(undefined);
  };
  const fillRelated = async (): Promise<void> => {
    const names = await relatedModels(form.values.type);
    if (names.length === 0) toast('info', t('form.noRelated'));
    else change(names, []);
  };
  const compare = (offered: readonly string[]): void => {
    const mapped = Object.keys(readObject(form.values.model_mapping));
    const chosen = form.getValues().models;
    const found = modelChanges(offered, chosen, mapped);
    if (chosen.length === 0 && offered.length <= TAKEN_AT_ONCE) change(offered, []);
    else if (found.fresh.length + found.gone.length === 0) toast('info', t('form.pick.same'));
    else setChanges(found);
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
      return void fill('fetch', async () => compare(await call(fetchModelsUnsaved, { body })));
    }
    // The server uses the saved key itself, and only for the address it belongs to.
    if (before === undefined || keyLeaves(before, form.values) !== undefined) {
      form.setFieldError('key', t('invalid.key'));
      return toast('bad', t('invalid.key'));
    }
    const params = { id: before.id };
    return void fill('fetch', async () => compare(await call(fetchModels, { params })));
  };
  return (
    <>
      <div className="models-actions">
        <Button size="small" busy={busy === 'related'} onClick={() => void fill('related', fillRelated)}>
          {t('form.fillRelated')}
        </Button>
        <Button size="small" onClick={() => change(known, [])}>
          {t('form.fillAll')}
        </Button>
        <Button size="small" busy={busy === 'fetch'} onClick={fetchFromUpstream}>
          {t('form.fetch')}
        </Button>
        {models.length > 0 && (
          <>
            <Button size="small" variant="plain" onClick={() => void copyAndTell(models.join(','))}>
              {t('form.copyModels')}
            </Button>
            <Button size="small" variant="plain" onClick={() => form.setFieldValue('models', [])}>
              {t('form.clear')}
            </Button>
            <span className="meta number">{t('form.modelsCount', { count: models.length })}</span>
          </>
        )}
      </div>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {changes !== undefined && (
        <Suspense>
          <PickModels
            changes={changes}
            onClose={() => setChanges(undefined)}
            onPick={(added, removed) => {
              setChanges(undefined);
              change(added, removed);
            }}
          />
        </Suspense>
      )}
    </>
  );
};
