import './health-strip.css';
import { formatCount } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { HEALTH_HOURS, type SlotTone } from './health-slots.ts';
import { useHealth } from './use-health.ts';

const SLOT_WIDTH = 5;
const TONES = ['none', 'ok', 'warn', 'bad'] as const satisfies readonly SlotTone[];
const NOTHING: readonly SlotTone[] = Array.from({ length: HEALTH_HOURS }, () => 'none');

/** The shape of a bar says its tone without colour: low without calls, an exclamation mark if all failed. */
const bars: Readonly<Record<SlotTone, (x: number) => string>> = {
  none: (x) => `M${x} 8h3v6h-3z`,
  ok: (x) => `M${x} 0h3v14h-3z`,
  warn: (x) => `M${x} 0h3v14h-3z`,
  bad: (x) => `M${x} 0h3v9h-3zM${x} 11h3v3h-3z`,
};

/** All slots of one tone as one path, to keep the table's DOM small. */
const pathOf = (slots: readonly SlotTone[], tone: SlotTone): string =>
  slots.map((slot, index) => (slot === tone ? bars[tone](index * SLOT_WIDTH) : '')).join('');

/** A channel's last 24 hours, one bar per hour, coloured by how its calls ended. */
const HealthStrip = ({ channelId }: { readonly channelId: number }) => {
  const { t } = useTranslation('channels');
  const health = useHealth(channelId);
  const slots = health?.slots ?? NOTHING;
  const words =
    health === undefined
      ? t('health.none')
      : t('health.calls', { answered: formatCount(health.answered), failed: formatCount(health.failed) });
  return (
    <svg
      className="health-strip"
      viewBox={`0 0 ${String(HEALTH_HOURS * SLOT_WIDTH - 2)} 14`}
      role="img"
      aria-label={words}
      data-tip={words}
    >
      {TONES.map((tone) => {
        const path = pathOf(slots, tone);
        return path !== '' && <path key={tone} className={`health-${tone}`} d={path} />;
      })}
    </svg>
  );
};

export default HealthStrip;
