import { IconPlugConnected } from '@tabler/icons-react';
import { channelType } from '#contract/channel-types.ts';

/** The tile of an upstream kind. Coloured marks are pictures, single-coloured ones take the colour of text. */
export const ProviderIcon = ({ type }: { readonly type: number }) => {
  return <IconTile icon={channelType(type)?.icon ?? 'custom'} />;
};

/** The tile of one of the console's icons, by its file name. */
export const IconTile = ({ icon }: { readonly icon: string }) => (
  <span className="tile" aria-hidden>
    {mark(icon)}
  </span>
);

const mark = (icon: string) => {
  if (icon === 'custom') return <IconPlugConnected size={17} stroke={1.6} />;
  const url = `/icons/${icon}.svg`;
  if (icon.endsWith('-color')) return <img src={url} alt="" width={18} height={18} loading="lazy" />;
  return <span className="tile-mask" style={{ maskImage: `url(${url})` }} />;
};
