import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface NamedCellProps {
  readonly name: string;
  /** Stands before both lines. */
  readonly mark?: ReactNode;
  /** More for the name than a cell's title has. */
  readonly nameClass?: string;
  /** What is said beside, in the second line; left out where lists are compact. */
  readonly children: ReactNode;
}

/** What a row is called, and a line of what else tells it apart. */
export const NamedCell = ({ name, mark, nameClass, children }: NamedCellProps) => (
  <span className="cell-main">
    {mark}
    <span>
      <span className={classNames('cell-title', nameClass)} data-tip={name}>
        {name}
      </span>
      <span className="cell-meta number">{children}</span>
    </span>
  </span>
);
