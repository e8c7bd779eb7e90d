import { lazy, Suspense, useRef, useState, type ReactNode } from 'react';

const loadList = () => import('./menu-list.tsx');
const MenuList = lazy(loadList);
// Asked for ahead of the click; where that fails, the click asks again.
const prepare = (): void => void loadList().catch(() => undefined);

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly run: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** For choices: a tick in front of the chosen one. */
  readonly checked?: boolean;
  /** A line above this entry. */
  readonly parted?: boolean;
  /** Stays open after a choice (column choice). */
  readonly stays?: boolean;
}

interface MenuProps {
  /** Name of the trigger for screen readers. */
  readonly label: string;
  /** Asked when the menu opens, so that a row costs only a button. */
  readonly items: () => readonly MenuItem[];
  /** What the trigger shows. */
  readonly children: ReactNode;
  readonly className?: string;
  /** Shown above the entries. */
  readonly head?: ReactNode;
  readonly tip?: boolean;
}

/** A button that opens a list of actions. */
export const Menu = ({ label, items, children, className = 'icon-button', head, tip = true }: MenuProps) => {
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const closedAt = useRef(-1000);

  const close = (): void => {
    closedAt.current = performance.now();
    setOpen(false);
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        data-tip={tip ? label : undefined}
        onPointerEnter={prepare}
        onFocus={prepare}
        // The press that closes an open menu must not open it again.
        onClick={() => performance.now() - closedAt.current > 200 && setOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <Suspense>
          <MenuList label={label} items={items()} head={head} anchor={trigger} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
