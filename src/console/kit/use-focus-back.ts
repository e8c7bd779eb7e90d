import { useEffect, useState } from 'react';

/**
 * Gives focus back to what opened this, once it is gone: dialogs and drawers here are taken away whole, where Mantine
 * only gives it back from one that is told to close. Where focus went elsewhere meanwhile, it stays there.
 */
export const useFocusBack = (): void => {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // What follows in the same breath, such as the form in place of its skeleton, takes the focus itself.
      setTimeout(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
      });
    },
    [opener],
  );
};
