import { IconBolt } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { formatDuration, formatRelative } from '../../lib/text/format.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { queryClient } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { probeChannel } from './channel-calls.ts';
import { CHANNELS, responseTone, type Channel } from './channel.ts';

const HealthStrip = late(() => import('./health/health-strip.tsx'));

interface ResponseCellProps {
  readonly channel: Channel;
  /** Reloads a list that sums up the channels. */
  readonly onChanged?: () => void;
}

/**
 * The last day's health, the last test's duration and time, and the button that tests again with the test model.
 */
export const ResponseCell = ({ channel, onChanged }: ResponseCellProps) => {
  const { t } = useTranslation('channels');
  const [failure, setFailure] = useState<string>();
  const isTested = channel.test_time > 0;
  return (
    <span className="channel-response">
      <span>
        <Suspense fallback={<span className="health-strip" />}>
          <HealthStrip channelId={channel.id} />
        </Suspense>
        <span className="channel-speed">
          <span className={`number nowrap tone-${responseTone(channel.response_time)}`}>
            {channel.response_time > 0 ? formatDuration(channel.response_time) : t('response.untested')}
          </span>
          {isTested && <span className="cell-meta">{formatRelative(channel.test_time)}</span>}
        </span>
        {failure !== undefined && (
          <span className="channel-failure tone-bad" role="status" data-tip={failure}>
            {failure}
          </span>
        )}
      </span>
      <TestButton channel={channel} onFailure={setFailure} onChanged={onChanged} />
    </span>
  );
};

interface TestButtonProps {
  readonly channel: Channel;
  /** The error of the last test, shown until the next one; undefined on success. */
  readonly onFailure: (message: string | undefined) => void;
  readonly onChanged: (() => void) | undefined;
}

const TestButton = ({ channel, onFailure, onChanged }: TestButtonProps) => {
  const { t } = useTranslation('channels');
  const [isBusy, setBusy] = useState(false);
  const { name } = channel;

  const test = async (): Promise<void> => {
    setBusy(true);
    onFailure(undefined);
    try {
      const { milliseconds } = await probeChannel(channel.id, '');
      toast('ok', t('tested', { name, time: formatDuration(milliseconds) }));
    } catch (error) {
      onFailure(t('testFailed', { name, message: messageOf(error) }));
    }
    setBusy(false);
    onChanged?.();
    await queryClient.invalidateQueries({ queryKey: [CHANNELS] });
  };
  return (
    <button
      type="button"
      className="icon-button channel-test"
      aria-label={t('response.test', { name })}
      aria-busy={isBusy || undefined}
      data-tip={t('response.tip')}
      // Disabled it would lose the focus.
      onClick={() => !isBusy && void test()}
    >
      {isBusy ? <span className="channel-spin" /> : <IconBolt size={16} stroke={1.7} />}
    </button>
  );
};
