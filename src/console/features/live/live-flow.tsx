import { useMemo } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { keptWhole, listed } from '../../lib/text/format.ts';
import { HealthPill } from './health-pill.tsx';
import { flowOf, healthOf, keyTone, type LiveChannel, type LiveKey, toneOf } from './live.ts';

const ROW = 34;
const TOP = 34;
const BOX = { width: 200, height: 26 } as const;
/** The positions of the columns; the last exists only if a channel has several keys. */
const COLUMNS = [0, 290, 580, 870] as const;
const NAME_LENGTH = 24;

const middleOf = (row: number): number => TOP + row * ROW + BOX.height / 2;
const shortened = (name: string): string =>
  name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name;

/** A curve from the end of a box to the beginning of a box in the next column. */
const bow = (column: 0 | 1 | 2, from: number, to: number): string => {
  const [x, end] = [COLUMNS[column] + BOX.width, COLUMNS[column + 1] ?? 0];
  const half = (x + end) / 2;
  return `M${x} ${middleOf(from)}C${half} ${middleOf(from)} ${half} ${middleOf(to)} ${end} ${middleOf(to)}`;
};

/** The flow from groups over models to channels: a picture, and a list for screen readers. */
export const LiveFlow = ({ channels: all }: { readonly channels: readonly LiveChannel[] }) => {
  const { t } = useTranslation('live');
  const flow = useMemo(() => flowOf(all), [all]);
  const { groups, models, channels, keys } = flow;
  if (channels.length === 0) return null;
  const heading = t(keys.length > 0 ? 'flowOfKeys' : 'flow');
  const rows = Math.max(groups.length, models.length, channels.length, keys.length);
  const width = COLUMNS[keys.length > 0 ? 3 : 2] + BOX.width;
  const height = TOP + rows * ROW;
  return (
    <section className="live-flow" aria-label={heading}>
      <h2>{heading}</h2>
      <div className="live-flow-scroll" tabIndex={0} role="group" aria-label={heading}>
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden>
          {[t('groups'), t('models'), t('channels'), ...(keys.length > 0 ? [t('keysShort')] : [])].map(
            (title, column) => (
              <text key={title} className="live-flow-title" x={COLUMNS[column]} y={18}>
                {title}
              </text>
            ),
          )}
          {flow.asks.map(({ from, to }) => (
            <path key={`${from} ${to}`} className="live-way" d={bow(0, from, to)} />
          ))}
          {flow.goes.map(({ from, to }) => (
            <path
              key={`${from} ${to}`}
              className={`live-way live-way-${toneAt(channels[to])}`}
              d={bow(1, from, to)}
            />
          ))}
          {keys.map(({ from, to, key }) => (
            <path key={key.id} className={`live-way live-way-${keyTone(key)}`} d={bow(2, from, to)} />
          ))}
          <Boxes column={0} names={groups} />
          <Boxes column={1} names={models} />
          <Boxes column={2} names={channels.map(({ name }) => name)} tones={channels.map(toneAt)} />
          <Boxes
            column={3}
            names={keys.map(({ key }) => key.name)}
            tones={keys.map(({ key }) => keyTone(key))}
          />
        </svg>
      </div>
      <ul className="live-flow-list">
        {channels.map((channel) => (
          <FlowEntry key={channel.id} channel={channel} />
        ))}
      </ul>
    </section>
  );
};

/** A channel and the flows to it as text, for screen readers and narrow screens. */
const FlowEntry = ({ channel }: { readonly channel: LiveChannel }) => {
  const { routes, name, keys, pool } = channel;
  return (
    <li>
      <header>
        <b>{name}</b>
        <HealthPill channel={channel} />
      </header>
      <span>
        {unique(routes.map(({ group }) => group))} → {unique(routes.map(({ model }) => model))} → {name}
      </span>
      {pool > 0 && <FlowKeys keys={keys} />}
    </li>
  );
};

const FlowKeys = ({ keys }: { readonly keys: readonly LiveKey[] }) => {
  const { t } = useTranslation('live');
  return (
    <span className="meta">{t('keysNamed', { names: listed(keys.map(({ name }) => keptWhole(name))) })}</span>
  );
};

const unique = (names: readonly string[]): string => listed([...new Set(names)]);
const toneAt = (channel: LiveChannel | undefined): string =>
  channel === undefined ? 'muted' : toneOf[healthOf(channel)];

interface BoxesProps {
  readonly column: 0 | 1 | 2 | 3;
  readonly names: readonly string[];
  readonly tones?: readonly string[];
}

const Boxes = ({ column, names, tones = [] }: BoxesProps) =>
  names.map((name, row) => (
    // Keys of two channels may have one name.
    <g key={`${name} ${String(row)}`} className={`live-box live-box-${tones[row] ?? 'muted'}`}>
      <rect x={COLUMNS[column]} y={TOP + row * ROW} width={BOX.width} height={BOX.height} rx={6} />
      <text x={COLUMNS[column] + 10} y={middleOf(row) + 4}>
        {shortened(name)}
        <title>{name}</title>
      </text>
    </g>
  ));
