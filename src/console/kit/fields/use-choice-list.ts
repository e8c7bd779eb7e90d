import { useState } from 'react';

/**
 * What every list of choices has in common. It is drawn at the end of the page, outside of every landmark, so it is one
 * itself while it is open; and it scrolls by itself, since what scrolls for it could not be reached by keys.
 */
export const useChoiceList = (label: string) => {
  const [openings, setOpenings] = useState(0);
  return {
    withScrollArea: false,
    // Two hundred choices that nobody looks at would be drawn with every change of the page.
    comboboxProps: { transitionProps: { duration: 0 }, keepMounted: false },
    attributes: { dropdown: { role: 'region', 'aria-label': label } },
    // The field says that it is open, and which list is its own, when it is drawn again once the list is there.
    onDropdownOpen: () => setTimeout(() => setOpenings((count) => count + 1)),
    'data-openings': openings,
  };
};
