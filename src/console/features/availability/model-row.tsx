import type { KeyboardEvent } from 'react';
import { useRef, useState } from 'react';
import type { readAvailability } from '#contract/api/site/availability.ts';
import type { Data } from '#contract/endpoint.ts';
import { formatDuration, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { barTime, levelOf, shownPercent } from './bars.ts';

type Model = Data<typeof readAvailability>['models'][number];

interface ModelRowProps {
  readonly model: Model;
  /** Unix seconds at which the first bar begins. */
  readonly from: number;
  readonly stepSeconds: number;
}

/** A model with its share, its times, and a bar for each hour or day. */
export const ModelRow = ({ model, from, stepSeconds }: ModelRowProps) => {
  const { t } = useTranslation('availability');
  const { percent, first_token_ms: firstToken } = model;
  return (
    <li className="availability-model">
      <header>
        <h2 className="mono">{model.model}</h2>
        <span className="availability-percent number" data-level={levelOf(percent)}>
          {percent === null ? MISSING : shownPercent(percent)}
        </span>
      </header>
      <Bars model={model} from={from} stepSeconds={stepSeconds} />
      <dl>
        <div>
          <dt>{t('p50')}</dt>
          <dd className="number">{firstToken === null ? MISSING : formatDuration(firstToken.p50)}</dd>
        </div>
        <div>
          <dt>{t('p95')}</dt>
          <dd className="number">{firstToken === null ? MISSING : formatDuration(firstToken.p95)}</dd>
        </div>
      </dl>
    </li>
  );
};

/** All bars of a model are one tab stop: the arrow keys move between them, and screen readers announce each. */
const Bars = ({ model: { model, bars }, from, stepSeconds }: ModelRowProps) => {
  const { t } = useTranslation('availability');
  const [at, setAt] = useState(bars.length - 1);
  const list = useRef<HTMLDivElement>(null);
  const textOf = (bar: number | null, index: number): string =>
    t('bar', {
      time: barTime(from + index * stepSeconds, stepSeconds),
      share: bar === null ? t('levels.none') : shownPercent(bar),
    });
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: bars.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined || bars[next] === undefined) return;
    event.preventDefault();
    setAt(next);
    list.current?.querySelectorAll<HTMLElement>('[role=img]')[next]?.focus();
  };
  return (
    <div
      className="availability-bars"
      role="group"
      aria-label={t('bars', { model })}
      ref={list}
      onKeyDown={move}
    >
      {bars.map((bar, index) => (
        <span
          // The index is a stable key: bars never change their order.
          key={from + index * stepSeconds}
          role="img"
          tabIndex={index === at ? 0 : -1}
          data-level={levelOf(bar)}
          aria-label={textOf(bar, index)}
          data-tip={textOf(bar, index)}
        />
      ))}
    </div>
  );
};
