import { searchChannels } from '#contract/api/channels/channels.ts';
import { readPricing } from '#contract/api/wallet/pricing.ts';
import { searchTokens } from '#contract/api/people/tokens.ts';
import { searchUsers } from '#contract/api/people/users.ts';
import { isAdmin } from '#contract/may.ts';
import type { OptionKey } from '#contract/options.ts';
import type { TextKey } from '../../lib/text/areas.ts';
import { call } from '../../lib/server/api.ts';
import type { Translate } from '../../lib/text/i18n.ts';
import { queryClient } from '../../lib/server/query.ts';
import type { SessionUser } from '../../lib/session/session.ts';
import { settingCards, settingTabs } from '../../lib/setting-cards.ts';
import type { SiteStatus } from '../../lib/server/site-status.ts';
import { hasPage, menuFor, pages } from '../../routes.ts';
import { actionsFor, channelsFor, doTo } from './actions.ts';
import { type ChannelVerb, fitOf, typedWords, verbIn } from './match.ts';
import type { OtherWords } from './other-language.ts';

export type EntryKind = 'page' | 'action' | 'tab' | 'setting' | 'model' | 'channel' | 'token' | 'user';

/** An entry of the palette: a destination or an action. */
export type Entry = {
  readonly kind: EntryKind;
  readonly id: string;
  readonly name: string;
  readonly more: string;
} & (
  | { readonly path: string; readonly search: Readonly<Record<string, string>> }
  | { readonly run: (leave: () => Promise<void>) => void }
);

interface Reader {
  readonly user: SessionUser | undefined;
  readonly status: SiteStatus | undefined;
  readonly t: Translate<'common'>;
  readonly ts: Translate<'settings'>;
  readonly tp: Translate<'palette'>;
  readonly other: OtherWords;
}

const FEW = 5;
const MANY = 8;

interface Fitting {
  readonly entry: Entry;
  readonly fit: number;
}

const pageEntries = (words: readonly string[], { user, status, t, tp, other }: Reader): Fitting[] => {
  const front = pages.filter(
    (page) =>
      ((page.frame === 'front' || page.frame === 'either') && page.key !== 'kit') ||
      // Not in the menu; linked from the wallet.
      (page.key === 'statements' && user !== undefined),
  );
  return [...menuFor(user, status), ...front].map((page) => {
    const name = t(`page.${page.key}`);
    const { path, key } = page;
    const more = [
      path,
      tp(`pageWords.${key}`),
      other.common(`page.${key}`),
      other.palette(`pageWords.${key}`),
    ];
    return {
      entry: { kind: 'page', id: path, name, more: path, path, search: {} },
      fit: fitOf(words, name, ...more),
    };
  });
};

const actionEntries = (words: readonly string[], user: SessionUser, { tp, other }: Reader): Fitting[] =>
  actionsFor(user).map(([id, deed]) => {
    const name = tp(`action.${id}.name`);
    const more = [other.palette(`action.${id}.name`), other.palette(`action.${id}.words`)];
    return {
      entry: { kind: 'action', id, name, more: '', ...deed },
      fit: fitOf(words, name, tp(`action.${id}.words`), ...more),
    };
  });

const tabEntries = (words: readonly string[], user: SessionUser, { ts, tp, other }: Reader): Fitting[] =>
  settingTabs
    .filter((tab) => tab === 'personal' || isAdmin(user))
    .map((tab) => {
      const name = ts(`tab.${tab}`);
      const cards = settingCards
        .filter((card) => card.tab === tab)
        .flatMap(({ id }) => [ts(`card.${id}.title`), other.settings(`card.${id}.title`)]);
      const more = [
        tp(`tabWords.${tab}`),
        other.settings(`tab.${tab}`),
        other.palette(`tabWords.${tab}`),
        ...cards,
      ];
      return {
        entry: { kind: 'tab', id: tab, name, more: '/setting', path: '/setting', search: { tab } },
        fit: fitOf(words, name, tab, ...more),
      };
    });

