import { applicationTypes } from './channel-types/application-types.ts';
import type { ChannelType } from './channel-types/channel-type.ts';
import { hostTypes } from './channel-types/host-types.ts';
import { makerTypes } from './channel-types/maker-types.ts';

const rows = [...makerTypes, ...hostTypes, ...applicationTypes];

/** All channel types, in the order of their numbers. */
export const channelTypes: readonly ChannelType[] = rows.toSorted((one, other) => one.id - other.id);

export type ChannelTypeId = (typeof rows)[number]['id'];

/** Drawing and music types: a request returns a task id, and the result is fetched later. */
export const midjourneyTypes = [2, 5] as const;
export const sunoTypes = [36] as const;

type TaskTypeId = (typeof midjourneyTypes | typeof sunoTypes)[number];

/** The number of a type whose calls are relayed: each needs a provider. */
export type RelayedTypeId = Exclude<ChannelTypeId, TaskTypeId>;

const byId = new Map<number, ChannelType>(rows.map((row) => [row.id, row]));

/** The row of a type number, or undefined if the type does not exist. */
export const channelType = (id: number): ChannelType | undefined => byId.get(id);

/** Whether a channel of this type must have an address, because the type has no default. */
export const needsAddress = (id: number): boolean => {
  const type = channelType(id);
  return type?.baseUrl === '' && type.addressByRegion !== true;
};

/** What a channel of this type must have in `other`, if calls are impossible without it. */
export const neededOther = (id: number): 'account-id' | 'bot-id' | 'library-id' | undefined => {
  const other = channelType(id)?.other;
  return other === 'account-id' || other === 'bot-id' || other === 'library-id' ? other : undefined;
};
