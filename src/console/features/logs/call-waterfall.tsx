import './call-waterfall.css';
import { formatDuration } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { RouteFacts } from './call-facts.ts';
import type { LogEntry } from './log-query.ts';
import { type Line, type StageName, waterfallOf } from './waterfall.ts';

const colours: Readonly<Record<StageName, string>> = {
  read: 'var(--chart-rest)',
  hold: 'var(--chart-3)',
  choose: 'var(--chart-4)',
  connect: 'var(--chart-5)',
  firstByte: 'var(--chart-6)',
  firstToken: 'var(--chart-1)',
  failed: 'var(--bad)',
  answer: 'var(--chart-2)',
  settle: 'var(--chart-3)',
};

interface CallWaterfallProps {
  readonly route: RouteFacts;
  readonly entry: LogEntry;
  readonly names: ReadonlyMap<number, string>;
}

/** The timeline of a call: a line for each stage, and one for each attempt. */
export const CallWaterfall = ({ route, entry, names }: CallWaterfallProps) => {
  const { t } = useTranslation('log-more');
  const lines = waterfallOf(route, entry.use_time_ms);
  if (lines.length === 0) return null;
  const wholeMs = Math.max(1, ...lines.flatMap(({ pieces }) => pieces.map(({ toMs }) => toMs)));
  return (
    <section className="log-part log-part-wide">
      <h2>{t('waterfall.title')}</h2>
      <ol className="waterfall">
        {lines.map((line, at) => (
          <WaterfallLine
            key={at}
            line={line}
            wholeMs={wholeMs}
            title={
              line.channel === undefined
                ? t(`waterfall.${line.pieces[0]?.stage ?? 'read'}`)
                : `${names.get(line.channel) ?? ''} #${line.channel}`
            }
          />
        ))}
      </ol>
    </section>
  );
};

const WaterfallLine = ({
  line: { pieces },
  wholeMs,
  title,
}: {
  readonly line: Line;
  readonly wholeMs: number;
  readonly title: string;
}) => {
  const { t } = useTranslation('log-more');
  const fromMs = pieces[0]?.fromMs ?? 0;
  const toMs = pieces.at(-1)?.toMs ?? fromMs;
  const share = (ms: number): string => `${(ms / wholeMs) * 100}%`;
  const tip = pieces
    .map((piece) => `${t(`waterfall.${piece.stage}`)} ${formatDuration(piece.toMs - piece.fromMs)}`)
    .join(' · ');
  return (
    <li data-tip={tip}>
      <span className="waterfall-title">{title}</span>
      <span className="waterfall-track" aria-hidden>
        {pieces.map((piece) => (
          <span
            key={piece.stage}
            className="waterfall-piece"
            style={{
              left: share(piece.fromMs),
              width: share(piece.toMs - piece.fromMs),
              background: colours[piece.stage],
            }}
          />
        ))}
      </span>
      <span className="meta number">{formatDuration(toMs - fromMs)}</span>
      {pieces.length > 1 && <span className="meta waterfall-pieces">{tip}</span>}
    </li>
  );
};
