/**
 * What every list of choices has in common. It is drawn at the end of the page, outside of every landmark, so it is one
 * itself while it is open; and it scrolls by itself, since what scrolls for it could not be reached by keys.
 */
export const choiceList = (label: string) => ({
  withScrollArea: false,
  comboboxProps: { transitionProps: { duration: 0 } },
  attributes: { dropdown: { role: 'region', 'aria-label': label } },
});
