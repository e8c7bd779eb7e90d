import { Button } from '../../../kit/button.tsx';
import { confirm } from '../../../kit/dialogs/dialogs.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import {
  KEYS_CHANGED,
  KEY_ROUND,
  type KeyView,
  removeKeys,
  switchAllKeys,
  type SwitchedTo,
  tryAllKeys,
  type WhichKeys,
} from './key-calls.ts';

interface ShownKeysProps {
  readonly channelId: number;
  readonly view: KeyView;
  /** How many keys the filter finds, on all pages. */
  readonly count: number;
}

/** Actions on all keys that the filter finds. The server runs the filter again, because states change by themselves. */
export const ShownKeys = ({ channelId, view: { status, keyword }, count }: ShownKeysProps) => {
  const { t } = useTranslation('channel-keys');
  const which = { status, keyword };
  const switchAll = useSwitch(channelId);
  const test = useAction({ run: () => tryAllKeys(channelId, which), refresh: [KEY_ROUND] });
  const remove = useAction({
    run: async () => toast('ok', t('shown.deleted', { count: await removeKeys(channelId, which) })),
    refresh: KEYS_CHANGED,
  });
  const askAndSwitch = async (to: SwitchedTo): Promise<void> => {
    const title = t(`shown.${to}Ask`, { count });
    if (await confirm({ title, action: t(`shown.${to}`), danger: to === 'off' }))
      switchAll.mutate({ which, to });
  };
  const askAndRemove = async (): Promise<void> => {
    const question = { title: t('shown.deleteAsk', { count }), text: t('deleteText'), action: t('delete') };
    if (await confirm({ ...question, danger: true })) remove.mutate();
  };
  return (
    <div className="keys-buttons" role="group" aria-label={t('shown.all', { count })}>
      <span className="meta">{t('shown.all', { count })}</span>
      {status !== 'enabled' && (
        <Button size="small" busy={switchAll.isPending} onClick={() => void askAndSwitch('enabled')}>
          {t('shown.enabled')}
        </Button>
      )}
      {status !== 'off' && (
        <Button size="small" busy={switchAll.isPending} onClick={() => void askAndSwitch('off')}>
          {t('shown.off')}
        </Button>
      )}
      <Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
        {t('test')}
      </Button>
      <Button size="small" variant="danger" busy={remove.isPending} onClick={() => void askAndRemove()}>
        {t('delete')}
      </Button>
    </div>
  );
};

/** Can be undone if all of them were on, or all off. */
const useSwitch = (channelId: number) => {
  const { t } = useTranslation('channel-keys');
  const undo = useAction({
    run: (back: { readonly ids: readonly number[]; readonly to: SwitchedTo }) =>
      switchAllKeys(channelId, { ids: [...back.ids] }, back.to),
    done: t('shown.undone'),
    refresh: KEYS_CHANGED,
  });
  return useAction({
    run: async ({ which, to }: { readonly which: WhichKeys; readonly to: SwitchedTo }) => {
      const ids = await switchAllKeys(channelId, which, to);
      const back = which.status;
      const canGoBack = ids.length > 0 && (back === 'enabled' || back === 'off');
      toast(
        'ok',
        t(`shown.${to}Done`, { count: ids.length }),
        canGoBack ? { label: t('shown.undo'), run: () => undo.mutate({ ids, to: back }) } : undefined,
      );
    },
    refresh: KEYS_CHANGED,
  });
};
