import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from './class-names.ts';

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

/** A button that opens a list of actions. Arrow keys move, Escape and a click elsewhere close. */
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
        // The press that closes an open menu must not open it again.
        onClick={() => performance.now() - closedAt.current > 200 && setOpen(true)}
      >
        {children}
      </button>
      {isOpen && <MenuList label={label} items={items()} head={head} anchor={trigger} onClose={close} />}
    </>
  );
};

interface MenuListProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly head: ReactNode;
  readonly anchor: { readonly current: HTMLButtonElement | null };
  readonly onClose: () => void;
}

const MenuList = ({ label, items, head, anchor, onClose }: MenuListProps) => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = list.current;
    const button = anchor.current;
    if (box === null || button === null) return undefined;
    box.showPopover();
    place(box, button);
    box.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
    return () => {
      if (document.activeElement === document.body || box.contains(document.activeElement)) button.focus();
    };
  }, [anchor]);

  return (
    <div
      ref={list}
      className="menu"
      role="menu"
      aria-label={label}
      popover="auto"
      onToggle={(event) => event.newState === 'closed' && onClose()}
      onKeyDown={moveFocus}
    >
      {head !== undefined && (
        <div className="menu-head" role="presentation">
          {head}
        </div>
      )}
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role={item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          aria-checked={item.checked}
          className={classNames(
            'menu-item',
            item.danger && 'menu-item-danger',
            item.parted && 'menu-item-parted',
          )}
          disabled={item.disabled}
          tabIndex={-1}
          onClick={() => {
            if (item.stays !== true) list.current?.hidePopover();
            item.run();
          }}
        >
          {item.icon}
          <span>{item.label}</span>
          {item.checked === true && <IconCheck size={15} />}
        </button>
      ))}
    </div>
  );
};

const moveFocus = (event: KeyboardEvent<HTMLDivElement>): void => {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)')];
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
  if (event.key === 'Tab') event.currentTarget.hidePopover();
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  entries[(next + entries.length) % entries.length]?.focus();
};

const place = (box: HTMLElement, anchor: HTMLElement): void => {
  const around = anchor.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = around.bottom + 6;
  const top = below + height > innerHeight - 8 ? Math.max(8, around.top - height - 6) : below;
  const left = around.left + width > innerWidth - 8 ? around.right - width : around.left;
  box.style.top = `${top}px`;
  box.style.left = `${Math.max(8, left)}px`;
};
