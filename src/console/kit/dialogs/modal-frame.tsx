import '../drawers/form-drawer.css';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Layer } from '../overlays/layer.tsx';
import { useEscape } from '../overlays/use-escape.ts';
import { useFocusBack } from '../overlays/use-focus-back.ts';

interface ModalFrameProps {
  /** Its name for screen readers: the text of its heading. */
  readonly label: string;
  readonly onClose: () => void;
  readonly width: number;
  /** Of two open ones, the higher layer is on top. */
  readonly layer: number;
  readonly isFullScreen?: boolean;
  /** The address opens it, so it has an entry of its own in the history. */
  readonly isInAddress?: boolean;
  /** Closing asks first, so that Back must not close it by itself. */
  readonly isDirty?: boolean;
  readonly children: ReactNode;
}

/** The frame of every dialog. Escape and Back close it without leaving the page below, and the focus returns to where it was. */
export const ModalFrame = ({
  label,
  onClose,
  width,
  layer,
  isFullScreen = false,
  isInAddress = false,
  isDirty = false,
  children,
}: ModalFrameProps) => {
  useFocusBack();
  const isTopmost = useEscape(onClose);
  useBackCloses(!isInAddress || isDirty, isTopmost, onClose);
  return (
    <Layer label={label} kind="dialog" width={width} isWhole={isFullScreen} layer={layer} onClose={onClose}>
      {children}
    </Layer>
  );
};

/** Back closes the topmost dialog instead of leaving the page below. */
const useBackCloses = (isOn: boolean, isTopmost: () => boolean, onClose: () => void): void => {
  // Tests of a dialog have no router.
  const router: ReturnType<typeof useRouter> | null = useRouter({ warn: false });
  const take = useEffectEvent((action: string): boolean => {
    if (action !== 'BACK' || !isTopmost()) return false;
    onClose();
    return true;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    // At the first entry of a tab, Back would leave the site, so the page gets a second entry.
    if (router?.history.location.state.__TSR_index === 0)
      void router.navigate({
        to: '.',
        search: true,
        hash: true,
        state: (before) => ({ ...before, isAgain: true }),
        resetScroll: false,
        ignoreBlocker: true,
      });
    return router?.history.block({
      blockerFn: ({ action }: { readonly action: string }) => take(action),
      enableBeforeUnload: false,
    });
  }, [isOn, router]);
};
