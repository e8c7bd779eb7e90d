import { MomentInput } from '../../kit/fields/moment-input.tsx';
import { ZoneNote } from '../../kit/fields/zone-note.tsx';
import type { ViewControls } from '../../kit/resource-table/filter.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { type Range, rangeNames, ranges } from './log-times.ts';

interface RangePanelProps {
  readonly controls: ViewControls;
  /** The named range that is shown; undefined while it is two moments. */
  readonly chosen: Range | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly onClose: () => void;
}

/** What the time filter opens: names, and two moments that can be typed. */
const RangePanel = ({ controls, chosen, start, end, onClose }: RangePanelProps) => {
  const { t } = useTranslation('logs');
  const takeName = (name: Range): void => {
    controls.narrow({ range: name, from: undefined, to: undefined });
    onClose();
  };
  return (
    <>
      <div className="presets">
        {ranges.map((name) => (
          <button
            key={name}
            type="button"
            className="preset"
            aria-pressed={name === chosen}
            onClick={() => takeName(name)}
          >
            {t(rangeNames[name])}
          </button>
        ))}
      </div>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className="popover-line">
          <span>{t(`filter.${name}`)}</span>
          <MomentInput
            step={1}
            value={name === 'from' ? start : end}
            onDone={(moment) => controls.narrow({ range: undefined, [name]: moment?.toString() })}
          />
        </label>
      ))}
      <ZoneNote />
    </>
  );
};

export default RangePanel;
