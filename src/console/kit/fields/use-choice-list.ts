import { startTransition, type UIEvent, useState } from 'react';

/** Choices drawn as a list opens: as many as it shows at once. */
const FIRST = 10;
/** Choices drawn with each further step. */
const STEP = 20;

/** Less than another screenful follows. The arrow keys scroll too, so they meet further choices the same way. */
const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop < 3 * clientHeight;

/**
 * The common part of the lists from which several are chosen. The list is rendered at the end of the page, outside all landmarks,
 * so it is a landmark itself while open. It scrolls itself, because a scrolling parent could not be reached by keyboard. A long
 * one is drawn as far as it is scrolled.
 */
export const useChoiceList = (label: string, count: number) => {
  const [openings, setOpenings] = useState(0);
  const [further, setFurther] = useState(0);
  const limit = FIRST + further;
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
