import type { ReactNode } from 'react';
import { inOneDirection } from '#contract/one-direction.ts';
import { classNames } from '../class-names.ts';

interface NamedCellProps {
  readonly name: string;
  /** Shown before both lines. */
  readonly mark?: ReactNode;
  /** A further class for the name. */
  readonly nameClass?: string;
  /** The second line; hidden in compact lists. */
  readonly children: ReactNode;
}

/** The name of a row, and a second line with details. */
export const NamedCell = ({ name, mark, nameClass, children }: NamedCellProps) => (
  <span className="cell-main">
    {mark}
    <span>
      <span className={classNames('cell-title', nameClass)} data-tip={name}>
        {inOneDirection(name)}
      </span>
      <span className="cell-meta number">{children}</span>
    </span>
  </span>
);
