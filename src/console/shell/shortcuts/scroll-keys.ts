import { useEffect } from 'react';

const SCROLL_KEYS: ReadonlySet<string> = new Set(['PageDown', 'PageUp', 'Home', 'End', ' ']);

/**
 * Lets the keys that scroll a page scroll its content, also before anybody has clicked into it. The window itself does not
 * scroll, and browsers scroll whatever is around the focus.
 */
export const useScrollKeys = (): void => {
  useEffect(() => {
    const press = ({ key, target, ctrlKey, altKey, metaKey }: KeyboardEvent): void => {
      if (!SCROLL_KEYS.has(key) || ctrlKey || altKey || metaKey) return;
      const content = document.querySelector<HTMLElement>('#content');
      // A link of the frame keeps the focus after its page has opened. Entries of menus have a role, and their own keys.
      const isLink = target instanceof HTMLAnchorElement && !target.hasAttribute('role');
      if (target === document.body || (isLink && content?.contains(target) === false))
        content?.focus({ preventScroll: true });
    };
    addEventListener('keydown', press, true);
    return () => removeEventListener('keydown', press, true);
  }, []);
};
