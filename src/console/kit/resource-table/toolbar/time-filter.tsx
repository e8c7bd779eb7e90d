import { IconCalendar } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { formatTime } from '../../../lib/text/format.ts';
import { MomentInput } from '../../fields/moment-input.tsx';
import { ZoneNote } from '../../fields/zone-note.tsx';
import type { Filter, ViewControls } from '../filter.ts';
import { DAY_S, HOUR_S, MONTH_S, WEEK_S } from '../../../lib/text/spans.ts';

interface TimeFilterProps {
  readonly filter: Filter & { readonly kind: 'time' };
  readonly controls: ViewControls;
}

/** A start before all data; without a start the page uses its default. */
const FROM_THE_START = 1;
const ranges = [
  ['table.lastHour', HOUR_S],
  ['table.lastDay', DAY_S],
  ['table.lastWeek', WEEK_S],
  ['table.lastMonth', MONTH_S],
] as const;

/** A time range: the page's default, which is the filter's name, a preset, or two moments. */
const TimeFilter = ({ filter, controls }: TimeFilterProps) => {
  const { t } = useTranslation();
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const fromName = `${filter.id}_from`;
  const toName = `${filter.id}_to`;
  const from = Number(controls.view.filters[fromName]) || undefined;
  const to = Number(controls.view.filters[toName]) || undefined;
  const take = (next: { from: number | undefined; to: number | undefined }): void =>
    controls.narrow({ [fromName]: next.from?.toString(), [toName]: next.to?.toString() });
  const choose = (next: number | undefined): void => {
    take({ from: next, to: undefined });
    popover.current?.hidePopover();
  };
  const text = from === FROM_THE_START && to === undefined ? t('table.allTime') : rangeText(from, to);
  return (
    <span className="filter-time">
      <button
        type="button"
        className="input filter-button"
        popoverTarget={id}
        style={{ anchorName: `--${safe(id)}` }}
      >
        <IconCalendar size={16} aria-hidden />
        <span className="truncate">{text ?? filter.label}</span>
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="popover"
        style={{ positionAnchor: `--${safe(id)}` }}
      >
        <div className="presets">
          <button type="button" className="preset" onClick={() => choose(undefined)}>
            {filter.label}
          </button>
          {ranges.map(
            ([label, seconds]) =>
              t(label) !== filter.label && (
                <button
                  key={label}
                  type="button"
                  className="preset"
                  onClick={() => choose(Math.floor(Date.now() / 1000) - seconds)}
                >
                  {t(label)}
                </button>
              ),
          )}
          <button type="button" className="preset" onClick={() => choose(FROM_THE_START)}>
            {t('table.allTime')}
          </button>
        </div>
        <label className="popover-line">
          <span>{t('table.from')}</span>
          <MomentInput step={1} value={from} onDone={(moment) => take({ from: moment, to })} />
        </label>
        <label className="popover-line">
          <span>{t('table.to')}</span>
          <MomentInput step={1} value={to} onDone={(moment) => take({ from, to: moment })} />
        </label>
        <ZoneNote />
      </div>
    </span>
  );
};

/** React's ids contain characters that CSS names may not have. */
const safe = (id: string): string => id.replace(/[^\w-]/g, '');

const short = (unixSeconds: number): string => formatTime(unixSeconds).slice(5, 16);

const rangeText = (from: number | undefined, to: number | undefined): string | undefined => {
  if (from === undefined && to === undefined) return undefined;
  return `${from === undefined ? '…' : short(from)} – ${to === undefined ? '…' : short(to)}`;
};

export default TimeFilter;
