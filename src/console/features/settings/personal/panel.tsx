import { useId, type ReactNode } from 'react';

interface PanelProps {
  readonly title: string;
  readonly about?: string;
  readonly foot?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** One card of the personal tab. */
export const Panel = ({ title, about, foot, wide = false, children }: PanelProps) => {
  const id = useId();
  return (
    <section className="personal-panel" data-wide={wide || undefined} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {about !== undefined && <p>{about}</p>}
      </header>
      <div className="personal-body">{children}</div>
      {foot !== undefined && <footer>{foot}</footer>}
    </section>
  );
};

/** A line of a card: a name, its value, and its actions. */
export const PanelRow = ({
  name,
  value,
  icon,
  children,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}) => (
  <div className="personal-row">
    {icon !== undefined && <span className="personal-icon">{icon}</span>}
    <div className="personal-what">
      <strong>{name}</strong>
      <span className="personal-value">{value}</span>
    </div>
    <div className="personal-do">{children}</div>
  </div>
);
