import { IconCalendar } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { MomentInput } from '../../kit/fields/moment-input.tsx';
import type { ViewControls } from '../../kit/resource-table/filter.ts';
import { formatTime } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { type Range, ranges } from './log-times.ts';

const names = {
  '': 'range.today',
  hour: 'range.hour',
  day: 'range.day',
  yesterday: 'range.yesterday',
  week: 'range.week',
  month: 'range.month',
  all: 'range.all',
} as const satisfies Record<Range, string>;

const isRange = (text: string): text is Range => ranges.some((range) => range === text);

/** A time range: a name (default "today") or two moments. */
export const RangeFilter = ({ controls }: { readonly controls: ViewControls }) => {
  const { t } = useTranslation('logs');
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const { range = '', from = '', to = '' } = controls.view.filters;
  const anchor = `--${id.replace(/[^\w-]/g, '')}`;
  const start = Number(from) || undefined;
  const end = Number(to) || undefined;
  const isNamed = start === undefined && end === undefined;
  const chosen: Range = isRange(range) ? range : '';

  const takeName = (name: Range): void => {
    controls.narrow({ range: name, from: undefined, to: undefined });
    popover.current?.hidePopover();
  };
  const takeMoment = (name: 'from' | 'to', moment: number | undefined): void =>
    controls.narrow({ range: undefined, [name]: moment?.toString() });
  return (
    <span className="filter-time">
      <button type="button" className="input filter-button" popoverTarget={id} style={{ anchorName: anchor }}>
        <IconCalendar size={16} aria-hidden />
        <span className="hidden-visually">{t('filter.time')}</span>
        <span className="truncate">{isNamed ? t(names[chosen]) : momentsText(start, end)}</span>
      </button>
      <div ref={popover} id={id} popover="auto" className="popover" style={{ positionAnchor: anchor }}>
        <div className="presets">
          {ranges.map((name) => (
            <button
              key={name}
              type="button"
              className="preset"
              aria-pressed={isNamed && name === chosen}
              onClick={() => takeName(name)}
            >
              {t(names[name])}
            </button>
          ))}
        </div>
        {(['from', 'to'] as const).map((name) => (
          <label key={name} className="popover-line">
            <span>{t(`filter.${name}`)}</span>
            <MomentInput
              step={1}
              value={name === 'from' ? start : end}
              onDone={(moment) => takeMoment(name, moment)}
            />
          </label>
        ))}
      </div>
    </span>
  );
};

const short = (unixSeconds: number | undefined): string =>
  unixSeconds === undefined ? '…' : formatTime(unixSeconds).slice(5, 16);

const momentsText = (start: number | undefined, end: number | undefined): string =>
  `${short(start)} – ${short(end)}`;
