import { fieldsOf, parsedFields } from '#core/json/fields.ts';
import { parseProxy, PROXY_PASSWORD } from '#core/outbound/outbound-proxy.ts';
import {
  channelKeyPlace,
  optionPlace,
  poolKeyPlace,
  proxyPlace,
  redemptionPlace,
  sealKeyPlace,
  secondFactorPlace,
  tokenPlace,
  WEBHOOK_SECRET,
  webhookPlace,
} from '#core/secrets/sealed-places.ts';
import type { Schema } from '../database/schema.ts';

/** A row as read: the columns of `of`, and the encrypted one. */
export type SealedRow = Readonly<Record<string, unknown>>;

/** A column with encrypted texts. */
export interface SealedColumn {
  readonly table: keyof Schema;
  /** The primary key: a number, unless it is a text. */
  readonly id: string;
  readonly isTextId?: true;
  readonly column: string;
  /** The field that is encrypted, where the column has JSON. */
  readonly field?: string;
  /** Further columns that `place` is made of. */
  readonly of?: readonly string[];
  readonly place: (row: SealedRow) => string;
}

const proxyOf = (address: unknown): string =>
  proxyPlace(parseProxy(typeof address === 'string' ? address : '')?.address ?? '');

/** Every column with encrypted texts. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'channels',
    id: 'id',
    column: 'key_encrypted',
    place: ({ id }) => channelKeyPlace(Number(id)),
  },
  {
    table: 'channels',
    id: 'id',
    column: 'setting',
    field: PROXY_PASSWORD,
    place: ({ setting }) => proxyOf(fieldsOf(parsedFields(String(setting)))['proxy']),
  },
  {
    table: 'channel_keys',
    id: 'id',
    column: 'key_encrypted',
    of: ['channel_id', 'key_mac'],
    place: ({ channel_id: channelId, key_mac: mac }) => poolKeyPlace(Number(channelId), String(mac)),
  },
  {
    table: 'channel_keys',
    id: 'id',
    column: 'proxy_password',
    of: ['proxy'],
    place: ({ proxy }) => proxyOf(proxy),
  },
  {
    table: 'tokens',
    id: 'id',
    column: 'key_encrypted',
    of: ['user_id'],
    place: ({ user_id: userId }) => tokenPlace(Number(userId)),
  },
  {
    table: 'redemptions',
    id: 'id',
    column: 'key_encrypted',
    of: ['key_mac'],
    place: ({ key_mac: mac }) => redemptionPlace(String(mac)),
  },
  {
    table: 'seal_keys',
    id: 'number',
    column: 'private_encrypted',
    of: ['key_id'],
    place: ({ key_id: keyId }) => sealKeyPlace(String(keyId)),
  },
  {
    table: 'second_factors',
    id: 'user_id',
    column: 'secret_encrypted',
    place: ({ user_id: userId }) => secondFactorPlace(Number(userId)),
  },
  {
    table: 'users',
    id: 'id',
    column: 'setting',
    field: WEBHOOK_SECRET,
    place: ({ id }) => webhookPlace(Number(id)),
  },
  {
    table: 'options',
    id: 'key',
    isTextId: true,
    column: 'value',
    place: ({ key }) => optionPlace(String(key)),
  },
];
