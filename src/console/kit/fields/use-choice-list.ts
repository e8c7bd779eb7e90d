import { type MouseEvent, useState } from 'react';

/**
 * The common part of all lists of choices. The list is rendered at the end of the page, outside all landmarks, so it is
 * a landmark itself while open. It scrolls itself, because a scrolling parent could not be reached by keyboard.
 */
export const useChoiceList = (label: string) => {
  const [openings, setOpenings] = useState(0);
  return {
    withScrollArea: false,
    // Rendered only while open: otherwise two hundred hidden choices would be rendered with every change of the page.
    comboboxProps: { transitionProps: { duration: 0 }, keepMounted: false },
    attributes: { dropdown: { role: 'region', 'aria-label': label } },
    // Renders the field again once the list exists, so that its ARIA attributes refer to it.
    onDropdownOpen: () => setTimeout(() => setOpenings((count) => count + 1)),
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
