import { IconPlus } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { late } from '../../../kit/late.tsx';
import { Button } from '../../../kit/button.tsx';
import { useLeaveGuard } from '../../../kit/dialogs/use-leave-guard.ts';
import { toast } from '../../../lib/toasts.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import type { Settings } from '../use-settings.ts';
import { isCell, type RatioRow, rowsOf, textsOf } from './ratio-rows.ts';
import { RatioTable } from './ratio-table.tsx';

const AddDialog = late(() => import('./add-dialog.tsx'));

/** The options of the table as they are saved now. */
export const savedRows = (settings: Settings): RatioRow[] =>
  rowsOf({
    ModelPrice: settings.saved.get('ModelPrice') ?? '{}',
    ModelRatio: settings.saved.get('ModelRatio') ?? '{}',
    CompletionRatio: settings.saved.get('CompletionRatio') ?? '{}',
  });

/** Puts the rows into the drafts of the three options and saves those that differ. */
export const applyRows = async (
  settings: Settings,
  rows: readonly RatioRow[],
  from?: Settings['stored'],
): Promise<boolean> => settings.saveTexts(textsOf(rows), from);

const viewOf = (search: object): string =>
  JSON.stringify(['tab', 'ratio'].map((name) => new Map(Object.entries(search)).get(name)));

/** Asks before a table with changes that are not applied is left, also for another view of the prices. */
export const useTableGuard = (isEdited: boolean): void =>
  useLeaveGuard(
    isEdited,
    (current, next) => current.pathname === next.pathname && viewOf(current.search) === viewOf(next.search),
  );

/** All models that have a price or a ratio, as a table. */
export const VisualRatios = ({ settings }: { readonly settings: Settings }) => {
  const { t } = useTranslation('settings');
  const [edited, setEdited] = useState<readonly RatioRow[]>();
  /** The stored values when the first edit began. */
  const [from, setFrom] = useState<Settings['stored']>();
  const [isAdding, setAdding] = useState(false);
  useTableGuard(edited !== undefined);
  const rows = edited ?? savedRows(settings);
  const apply = async (): Promise<void> => {
    if (!rows.every((row) => [row.price, row.ratio, row.completionRatio].every(isCell))) {
      toast('bad', t('wrong.number'));
      return;
    }
    // What was typed while it was saved stays.
    if (await applyRows(settings, rows, from)) setEdited((now) => (now === edited ? undefined : now));
    setFrom(undefined);
  };
  const edit = (next: readonly RatioRow[]): void => {
    if (edited === undefined) setFrom(settings.stored);
    setEdited(next);
  };
  return (
    <div className="setting-body">
      <RatioTable
        label={t('ratio.visual')}
        rows={rows}
        emptyText={t('visual.empty')}
        onEdit={(name, column, text) =>
          edit(rows.map((row) => (row.name === name ? { ...row, [column]: text } : row)))
        }
        onRemove={(name) => edit(rows.filter((row) => row.name !== name))}
      />
      <div className="setting-foot">
        <span className="top-space" />
        <Button icon={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('visual.add')}
        </Button>
        <Button
          variant={edited === undefined ? 'default' : 'primary'}
          busy={settings.isSaving}
          onClick={() => void apply()}
        >
          {t('visual.apply')}
        </Button>
      </div>
      <Suspense>
        {isAdding && <AddDialog rows={rows} onAdd={edit} onClose={() => setAdding(false)} />}
      </Suspense>
    </div>
  );
};
