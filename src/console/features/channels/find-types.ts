import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import { typeGuides } from './type-guides.ts';

/** Upper or lower case, spaces and dots do not tell names apart: `OpenRouter`, `open router`, `Z.ai`. */
const plain = (text: string): string => text.toLowerCase().replace(/[\s.·/-]+/g, '');

const rankOf = (type: ChannelType, wanted: string): number => {
  const label = plain(type.label);
  if (label.startsWith(wanted)) return 0;
  const { zh = '', names = '' } = typeGuides[type.id] ?? {};
  const known = [...zh.split(/[\s·]+/), ...names.split(' ')].map(plain);
  if (known.some((name) => name.startsWith(wanted))) return 1;
  return label.includes(wanted) || plain(zh + names).includes(wanted) ? 2 : 3;
};

/** The kinds of upstreams that go by this name or one that begins so, in any language; the closest first. */
export const findTypes = (search: string): readonly ChannelType[] => {
  const wanted = plain(search);
  if (wanted === '') return channelTypes;
  return channelTypes
    .map((type) => ({ type, rank: rankOf(type, wanted) }))
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ type }) => type);
};
