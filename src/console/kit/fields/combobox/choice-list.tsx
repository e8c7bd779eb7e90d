import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, type RefObject, type UIEvent, useEffect, useLayoutEffect, useRef } from 'react';
import type { Choice, ComboboxState } from './use-combobox.ts';

const GAP_PX = 6;
const HEIGHT_PX = 290;

/**
 * Below the field, above it where there is more room. Only the field is measured, before the list is there: to measure the list
 * as well would lay it out twice.
 */
const place = (list: HTMLElement, field: HTMLElement): void => {
  const { top, bottom, left, width } = field.getBoundingClientRect();
  const below = innerHeight - bottom;
  const isBelow = below >= Math.min(HEIGHT_PX, top);
  const room = (isBelow ? below : top) - 2 * GAP_PX;
  list.style.cssText =
    `left: ${String(left)}px; width: ${String(width)}px; max-height: ${String(Math.min(HEIGHT_PX, room))}px;` +
    (isBelow ? `top: ${String(bottom + GAP_PX)}px` : `bottom: ${String(innerHeight - top + GAP_PX)}px`);
};

/** Less than another screenful follows. */
const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop < 3 * clientHeight;

interface ChoiceListProps {
  readonly id: string;
  readonly label: string;
  readonly state: ComboboxState;
  readonly field: RefObject<HTMLElement | null>;
  readonly draw: (choice: Choice) => ReactNode;
  /** Said where nothing fits the search. */
  readonly nothingFound: string;
}

/** The open list of a combobox, above everything else. The focus stays in the field. */
export const ChoiceList = ({ id, label, state, field, draw, nothingFound }: ChoiceListProps) => {
  const list = useRef<HTMLDivElement>(null);
  const { found, limit, marked, chosenAt } = state;
  useLayoutEffect(() => {
    const [box, input] = [list.current, field.current];
    if (box === null || input === null) return undefined;
    place(box, input);
    box.showPopover();
    const follow = (event: Event): void => {
      if (event.target !== box) place(box, input);
    };
    addEventListener('scroll', follow, { capture: true, passive: true });
    addEventListener('resize', follow);
    return () => {
      removeEventListener('scroll', follow, { capture: true });
      removeEventListener('resize', follow);
    };
  }, [field]);
  const seen = marked === -1 ? chosenAt : marked;
  useEffect(() => {
    if (seen > 4) list.current?.children[seen]?.scrollIntoView({ block: 'nearest' });
    else if (seen !== -1) list.current?.scrollTo({ top: 0 });
  }, [seen]);
  const grow = ({ currentTarget }: UIEvent<HTMLElement>): void => {
    if (limit < found.length && isNearEnd(currentTarget)) state.grow();
  };
  return (
    <div
      ref={list}
      id={id}
      className="choices"
      role="listbox"
      aria-label={label}
      popover="manual"
      onScroll={grow}
      // The field keeps the focus, also while the list is scrolled by its bar.
      onMouseDown={(event) => event.preventDefault()}
    >
      {found.slice(0, limit).map((choice, at) => (
        <div
          key={choice.value}
          id={`${id}-${String(at)}`}
          className="choice"
          role="option"
          aria-selected={at === chosenAt}
          aria-disabled={choice.disabled === true || undefined}
          aria-setsize={found.length}
          aria-posinset={at + 1}
          data-value={choice.value}
          data-marked={at === marked || undefined}
          onClick={() => state.take(choice)}
        >
          {at === chosenAt && <IconCheck size={14} />}
          {draw(choice)}
        </div>
      ))}
      {found.length === 0 && (
        <div className="choice" role="option" aria-selected={false} aria-disabled>
          {nothingFound}
        </div>
      )}
    </div>
  );
};
