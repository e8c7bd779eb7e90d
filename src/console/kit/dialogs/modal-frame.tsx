import '../drawers/form-drawer.css';
import { Modal } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { MantineScope } from '../mantine-scope.tsx';
import { useEscape } from '../overlays/use-escape.ts';
import { useFocusBack } from '../overlays/use-focus-back.ts';

interface ModalFrameProps {
  /** Its name for screen readers: what its heading says. */
  readonly label: string;
  readonly onClose: () => void;
  readonly width: number;
  /** Which of two that are open lies above. */
  readonly layer: number;
  readonly isFullScreen?: boolean;
  /** It is open because the address says so: then it is a step of the history by itself. */
  readonly isInAddress?: boolean;
  readonly children: ReactNode;
}

/**
 * What every dialog is in: it closes with Escape and with Back, which does not leave the page under it, and gives the
 * focus back to where it was.
 */
export const ModalFrame = ({
  label,
  onClose,
  width,
  layer,
  isFullScreen = false,
  isInAddress = false,
  children,
}: ModalFrameProps) => {
  useFocusBack();
  const isTopmost = useEscape(true, onClose);
  useBackCloses(!isInAddress, isTopmost, onClose);
  return (
    <MantineScope>
      <Modal.Root
        opened
        onClose={onClose}
        closeOnEscape={false}
        centered
        size={width}
        fullScreen={isFullScreen}
        zIndex={layer}
        transitionProps={{ duration: 0 }}
      >
        <Modal.Overlay />
        <Modal.Content aria-label={label}>{children}</Modal.Content>
      </Modal.Root>
    </MantineScope>
  );
};

/** Back closes the dialog, where it is the topmost, in place of leaving the page under it. */
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
    // Before the first page of a tab there is nothing of ours: Back would leave the site, and nobody is asked.
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
