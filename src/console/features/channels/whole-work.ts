import { countChannels } from '#contract/api/channels/channels.ts';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { call } from '../../lib/server/api.ts';
import { textsOf } from '../../lib/text/i18n.ts';
import { queryClient } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { CHANNEL_TAGS, CHANNELS } from './channel.ts';
import { beginRound, CHANNEL_ROUNDS, fixAll, removeDisabled, type RoundKind } from './channel-work.ts';

const readListsAgain = async (): Promise<void> => {
  await Promise.all(
    [CHANNELS, CHANNEL_TAGS].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  );
};

/** After confirmation, tests all channels or updates their balances. Throws the server's refusal. */
export const askAndBegin = async (kind: RoundKind): Promise<void> => {
  const t = textsOf('channel-more');
  const question = {
    title: t(`round.${kind}.ask`),
    text: t(`round.${kind}.about`),
    action: t(`round.${kind}.action`),
  };
  if (!(await confirm(question))) return;
  try {
    await beginRound(kind);
    toast('ok', t(`round.${kind}.begun`));
  } finally {
    await queryClient.invalidateQueries({ queryKey: [CHANNEL_ROUNDS] });
  }
};

/** After confirmation, deletes all disabled channels. Throws the server's refusal. */
export const askAndRemove = async (): Promise<void> => {
  const t = textsOf('channel-more');
  const { disabled, auto_disabled: autoDisabled } = await call(countChannels);
  const count = disabled + autoDisabled;
  if (count === 0) return toast('info', t('all.noneDisabled'));
  const question = {
    title: t('all.deleteTitle', { count }),
    text: t('all.deleteText'),
    action: t('all.delete'),
    danger: true,
  };
  if (!(await confirm(question))) return;
  toast('ok', t('all.deletedDisabled', { count: await removeDisabled() }));
  await readListsAgain();
};

/** After confirmation, rebuilds the abilities of all channels. Throws the server's refusal. */
export const askAndFix = async (): Promise<void> => {
  const t = textsOf('channel-more');
  if (!(await confirm({ title: t('all.fixTitle'), text: t('all.fixText'), action: t('all.fix') }))) return;
  const count = await fixAll();
  toast('ok', t('all.fixed', { count }));
  await readListsAgain();
};
