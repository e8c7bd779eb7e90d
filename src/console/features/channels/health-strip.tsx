import './health-strip.css';
import { useQuery } from '@tanstack/react-query';
import { readChannelHours } from '#contract/api/data.ts';
import { call } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { firstHourOf, type Health, HEALTH_HOURS, healthByChannel, type SlotTone } from './health-slots.ts';

const REFRESH_MS = 60_000;
const SLOT_WIDTH = 5;
const TONES = ['none', 'ok', 'warn', 'bad'] as const satisfies readonly SlotTone[];
const NOTHING: readonly SlotTone[] = Array.from({ length: HEALTH_HOURS }, () => 'none');

/** Rows that appear together ask together. */
const TOGETHER_MS = 10;
const MOST_TOGETHER = 100;

type Loaded = ReturnType<typeof healthByChannel>;

let waiting: { readonly ids: Set<number>; readonly loaded: Promise<Loaded> } | undefined;

const loadTogether = async (ids: ReadonlySet<number>): Promise<Loaded> => {
  await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
  waiting = undefined;
  const first = firstHourOf(Date.now());
  const query = { start_timestamp: first, ids: [...ids].join(',') };
  return healthByChannel(await call(readChannelHours, { query }), first);
};

/** The health of a channel that is shown: what is not on the screen is not asked for. */
const loadHealth = async (channelId: number): Promise<Health | null> => {
  if (waiting === undefined || waiting.ids.size >= MOST_TOGETHER) {
    const ids = new Set<number>();
    waiting = { ids, loaded: loadTogether(ids) };
  }
  waiting.ids.add(channelId);
  return (await waiting.loaded).get(channelId) ?? null;
};

/** All slots of one tone as one path, to keep the table's DOM small. Hours without calls are low bars. */
const pathOf = (slots: readonly SlotTone[], tone: SlotTone): string =>
  slots
    .map((slot, index) => {
      if (slot !== tone) return '';
      const x = String(index * SLOT_WIDTH);
      return tone === 'none' ? `M${x} 8h3v6h-3z` : `M${x} 0h3v14h-3z`;
    })
    .join('');

/** A channel's last 24 hours, one bar per hour, coloured by how its calls ended. */
const HealthStrip = ({ channelId }: { readonly channelId: number }) => {
  const { t } = useTranslation('channels');
  const { data: health } = useQuery({
    queryKey: ['channel-health', channelId],
    queryFn: () => loadHealth(channelId),
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS,
  });
  const slots = health?.slots ?? NOTHING;
  const words =
    health === undefined || health === null
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
