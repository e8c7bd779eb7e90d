import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

interface BatchButtonProps {
  readonly onClick: () => void;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

/** One action of the batch bar. */
export const BatchButton = ({ onClick, icon, danger = false, children }: BatchButtonProps) => (
  <button type="button" className={classNames('batch-button', danger && 'batch-danger')} onClick={onClick}>
    {icon}
    {children}
  </button>
);
