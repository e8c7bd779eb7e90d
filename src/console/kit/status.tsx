import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { listed } from '../lib/text/format.ts';

export type Tone = 'ok' | 'warn' | 'bad' | 'lime' | 'info' | 'muted';

/** A state in words on a soft ground with a dot; never colour alone. `tip` says more on hover. */
export const StatusPill = ({
  tone,
  tip,
  children,
}: {
  readonly tone: Tone;
  readonly tip?: string;
  readonly children: ReactNode;
}) => (
  <span className={`pill pill-${tone}`} data-tip={tip}>
    {children}
  </span>
);

/** A small neutral chip: a group, a model, a tag. `tone` gives it a soft colour. */
export const Chip = ({
  tone,
  tip,
  children,
}: {
  readonly tone?: Tone;
  readonly tip?: string;
  readonly children: ReactNode;
}) => (
  <span className={classNames('chip', tone !== undefined && `chip-${tone}`)} data-tip={tip}>
    {children}
  </span>
);

/** The first chips of a list and `+n` for the rest, whose names are in its tooltip. */
export const Chips = ({
  names,
  shown = 1,
}: {
  readonly names: readonly string[];
  readonly shown?: number;
}) => (
  <span className="chips">
    {names.slice(0, shown).map((name) => (
      <Chip key={name}>{name}</Chip>
    ))}
    {names.length > shown && <Chip tip={listed(names.slice(shown))}>+{names.length - shown}</Chip>}
  </span>
);

interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Its name for screen readers. */
  readonly label: string;
  readonly disabled?: boolean;
  /** What the position means, in words beside it. */
  readonly children?: ReactNode;
}

/** On or off, acting at once. In forms use SwitchField. */
export const Switch = ({ checked, onChange, label, disabled = false, children }: SwitchProps) => (
  <span className="switch-line">
    <input
      type="checkbox"
      role="switch"
      className="switch"
      checked={checked}
      disabled={disabled}
      aria-label={label}
      onChange={(event) => onChange(event.target.checked)}
    />
    {children}
  </span>
);
