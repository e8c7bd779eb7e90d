import { IconCalendar } from '@tabler/icons-react';
import { Suspense, useId, useRef, useState } from 'react';
import { late } from '../../kit/late.tsx';
import type { ViewControls } from '../../kit/resource-table/filter.ts';
import { formatTime } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { type Range, rangeNames, ranges } from './log-times.ts';

const isRange = (text: string): text is Range => ranges.some((range) => range === text);

const loadPanel = () => import('./range-panel.tsx');
const RangePanel = late(loadPanel);
// Before the click; where that fails, the click loads it again.
const prepare = (): void => void loadPanel().catch(() => undefined);

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
  const [isOpened, setOpened] = useState(false);
  return (
    <span className="filter-time">
      <button
        type="button"
        className="input filter-button"
        popoverTarget={id}
        style={{ anchorName: anchor }}
        onPointerEnter={prepare}
        onFocus={prepare}
      >
        <IconCalendar size={16} aria-hidden />
        <span className="hidden-visually">{t('filter.time')}</span>
        <span className="truncate">{isNamed ? t(rangeNames[chosen]) : momentsText(start, end)}</span>
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        className="popover"
        style={{ positionAnchor: anchor }}
        onToggle={() => setOpened(true)}
      >
        {isOpened && (
          <Suspense>
            <RangePanel
              controls={controls}
              chosen={isNamed ? chosen : undefined}
              start={start}
              end={end}
              onClose={() => popover.current?.hidePopover()}
            />
          </Suspense>
        )}
      </div>
    </span>
  );
};

const short = (unixSeconds: number | undefined): string =>
  unixSeconds === undefined ? '…' : formatTime(unixSeconds).slice(5, 16);

const momentsText = (start: number | undefined, end: number | undefined): string =>
  `${short(start)} – ${short(end)}`;
