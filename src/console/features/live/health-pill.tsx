import { StatusPill } from '../../kit/status.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { healthOf, type LiveChannel, toneOf } from './live.ts';
import { listed } from '../../lib/text/format.ts';

/** The state of a channel; its tooltip names the models that cool down. */
export const HealthPill = ({ channel }: { readonly channel: LiveChannel }) => {
  const { t } = useTranslation('live');
  const health = healthOf(channel);
  return (
    <StatusPill tone={toneOf[health]} tip={listed(channel.cooling_models)}>
      {t(`health.${health}`, {
        count: channel.cooling_models.length,
        seconds: channel.breaker.seconds_left,
      })}
    </StatusPill>
  );
};
