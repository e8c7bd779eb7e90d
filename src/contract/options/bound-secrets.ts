import { type OptionKey, optionRow, optionText } from '../options.ts';
import { oauthNames, signInServices } from '../sign-in-services.ts';

interface Binding {
  /** Options that say where the secret is sent or whose it is: none may change while the secret stays. */
  readonly to: readonly OptionKey[];
  /** Those of them that are the destination. While all are empty, the secret is sent nowhere and binds nothing. */
  readonly place: readonly OptionKey[];
}

const client = (id: OptionKey): Binding => ({ to: [id], place: [id] });

const clientSecrets: Readonly<Partial<Record<OptionKey, Binding>>> = Object.fromEntries(
  oauthNames.map((name) => {
    const [id, secret] = signInServices[name].options.needs;
    return [secret, client(id)];
  }),
);

/** Secrets of the site, each with the options it was entered for. A test requires a row for every secret option. */
export const boundSecrets: Readonly<Partial<Record<OptionKey, Binding>>> = {
  SMTPToken: { to: ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPSSLEnabled'], place: ['SMTPServer'] },
  EpayKey: { to: ['PayAddress', 'EpayId'], place: ['PayAddress'] },
  WorkerValidKey: { to: ['WorkerUrl'], place: ['WorkerUrl'] },
  WeChatServerToken: { to: ['WeChatServerAddress'], place: ['WeChatServerAddress'] },
  ...clientSecrets,
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

/** Secrets, and the options they were entered for. */
export const boundOptions: readonly OptionKey[] = bindings.flatMap(([secret, { to }]) => [secret, ...to]);

type Texts = ReadonlyMap<string, string>;

const textOf = (key: OptionKey, stored: Texts): string =>
  stored.get(key) ?? optionText(optionRow(key).initial);

export interface SecretToRepeat {
  readonly secret: OptionKey;
  /** The option that changes while the secret would stay. */
  readonly address: OptionKey;
}

interface Moved extends SecretToRepeat {
  /** The destination is removed, so the secret is no longer sent. */
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
 * Secrets to enter again because an option they were entered for changes: a stored secret is sent only where it was
 * meant to go. Entering or emptying it in the same change is enough.
 */
export const secretsToRepeat = (...asked: Parameters<typeof moved>): SecretToRepeat[] =>
  moved(...asked).filter(({ isPlaceGone }) => !isPlaceGone);

/** Secrets deleted by this change, because their destination is emptied. */
export const secretsToForget = (...asked: Parameters<typeof moved>): OptionKey[] =>
  moved(...asked)
    .filter(({ isPlaceGone }) => isPlaceGone)
    .map(({ secret }) => secret);

/** Groups options for saving, so that those of one secret stay together. */
export const savedTogether = (keys: readonly OptionKey[]): OptionKey[][] => {
  const groups = Map.groupBy(
    keys,
    (key) => bindings.find(([secret, { to }]) => secret === key || to.includes(key))?.[0] ?? key,
  );
  return [...groups.values()];
};
