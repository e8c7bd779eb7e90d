import { type MouseEvent, startTransition, type UIEvent, useState } from 'react';

/** Choices drawn as a list opens: as many as it shows at once. */
const FIRST = 10;
/** Choices drawn with each further step. */
const STEP = 20;
/** An open list is drawn as far as its chosen entry, if that is among these. */
const REACHED_AT_ONCE = 200;

/** How many choices are drawn when a list opens. */
const drawnAtFirst = (chosenAt: number): number =>
  chosenAt < REACHED_AT_ONCE ? FIRST + Math.max(0, chosenAt) : FIRST;

/** Less than another screenful follows. The arrow keys scroll too, so they meet further choices the same way. */
const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop < 3 * clientHeight;

/**
 * The common part of all lists of choices. The list is rendered at the end of the page, outside all landmarks, so it is
 * a landmark itself while open. It scrolls itself, because a scrolling parent could not be reached by keyboard. A long one is drawn
 * as far as it is scrolled.
 * @param chosenAt where the chosen entry is
 */
export const useChoiceList = (label: string, count: number, chosenAt = -1) => {
  const [openings, setOpenings] = useState(0);
  const [further, setFurther] = useState(0);
  const first = drawnAtFirst(chosenAt);
  const limit = first + further;
  const grow = ({ currentTarget: list }: UIEvent<HTMLElement>): void => {
    if (limit < count && isNearEnd(list)) setFurther(further + STEP);
  };
  return {
    limit,
    withScrollArea: false,
    // Rendered only while open: otherwise two hundred hidden choices would be rendered with every change of the page.
    // As wide as its field, it needs not be moved aside, and each such question measures all that it is in.
    comboboxProps: { transitionProps: { duration: 0 }, keepMounted: false, middlewares: { shift: false } },
    attributes: { dropdown: { role: 'region', 'aria-label': label, onScroll: grow } },
    // Renders the field again once the list exists, so that its ARIA attributes refer to it.
    onDropdownOpen: () =>
      setTimeout(() =>
        startTransition(() => {
          setOpenings((before) => before + 1);
          setFurther(STEP);
        }),
      ),
    onDropdownClose: () => setFurther(0),
    'data-openings': openings,
  };
};

/**
 * For a field that shows one choice and searches for others: pressing it marks the name of the choice, wherever it is pressed,
 * so that what is typed is searched for instead of being added to that name. A search that has begun is left alone.
 */
export const searchedAnew = (chosen: string | undefined) => ({
  onClick: ({ currentTarget: field }: MouseEvent<HTMLInputElement>) => {
    if (!field.readOnly && field.value === chosen) field.select();
  },
});