const settingEntries = (words: readonly string[], { ts, other }: Reader): Fitting[] =>
  settingCards.flatMap((card): Fitting[] => {
    const tab = ts(`tab.${card.tab}`);
    const title = ts(`card.${card.id}.title`);
    const otherTitle = other.settings(`card.${card.id}.title`);
    // A card without options is found by its title.
    if (card.keys.length === 0) {
      const place = { path: '/setting', search: { tab: card.tab, card: card.id } };
      return [
        {
          entry: { kind: 'setting', id: card.id, name: title, more: tab, ...place },
          fit: fitOf(words, title, tab, otherTitle),
        },
      ];
    }
    const more = `${tab} · ${title}`;
    return card.keys.map((key: OptionKey) => {
      const name = ts(`label.${key}` as TextKey<'settings'>);
      return {
        entry: {
          kind: 'setting',
          id: key,
          name,
          more,
          path: '/setting',
          search: { tab: card.tab, option: key },
        },
        fit: fitOf(words, name, key, more, other.settings(`label.${key}`), otherTitle),
      };
    });
  });

const fitting = (all: readonly Fitting[], most = Infinity): Fitting[] =>
  all
    .filter(({ fit }) => fit > 0)
    .toSorted((left, right) => right.fit - left.fit)
    .slice(0, most);

/** Finds pages, actions and settings without asking the server; best match first. */
export const knownEntries = (typed: string, reader: Reader): Entry[] => {
  const words = typedWords(typed);
  const { user } = reader;
  const found = fitting(pageEntries(words, reader));
  if (user !== undefined) found.push(...fitting(actionEntries(words, user, reader)));
  if (user !== undefined && words.length > 0) {
    found.push(...fitting(tabEntries(words, user, reader), FEW));
    if (isAdmin(user)) found.push(...fitting(settingEntries(words, reader), MANY));
  }
  return fitting(found).map(({ entry }) => entry);
};

interface Named {
  readonly id: number;
  readonly name: string;
}

const isNamed = (row: unknown): row is Named =>
  typeof row === 'object' && row !== null && 'id' in row && 'name' in row && typeof row.id === 'number';

const rowEntry = (kind: EntryKind, path: string, { id, name }: Named): Entry => ({
  kind,
  id: String(id),
  name,
  more: `#${id}`,
  path,
  search: { edit: String(id) },
});

const modelEntries = async (words: readonly string[]): Promise<Entry[]> => {
  const models = await queryClient.fetchQuery({
    queryKey: ['palette', 'models'],
    queryFn: () => call(readPricing),
    staleTime: 60_000,
  });
  const found = models.map(({ model_name: name, owner_by: maker }): Fitting => ({
    entry: { kind: 'model', id: name, name, more: maker, path: '/pricing', search: { q: name } },
    fit: fitOf(words, name, maker),
  }));
  return fitting(found, FEW).map(({ entry }) => entry);
};

const verbEntries = async (
  typed: string,
  { tp, other }: Pick<Reader, 'tp' | 'other'>,
  signal: AbortSignal,
): Promise<Entry[]> => {
  const wordsOf = (verb: ChannelVerb): string =>
    [tp(`verb.${verb}`), other.palette(`verb.${verb}`)].filter(Boolean).join(',');
  const asked = verbIn(typed, wordsOf);
  if (asked === undefined) return [];
  const { verb, rest } = asked;
  const channels = await channelsFor(verb, rest, signal);
  return channels.map((channel) => ({
    kind: 'action',
    id: `${verb} ${channel.id}`,
    name: tp(`act.${verb}`, { name: channel.name }),
    more: `#${channel.id}`,
    run: () => doTo(channel, verb),
  }));
};

/** Finds models, channels, tokens and users on the server; failed requests are left out. */
export const askedEntries = async (
  typed: string,
  user: SessionUser,
  texts: Pick<Reader, 'tp' | 'other'>,
  signal: AbortSignal,
): Promise<Entry[]> => {
  const keyword = typed.trim();
  const query = { keyword, p: 1, page_size: FEW };
  const tokens = call(searchTokens, { query }, signal);
  const asked: Promise<Entry[]>[] = [
    tokens.then(({ items }) => items.map((row) => rowEntry('token', '/token', row))),
    modelEntries(typedWords(typed)),
  ];
  if (isAdmin(user)) {
    const channels = call(searchChannels, { query }, signal);
    asked.unshift(verbEntries(typed, texts, signal));
    asked.push(
      channels.then(({ items }) =>
        (items as readonly unknown[]).filter(isNamed).map((row) => rowEntry('channel', '/channel', row)),
      ),
    );
    if (hasPage('/user'))
      asked.push(
        call(searchUsers, { query }, signal).then(({ items }) =>
          items.map(({ id, username }) => rowEntry('user', '/user', { id, name: username })),
        ),
      );
  }
  const answers = await Promise.allSettled(asked);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};
