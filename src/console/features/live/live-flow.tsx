import { useMemo } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { flowOf, healthOf, type LiveChannel, toneOf } from './live.ts';

const WIDTH = 860;
const ROW = 34;
const TOP = 34;
const BOX = { width: 220, height: 26 } as const;
/** Where the three columns begin. */
const COLUMNS = [0, 320, 640] as const;
const NAME_LENGTH = 26;

const middleOf = (row: number): number => TOP + row * ROW + BOX.height / 2;
const shortened = (name: string): string =>
  name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name;

/** A bow from the end of a box to the beginning of one in the next column. */
const bow = (column: 0 | 1, from: number, to: number): string => {
  const [x, end] = [COLUMNS[column] + BOX.width, COLUMNS[column + 1] ?? 0];
  const half = (x + end) / 2;
  return `M${x} ${middleOf(from)}C${half} ${middleOf(from)} ${half} ${middleOf(to)} ${end} ${middleOf(to)}`;
};

/** Which groups asked for which models, and where they went: a picture, and a list for those who do not see it. */
export const LiveFlow = ({ channels: all }: { readonly channels: readonly LiveChannel[] }) => {
  const { t } = useTranslation('live');
  const flow = useMemo(() => flowOf(all), [all]);
  const { groups, models, channels } = flow;
  if (channels.length === 0) return null;
  const rows = Math.max(groups.length, models.length, channels.length);
  const height = TOP + rows * ROW;
  return (
    <section className="live-flow" aria-label={t('flow')}>
      <h2>{t('flow')}</h2>
      <div className="live-flow-scroll" tabIndex={0} role="group" aria-label={t('flow')}>
        <svg viewBox={`0 0 ${WIDTH} ${height}`} width={WIDTH} height={height} aria-hidden>
          {([t('groups'), t('models'), t('channels')] as const).map((title, column) => (
            <text key={title} className="live-flow-title" x={COLUMNS[column]} y={18}>
              {title}
            </text>
          ))}
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
          <Boxes column={0} names={groups} />
          <Boxes column={1} names={models} />
          <Boxes column={2} names={channels.map(({ name }) => name)} tones={channels.map(toneAt)} />
        </svg>
      </div>
      <ul className="hidden-visually">
        {channels.map((channel) => (
          <li key={channel.id}>
            {t('way', {
              groups: unique(channel.routes.map(({ group }) => group)),
              models: unique(channel.routes.map(({ model }) => model)),
              channel: channel.name,
            })}
            {channel.keys.length > 0 && `: ${channel.keys.map(({ name }) => name).join(', ')}`}
          </li>
        ))}
      </ul>
    </section>
  );
};

const unique = (names: readonly string[]): string => [...new Set(names)].join(', ');
const toneAt = (channel: LiveChannel | undefined): string =>
  channel === undefined ? 'muted' : toneOf[healthOf(channel)];

interface BoxesProps {
  readonly column: 0 | 1 | 2;
  readonly names: readonly string[];
  readonly tones?: readonly string[];
}

const Boxes = ({ column, names, tones = [] }: BoxesProps) =>
  names.map((name, row) => (
    <g key={name} className={`live-box live-box-${tones[row] ?? 'muted'}`}>
      <rect x={COLUMNS[column]} y={TOP + row * ROW} width={BOX.width} height={BOX.height} rx={6} />
      <text x={COLUMNS[column] + 10} y={middleOf(row) + 4}>
        {shortened(name)}
        <title>{name}</title>
      </text>
    </g>
  ));
