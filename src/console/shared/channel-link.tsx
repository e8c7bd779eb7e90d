import { Link } from '@tanstack/react-router';
import { useTranslation } from '../lib/text/i18n.ts';
import { MISSING } from '../lib/text/format.ts';

interface ChannelLinkProps {
  /** 0 where there is none. */
  readonly id: number;
  /** Empty if the channel was deleted. */
  readonly name: string;
}

/** A channel by its name and number; a click opens it. */
export const ChannelLink = ({ id, name }: ChannelLinkProps) => {
  const { t } = useTranslation();
  if (id === 0) return <span className="tone-muted">{MISSING}</span>;
  return (
    <span className="cell-main">
      <span>
        {name === '' ? (
          <span className="cell-title tone-muted">{t('channelGone')}</span>
        ) : (
          <Link to="/channel" search={{ edit: String(id) }} className="link cell-title" data-tip={name}>
            {name}
          </Link>
        )}
        <span className="cell-meta number">#{id}</span>
      </span>
    </span>
  );
};
