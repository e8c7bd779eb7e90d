import { type OptionKey, optionRow, optionText } from '../options.ts';

interface Binding {
  /** Where the secret is sent, or whose it is there: none of these changes while the secret stays. */
  readonly to: readonly OptionKey[];
  /** Of those, the ones that say where at all. While all are empty the secret is sent nowhere, and binds nothing. */
  readonly place: readonly OptionKey[];
}

const client = (id: OptionKey): Binding => ({ to: [id], place: [id] });

/** Secrets of the site, and what each was entered for. Every secret option has a row: a test asks for it. */
export const boundSecrets: Readonly<Partial<Record<OptionKey, Binding>>> = {
  SMTPToken: { to: ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPSSLEnabled'], place: ['SMTPServer'] },
  EpayKey: { to: ['PayAddress', 'EpayId'], place: ['PayAddress'] },
  WorkerValidKey: { to: ['WorkerUrl'], place: ['WorkerUrl'] },
  WeChatServerToken: { to: ['WeChatServerAddress'], place: ['WeChatServerAddress'] },
  GitHubClientSecret: client('GitHubClientId'),
  LinuxDOClientSecret: client('LinuxDOClientId'),
  'discord.client_secret': client('discord.client_id'),
  'oidc.client_secret': {
    to: [
      'oidc.client_id',
      'oidc.well_known',
      'oidc.authorization_endpoint',
      'oidc.token_endpoint',
      'oidc.user_info_endpoint',
    ],
    place: ['oidc.well_known', 'oidc.token_endpoint'],
  },
  TelegramBotToken: client('TelegramBotName'),
  TurnstileSecretKey: client('TurnstileSiteKey'),
};

const bindings = Object.entries(boundSecrets) as [OptionKey, Binding][];

type Texts = ReadonlyMap<string, string>;

const textOf = (key: OptionKey, stored: Texts): string =>
  stored.get(key) ?? optionText(optionRow(key).initial);

export interface SecretToRepeat {
  readonly secret: OptionKey;
  /** What is changed while the secret would stay. */
  readonly address: OptionKey;
}

interface Moved extends SecretToRepeat {
  /** It is sent nowhere any more. */
  readonly isPlaceGone: boolean;
}

const moved = (changes: Texts, stored: Texts, isSecretSet: (secret: OptionKey) => boolean): Moved[] =>
  bindings.flatMap(([secret, { to, place }]) => {
    if (changes.has(secret) || !isSecretSet(secret)) return [];
    if (place.every((key) => textOf(key, stored) === '')) return [];
    const address = to.find((key) => changes.has(key) && changes.get(key) !== textOf(key, stored));
    const isPlaceGone = place.every((key) => (changes.get(key) ?? textOf(key, stored)) === '');
    return address === undefined ? [] : [{ secret, address, isPlaceGone }];
  });

/**
 * Secrets that have to be entered again, because something they were entered for changes: a stored secret is only ever
 * sent where it was entered for. Entering it in the same change, or emptying it, is enough.
 */
export const secretsToRepeat = (...asked: Parameters<typeof moved>): SecretToRepeat[] =>
  moved(...asked).filter(({ isPlaceGone }) => !isPlaceGone);

/** Secrets that are forgotten with this change: the place they were entered for is emptied. */
export const secretsToForget = (...asked: Parameters<typeof moved>): OptionKey[] =>
  moved(...asked)
    .filter(({ isPlaceGone }) => isPlaceGone)
    .map(({ secret }) => secret);

/** Options to be saved, those that belong to one secret together. */
export const savedTogether = (keys: readonly OptionKey[]): OptionKey[][] => {
  const groups = Map.groupBy(
    keys,
    (key) => bindings.find(([secret, { to }]) => secret === key || to.includes(key))?.[0] ?? key,
  );
  return [...groups.values()];
};
