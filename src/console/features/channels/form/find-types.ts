import { channelTypes } from '#contract/channel-types.ts';
import type { ChannelType } from '#contract/channel-types/channel-type.ts';
import { typeGuides } from '#contract/channel-types/type-guides.ts';

/** Ignores case, spaces and dots: `OpenRouter`, `open router`, `Z.ai`. */
const plain = (text: string): string => text.toLowerCase().replace(/[\s.·/-]+/g, '');

const rankOf = (type: ChannelType, wanted: string): number => {
  const label = plain(type.label);
  if (label.startsWith(wanted)) return 0;
  const { labelZh = '', otherNames = '' } = typeGuides[type.id] ?? {};
  const known = [...labelZh.split(/[\s·]+/), ...otherNames.split(' ')].map(plain);
  if (known.some((name) => name.startsWith(wanted))) return 1;
  return label.includes(wanted) || plain(labelZh + otherNames).includes(wanted) ? 2 : 3;
};

/** Channel types whose name, in any language, is or starts with this text; best match first. */
export const findTypes = (search: string): readonly ChannelType[] => {
  const wanted = plain(search);
  if (wanted === '') return channelTypes;
  return channelTypes
    .map((type) => ({ type, rank: rankOf(type, wanted) }))
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ type }) => type);
};
