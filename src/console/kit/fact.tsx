import type { ReactNode } from 'react';

interface FactProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A name and its value, in a list of such (`dl`). */
export const Fact = ({ title, children }: FactProps) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);
