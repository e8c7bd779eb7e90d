import type { Channel } from '#core/channel/channel.ts';
import { Secret } from '#core/secret.ts';

/** A channel of a type, with the key `secret-key` and nothing else. */
export const channelOf = (type: number, changes: Partial<Channel> = {}): Channel => ({
  id: 1,
  type,
  name: 'c',
  status: 1,
  key: new Secret('secret-key'),
  organization: '',
  baseUrl: '',
  other: '',
  models: [],
  groups: ['default'],
  modelMapping: new Map(),
  statusCodeMapping: new Map(),
  setting: {},
  paramOverride: {},
  testModel: '',
  maxInputTokens: 0,
  priority: 0,
  weight: 0,
  autoDisable: true,
  tag: null,
  ...changes,
});
