import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { enabledModels } from '#contract/api/channels/channels.ts';
import { listUnpriced } from '#contract/api/wallet/pricing.ts';
import { late } from '../../../kit/late.tsx';
import { Button } from '../../../kit/button.tsx';
import { Segmented } from '../../../kit/segmented.tsx';
import { ErrorState, Skeleton } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { toast } from '../../../lib/toasts.ts';
import type { Settings } from '../use-settings.ts';
import { filled, isCell, isSet, type RatioRow } from './ratio-rows.ts';
import { RatioTable } from './ratio-table.tsx';
import { applyRows, savedRows, useTableGuard } from './visual-ratios.tsx';

const AddDialog = late(() => import('./add-dialog.tsx'));
const BatchDialog = late(() => import('./batch-dialog.tsx'));

const blank = (name: string): RatioRow => ({ name, price: '', ratio: '', completionRatio: '' });

/** Served models without a price. Rows are filled in and applied together; a model with a price leaves the list. */
export const UnsetRatios = ({ settings }: { readonly settings: Settings }) => {
  const { t } = useTranslation('settings');
  const [which, setWhich] = useState<'unpriced' | 'unset'>('unpriced');
  const [edited, setEdited] = useState<ReadonlyMap<string, RatioRow>>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<'add' | 'batch'>();
  useTableGuard(edited.size > 0);
  const query = useQuery({
    queryKey: ['options', 'unset-models'],
    queryFn: async ({ signal }) => ({
      enabled: await call(enabledModels, {}, signal),
      unpriced: new Set(await call(listUnpriced, {}, signal)),
    }),
  });
  if (query.data === undefined)
    return query.isError ? (
      <ErrorState error={new Error(t('visual.enabledFailed'))} onRetry={() => void query.refetch()} />
    ) : (
      <div className="setting-body">
        <Skeleton height={300} />
      </div>
    );
  const { enabled, unpriced } = query.data;
  const known = savedRows(settings);
  const setNames = new Set(known.filter(isSet).map(({ name }) => name));
  const names = enabled.filter((name) => !setNames.has(name) && (which === 'unset' || unpriced.has(name)));
  const added = [...edited.keys()].filter((name) => !names.includes(name));
  const rows = [...added, ...names].map((name) => edited.get(name) ?? blank(name));
  const edit = (changed: readonly RatioRow[]): void =>
    setEdited(new Map([...edited, ...changed.map((row): [string, RatioRow] => [row.name, row])]));

  const apply = async (): Promise<void> => {
    const ready = [...edited.values()].filter(isSet);
    if (![...edited.values()].every((row) => [row.price, row.ratio, row.completionRatio].every(isCell))) {
      toast('bad', t('wrong.number'));
      return;
    }
    const readyNames = new Set(ready.map(({ name }) => name));
    if (await applyRows(settings, [...known.filter(({ name }) => !readyNames.has(name)), ...ready])) {
      // What was typed while it was saved stays.
      setEdited((now) => new Map([...now].filter(([name, row]) => edited.get(name) !== row)));
      setChosen(new Set());
    }
  };
  const openBatch = (): void => {
    if (chosen.size === 0) toast('bad', t('visual.chooseFirst'));
    else setDialog('batch');
  };
  return (
    <div className="setting-body">
      <Segmented
        label={t('ratio.unset')}
        value={which}
        options={[
          { value: 'unpriced', label: t('visual.unpriced') },
          { value: 'unset', label: t('visual.builtIn') },
        ]}
        onChange={setWhich}
      />
      <RatioTable
        label={t('ratio.unset')}
        rows={rows}
        chosen={chosen}
        onChoose={setChosen}
        emptyText={t('visual.allSet')}
        onEdit={(name, column, text) =>
          edit([{ ...(rows.find((row) => row.name === name) ?? blank(name)), [column]: text }])
        }
      />
      <div className="setting-foot">
        <span className="meta">{t('visual.chosen', { count: chosen.size })}</span>
        <span className="top-space" />
        <Button icon={<IconPlus size={16} />} onClick={() => setDialog('add')}>
          {t('visual.add')}
        </Button>
        <Button onClick={openBatch}>{t('visual.batch')}</Button>
        <Button
          variant={edited.size > 0 ? 'primary' : 'default'}
          busy={settings.isSaving}
          onClick={() => void apply()}
        >
          {t('visual.apply')}
        </Button>
      </div>
      <Suspense>
        {dialog === 'add' && (
          <AddDialog
            rows={[...rows, ...known]}
            onAdd={([first]) => first !== undefined && edit([first])}
            onClose={() => setDialog(undefined)}
          />
        )}
        {dialog === 'batch' && (
          <BatchDialog
            count={chosen.size}
            onFill={(mode, values) =>
              edit(rows.filter(({ name }) => chosen.has(name)).map((row) => filled(row, mode, values)))
            }
            onClose={() => setDialog(undefined)}
          />
        )}
      </Suspense>
    </div>
  );
};
