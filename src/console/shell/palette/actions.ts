import { searchChannels, testChannel, updateChannel } from '#contract/api/channels/channels.ts';
import { channelStatus } from '#contract/codes.ts';
import { isAdmin } from '#contract/may.ts';
import { call, callWhole } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { setLanguage, textsOf } from '../../lib/text/i18n.ts';
import { queryClient } from '../../lib/server/query.ts';
import type { SessionUser } from '../../lib/session/session.ts';
import { setTheme } from '../../lib/browser/theme.ts';
import { toast } from '../../lib/toasts.ts';
import { openKeysSheet } from '../shortcuts/page-keys.ts';
import { signOut } from '../menus/sign-out.ts';
import type { ChannelVerb } from './match.ts';

/** What an action does: goes to a page, or acts at once; `leave` goes to a page for visitors. */
type Deed =
  | { readonly path: string; readonly search: Readonly<Record<string, string>> }
  | { readonly run: (leave: () => Promise<void>) => void };

const added = (path: string): Deed => ({ path, search: { edit: 'new' } });

const forEverybody = {
  addToken: added('/token'),
  light: { run: () => setTheme('light') },
  dark: { run: () => setTheme('dark') },
  english: { run: () => void setLanguage('en') },
  chinese: { run: () => void setLanguage('zh') },
  keys: { run: openKeysSheet },
  signOut: { run: (leave) => void signOut(leave) },
} satisfies Readonly<Record<string, Deed>>;

const forAdmins = {
  addChannel: added('/channel'),
  addUser: added('/user'),
  addCode: added('/redemption'),
  disabledChannels: { path: '/channel', search: { status: 'auto' } },
} satisfies Readonly<Record<string, Deed>>;

export type ActionId = keyof typeof forEverybody | keyof typeof forAdmins;

export const actionsFor = (user: SessionUser): readonly (readonly [ActionId, Deed])[] =>
  Object.entries({ ...forEverybody, ...(isAdmin(user) && forAdmins) }) as [ActionId, Deed][];

interface ChannelRow {
  readonly id: number;
  readonly name: string;
  readonly status: number;
}

const isChannel = (row: unknown): row is ChannelRow =>
  typeof row === 'object' && row !== null && 'id' in row && 'name' in row && 'status' in row;

/** The channels with this name to which the verb applies. */
export const channelsFor = async (
  verb: ChannelVerb,
  keyword: string,
  signal: AbortSignal,
): Promise<readonly ChannelRow[]> => {
  const { items } = await call(searchChannels, { query: { keyword, p: 1, page_size: 5 } }, signal);
  const isOn = (row: ChannelRow): boolean => row.status === channelStatus.enabled;
  return (items as readonly unknown[])
    .filter(isChannel)
    .filter((row) => verb === 'test' || isOn(row) === (verb === 'off'));
};

const switchTo = async ({ id, name, status: seen }: ChannelRow, isOn: boolean): Promise<void> => {
  const t = textsOf('palette');
  const status = isOn ? channelStatus.enabled : channelStatus.disabled;
  await call(updateChannel, { body: { id, status, was: { status: seen } } });
  await queryClient.invalidateQueries({ queryKey: ['channels'] });
  toast('ok', t(isOn ? 'done.on' : 'done.off', { name }), {
    label: t('done.undo'),
    run: () => void switchTo({ id, name, status }, !isOn).catch(toastError),
  });
};

const test = async ({ id, name }: ChannelRow): Promise<void> => {
  const t = textsOf('palette');
  toast('info', t('done.testing', { name }));
  const { time } = await callWhole(testChannel, { params: { id }, query: {} });
  await queryClient.invalidateQueries({ queryKey: ['channels'] });
  toast('ok', t('done.test', { name, seconds: Number(time).toFixed(2) }));
};

const toastError = (error: unknown): void => toast('bad', messageOf(error));

/** Runs the action and reports the result in a toast, where switching can be undone. */
export const doTo = (channel: ChannelRow, verb: ChannelVerb): void =>
  void (verb === 'test' ? test(channel) : switchTo(channel, verb === 'on')).catch((error: unknown) =>
    toast('bad', `${channel.name}: ${messageOf(error)}`),
  );
