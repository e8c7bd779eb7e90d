import type { ReactNode } from 'react';

interface FactProps {
  readonly title: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A name and its value, in a list of such (`dl`). */
export const Fact = ({ title, className, children }: FactProps) => (
  <div className={className}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);
