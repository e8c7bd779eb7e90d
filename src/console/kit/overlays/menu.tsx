import { late } from '../late.tsx';
import type { MenuItem } from './menu-list.tsx';
import { Suspense, useRef, useState, type ReactNode } from 'react';

const loadList = () => import('./menu-list.tsx');
const MenuList = late(loadList);
// Loaded before the click; if that fails, the click loads it again.
const prepare = (): void => void loadList().catch(() => undefined);

interface MenuProps {
  /** Name of the trigger for screen readers. */
  readonly label: string;
  /** Called when the menu opens, so that a closed menu costs only a button. */
  readonly items: () => readonly MenuItem[];
  /** The content of the trigger. */
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
  const wasOpen = useRef(false);

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
        onPointerDown={() => {
          wasOpen.current = isOpen;
        }}
        // Pressing the trigger closes an open menu; the click that follows must not open it again.
        onClick={() => {
          if (!wasOpen.current) setOpen(true);
          wasOpen.current = false;
        }}
      >
        {children}
      </button>
      {isOpen && (
        <Suspense>
          <MenuList
            label={label}
            items={items()}
            head={head}
            anchor={trigger}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
};
