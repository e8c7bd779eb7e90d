import { IconCheck } from '@tabler/icons-react';
import {
  type ReactNode,
  type RefObject,
  type UIEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';
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

/** Less than another screenful is drawn below what is seen. */
const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop < 3 * clientHeight;
const isNearStart = ({ scrollTop, clientHeight }: HTMLElement): boolean => scrollTop < clientHeight;

/** Places the list, and follows its field where it scrolls, or grows with the names in it. */
const usePlace = (list: RefObject<HTMLElement | null>, field: RefObject<HTMLElement | null>): void =>
  useLayoutEffect(() => {
    const [box, input] = [list.current, field.current];
    if (box === null || input === null) return undefined;
    let height = input.offsetHeight;
    place(box, input);
    box.showPopover();
    const sizes = new ResizeObserver(() => {
      if (height === input.offsetHeight) return;
      height = input.offsetHeight;
      place(box, input);
    });
    sizes.observe(input);
    const follow = (event: Event): void => {
      if (event.target !== box) place(box, input);
    };
    addEventListener('scroll', follow, { capture: true, passive: true });
    addEventListener('resize', follow);
    return () => {
      sizes.disconnect();
      removeEventListener('scroll', follow, { capture: true });
      removeEventListener('resize', follow);
    };
  }, [list, field]);

/** Shows what is marked, and keeps what is seen in its place when choices are drawn above it. */
const useScroll = (list: RefObject<HTMLElement | null>, state: ComboboxState): void => {
  const { from, marked, chosenAt, search } = state;
  const before = useRef(from);
  useLayoutEffect(() => {
    const added = before.current - from;
    before.current = from;
    const box = list.current;
    const [first, firstBefore] = [box?.children[0], box?.children[added]];
    if (added <= 0 || !(first instanceof HTMLElement) || !(firstBefore instanceof HTMLElement)) return;
    box?.scrollBy({ top: firstBefore.offsetTop - first.offsetTop });
  }, [list, from]);
  useEffect(() => {
    if (search !== undefined) list.current?.scrollTo({ top: 0 });
  }, [list, search]);
  const seen = marked === -1 ? chosenAt : marked;
  const show = useEffectEvent((): void => {
    if (seen > 4) list.current?.children[seen - from]?.scrollIntoView({ block: 'nearest' });
    else if (seen !== -1) list.current?.scrollTo({ top: 0 });
  });
  useEffect(() => show(), [seen]);
};

interface ChoiceListProps {
  readonly id: string;
  readonly label: string;
  readonly state: ComboboxState;
  readonly field: RefObject<HTMLElement | null>;
  readonly draw: (choice: Choice) => ReactNode;
  /** Several can be taken, and those that are taken are not among them. */
  readonly isForSeveral?: boolean;
  /** Said where nothing fits the search. */
  readonly nothingFound: string;
}

/** The open list of a combobox, above everything else. The focus stays in the field. */
export const ChoiceList = ({ id, label, state, field, draw, ...props }: ChoiceListProps) => {
  const list = useRef<HTMLDivElement>(null);
  const { found, from, limit, marked, chosenAt } = state;
  usePlace(list, field);
  useScroll(list, state);
  const grow = ({ currentTarget }: UIEvent<HTMLElement>): void => {
    if (limit < found.length && isNearEnd(currentTarget)) state.grow();
    if (from > 0 && isNearStart(currentTarget)) state.grow(true);
  };
  return (
    <div
      ref={list}
      id={id}
      className="choices"
      role="listbox"
      aria-label={label}
      aria-multiselectable={props.isForSeveral}
      popover="manual"
      onScroll={grow}
      // The field keeps the focus, also while the list is scrolled by its bar.
      onMouseDown={(event) => event.preventDefault()}
    >
      {found.slice(from, limit).map((choice, step) => {
        const at = from + step;
        return (
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
        );
      })}
      {found.length === 0 && (
        <div className="choice" role="option" aria-selected={false} aria-disabled>
          {props.nothingFound}
        </div>
      )}
    </div>
  );
};
