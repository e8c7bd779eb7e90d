import './redemption.css';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { AddButton } from '../../kit/add-button.tsx';
import { Button } from '../../kit/button.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { BatchButton } from '../../kit/resource-table/batch-button.tsx';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { useDrawerUrl } from '../../lib/browser/url-state.ts';
import { formatExact } from '../../lib/text/format.ts';
import { countInvalid, loadCodes, removeInvalid } from './code-calls.ts';
import { useCodeColumns } from './code-columns.tsx';
import type { MadeCodes } from './code-drawer.tsx';
import { CODES, mayEdit, stateOf, type Code } from './code.ts';
import { useCodeActions } from './use-code-menu.tsx';

const loadDrawer = () => import('./code-drawer.tsx');
const CodeDrawer = late(loadDrawer);
const MadeDialog = late(() => import('./made-dialog.tsx'));

const idOf = (code: Code): number => code.id;
const nameOf = (code: Code): string => code.name;
const isMuted = (code: Code): boolean => stateOf(code) !== 'unused';

/** The list of redemption codes. */
const RedemptionPage = () => {
  const { t } = useTranslation('redemption');
  const columns = useCodeColumns();
  const drawer = useDrawerUrl();
  const [made, setMade] = useState<MadeCodes>();
  const { menu, copy } = useCodeActions();
  const clear = useAction({ run: removeInvalid, refresh: [CODES] });
  const count = useAction({ run: countInvalid });
  const askAndClear = async (found: number): Promise<void> => {
    if (found === 0) return toast('info', t('clear.none'));
    const isSure = await confirm({
      title: t('clear.title', { count: found, shown: formatExact(found) }),
      text: t('clear.text'),
      action: t('clear.action'),
      danger: true,
    });
    if (isSure)
      clear.mutate(undefined, { onSuccess: (done) => toast('ok', t('clear.done', { count: done })) });
  };
  const open = (code: Code): void => {
    if (mayEdit(code)) drawer.open(code.id);
    else toast('bad', t('notEditable'));
  };
  const add = <AddButton label={t('add')} prepare={loadDrawer} onAdd={() => drawer.open('new')} />;
  return (
    <>
      <PageHeader title={t('title')} about={t('about')}>
        <Button
          icon={<IconTrash size={16} />}
          busy={count.isPending || clear.isPending}
          onClick={() => count.mutate(undefined, { onSuccess: (found) => void askAndClear(found) })}
        >
          {t('clear.action')}
        </Button>
        {add}
      </PageHeader>
      <ResourceTable
        name={CODES}
        label={t('title')}
        columns={columns}
        rowId={idOf}
        rowName={nameOf}
        load={loadCodes}
        searchLabel={t('search')}
        tools={(chosen) => (
          <Button icon={<IconCopy size={16} />} onClick={() => void copy(chosen)}>
            {t('copySelected')}
          </Button>
        )}
        batch={(rows) => <BatchButton onClick={() => void copy(rows)}>{t('copySelected')}</BatchButton>}
        onEdit={open}
        prepareEdit={loadDrawer}
        rowMenu={menu}
        isMuted={isMuted}
        emptyText={t('empty')}
        emptyAction={add}
      />
      <Suspense>
        {drawer.id !== undefined && (
          <CodeDrawer key={drawer.id} id={drawer.id} onClose={drawer.close} onMade={setMade} />
        )}
        {made !== undefined && <MadeDialog made={made} onClose={() => setMade(undefined)} />}
      </Suspense>
    </>
  );
};

export default RedemptionPage;
