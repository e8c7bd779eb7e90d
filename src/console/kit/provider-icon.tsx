import { IconPlugConnected } from '@tabler/icons-react';
import { channelType } from '#contract/channel-types.ts';

/** The icon of a channel type. Coloured logos are pictures; monochrome ones take the text colour. */
export const ProviderIcon = ({ type }: { readonly type: number }) => {
  return <IconTile icon={channelType(type)?.icon ?? 'custom'} />;
};

/** One of the console's icons, by its file name. */
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
