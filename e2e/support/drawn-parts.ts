import type { Page } from 'playwright-core';
import { z } from 'zod';

/**
 * React tells developer tools of every commit. This listens in their place and counts the components that were rendered: a
 * measure of a page's work that no clock and no other program on the machine changes.
 */
const listener = `(() => {
  const RENDERED = 1;
  let rendered = 0;
  const visit = (now, before) => {
    if (typeof now.type !== 'string' && typeof now.type !== 'symbol' && (before === null || (now.flags & RENDERED) !== 0)) rendered += 1;
    // A component that was not rendered is the same object as before.
    if (before !== null && now.child === before.child) return;
    for (let child = now.child; child !== null; child = child.sibling) visit(child, child.alternate);
  };
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    onCommitFiberRoot: (_, root) => visit(root.current, root.current.alternate),
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
    takeRendered: () => {
      const count = rendered;
      rendered = 0;
      return count;
    },
  };
})()`;

/** Counts from the next page that is loaded in this window. */
export const watchDrawing = (page: Page): Promise<unknown> => page.addInitScript(listener);

/** How many components were rendered since the last call. */
export const takeDrawn = async (page: Page): Promise<number> =>
  z.number().parse(await page.evaluate('__REACT_DEVTOOLS_GLOBAL_HOOK__.takeRendered()'));
