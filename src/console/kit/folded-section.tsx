import './folded-section.css';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';

interface FoldedSectionProps {
  readonly title: string;
  /** A short summary of the content. */
  readonly about?: string;
  /** Opens it because a field inside has an error. */
  readonly isForcedOpen?: boolean;
  /** The heading's level: 3 in a form, 2 directly below a page title. */
  readonly level?: 2 | 3;
  readonly onFocus?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** A collapsed part of a form. Its fields are mounted when it is first opened, and then stay. */
export const FoldedSection = ({
  title,
  about,
  isForcedOpen = false,
  level = 3,
  onFocus,
  children,
}: FoldedSectionProps) => {
  const Heading = `h${level}` as const;
  const [isOpen, setOpen] = useState(isForcedOpen);
  const [wasOpen, setWasOpen] = useState(isForcedOpen);
  const bodyId = useId();
  // A section with errors stays open, also while the user corrects them.
  if (isForcedOpen && !isOpen) {
    setOpen(true);
    setWasOpen(true);
  }
  const turn = (): void => {
    setOpen(!isOpen);
    setWasOpen(true);
  };
  return (
    <section className="form-section" onFocus={onFocus} onPointerDown={onFocus}>
      <Heading>
        <button type="button" className="fold" aria-expanded={isOpen} aria-controls={bodyId} onClick={turn}>
          <IconChevronRight size={16} aria-hidden />
          {title}
          {about !== undefined && !isOpen && <span className="meta truncate">{about}</span>}
        </button>
      </Heading>
      <div id={bodyId} className="fold-body" hidden={!isOpen}>
        {wasOpen && children}
      </div>
    </section>
  );
};
