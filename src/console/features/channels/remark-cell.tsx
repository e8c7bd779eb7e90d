import { useTranslation } from '../../lib/text/i18n.ts';
import { CHANNEL_REMARK_MAX_LENGTH } from '#contract/limits.ts';
import { InlineText } from '../../kit/tables/inline-text.tsx';
import { saveRemark } from './channel-calls.ts';
import type { Channel } from './channel.ts';

/** The administrators' remark, edited in the table. */
const RemarkCell = ({ channel }: { readonly channel: Channel }) => {
  const { t } = useTranslation('channels');
  return (
    <InlineText
      value={channel.remark}
      label={t('remarkOf', { name: channel.name })}
      placeholder={t('addRemark')}
      maxLength={CHANNEL_REMARK_MAX_LENGTH}
      onChange={(remark) => void saveRemark(channel, remark)}
    />
  );
};

export default RemarkCell;
