import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly run: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** For choices: shows a tick before the chosen one. */
  readonly checked?: boolean;
  /** A line above this entry. */
  readonly parted?: boolean;
  /** The menu stays open after it was chosen (column choice). */
  readonly stays?: boolean;
}

interface MenuListProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly head: ReactNode;
  readonly anchor: { readonly current: HTMLButtonElement | null };
  readonly onClose: () => void;
}

/** The open list of a menu. Arrow keys move, Escape and a click elsewhere close. */
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

export default MenuList;
