import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Where Mantine puts lists of choices too. In one place, what opens later is above what it was opened from. */
const topOfPage = (): Element => {
  const known = document.querySelector('[data-mantine-shared-portal-node]');
  if (known !== null) return known;
  const made = document.createElement('div');
  made.setAttribute('data-portal', 'true');
  made.setAttribute('data-mantine-shared-portal-node', 'true');
  document.body.append(made);
  return made;
};

/**
 * Puts a drawer or dialog at the end of the page. Mantine's own portal first draws nothing and then everything in it at once, in
 * one task that no key or scroll interrupts; here it is drawn as part of what is around it. Give the root `withinPortal={false}`.
 */
export const TopLayer = ({ children }: { readonly children: ReactNode }) =>
  createPortal(children, topOfPage());
