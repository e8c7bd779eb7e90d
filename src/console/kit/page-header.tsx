import './page-header.css';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  readonly title: string;
  /** One sentence that says what the page is for. */
  readonly about?: string;
  /** The page's main actions, at the right. */
  readonly children?: ReactNode;
}

/** The heading of a page. */
export const PageHeader = ({ title, about, children }: PageHeaderProps) => (
  <header className="page-header">
    <div>
      <h1>{title}</h1>
      {about !== undefined && <p>{about}</p>}
    </div>
    {children !== undefined && <div className="page-actions">{children}</div>}
  </header>
);
