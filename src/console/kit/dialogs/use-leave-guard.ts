import { useBlocker } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { confirm } from './dialogs.ts';

/** Asks whether unsaved changes may be lost. */
export const askToDiscard = (): Promise<boolean> =>
  confirm({
    title: t('drawer.discardTitle'),
    text: t('drawer.discardText'),
    action: t('drawer.discard'),
    danger: true,
  });

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** The browser asks before a tab with unsaved changes is closed or loaded anew. */
export const useUnloadGuard = (mustAsk: () => boolean): void => {
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (mustAsk()) event.preventDefault();
  });
  useEffect(() => {
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, []);
};

/**
 * Asks before a form that is a part of its page is left with unsaved changes.
 * @param keeps whether what was typed is still there at the next place
 */
export const useLeaveGuard = (isDirty: boolean, keeps: (current: Place, next: Place) => boolean): void => {
  useUnloadGuard(() => isDirty);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => !keeps(current, next) && !(await askToDiscard()),
    enableBeforeUnload: false,
    disabled: !isDirty,
  });
};
