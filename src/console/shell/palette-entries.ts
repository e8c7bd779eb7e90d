import { searchChannels } from '#contract/api/channels.ts';
import { searchTokens } from '#contract/api/tokens.ts';
import { searchUsers } from '#contract/api/users.ts';
import { isAdmin } from '#contract/may.ts';
import type { OptionKey } from '#contract/options.ts';
import type { TextKey } from '../lib/areas.ts';
import { call } from '../lib/api.ts';
import type { Translate } from '../lib/i18n.ts';
import type { SessionUser } from '../lib/session.ts';
import { settingCards } from '../lib/setting-cards.ts';
import type { SiteStatus } from '../lib/site-status.ts';
import { hasPage, menuFor, pages } from '../routes.tsx';

export type EntryKind = 'page' | 'setting' | 'channel' | 'token' | 'user';

/** Something the palette leads to. */
export interface Entry {
  readonly kind: EntryKind;
  readonly id: string;
  readonly name: string;
  readonly more: string;
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
}

interface Reader {
  readonly user: SessionUser | undefined;
  readonly status: SiteStatus | undefined;
  readonly t: Translate<'common'>;
  readonly ts: Translate<'settings'>;
}

const FEW = 5;
const MANY = 8;

const matches = (words: string, ...texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes(words));

/** Pages and settings: known here, found at once. */
export const knownEntries = (typed: string, { user, status, t, ts }: Reader): Entry[] => {
  const words = typed.trim().toLowerCase();
  const front = pages.filter((page) => page.frame === 'front' && page.key !== 'kit');
  const found: Entry[] = [...menuFor(user, status), ...front]
    .map((page) => ({ page, name: t(`page.${page.key}`) }))
    .filter(({ page, name }) => matches(words, name, page.path))
    .map(({ page, name }) => ({
      kind: 'page',
      id: page.path,
      name,
      more: page.path,
      path: page.path,
      search: {},
    }));
  if (words === '' || user === undefined || !isAdmin(user)) return found;
  const settings = settingCards
    .flatMap((card) => card.keys.map((key: OptionKey) => ({ card, key })))
    .map(({ card, key }) => ({ card, key, name: ts(`label.${key}` as TextKey<'settings'>) }))
    .filter(({ key, name }) => matches(words, name, key))
    .slice(0, MANY)
    .map(({ card, key, name }): Entry => ({
      kind: 'setting',
      id: key,
      name,
      more: ts(`tab.${card.tab}`),
      path: '/setting',
      search: { tab: card.tab, option: key },
    }));
  return [...found, ...settings];
};

interface Named {
  readonly id: number;
  readonly name: string;
}

const isNamed = (row: unknown): row is Named =>
  typeof row === 'object' && row !== null && 'id' in row && 'name' in row && typeof row.id === 'number';

const entry = (kind: EntryKind, path: string, param: string, { id, name }: Named): Entry => ({
  kind,
  id: String(id),
  name,
  more: `#${id}`,
  path,
  search: { [param]: String(id) },
});

/** Channels, tokens and users by name: asked of the server. What fails to answer is left out. */
export const askedEntries = async (
  typed: string,
  user: SessionUser,
  signal: AbortSignal,
): Promise<Entry[]> => {
  const keyword = typed.trim();
  const query = { keyword, p: 1, page_size: FEW };
  const asked: Promise<Entry[]>[] = [
    call(searchTokens, { query }, signal).then(({ items }) =>
      items.map((row) => entry('token', '/token', 'edit', row)),
    ),
  ];
  if (isAdmin(user)) {
    asked.push(
      call(searchChannels, { query }, signal).then(({ items }) =>
        (items as readonly unknown[]).filter(isNamed).map((row) => entry('channel', '/channel', 'edit', row)),
      ),
    );
    if (hasPage('/user'))
      asked.push(
        call(searchUsers, { query }, signal).then(({ items }) =>
          items.map(({ id, username }) => entry('user', '/user', 'edit', { id, name: username })),
        ),
      );
  }
  const answers = await Promise.allSettled(asked);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};
