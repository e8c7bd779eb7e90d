import './form-drawer.css';
import { type ReactNode, useLayoutEffect } from 'react';
import { useIsPhone } from '../../lib/browser/media.ts';
import { Layer } from '../overlays/layer.tsx';
import { useFocusBack } from '../overlays/use-focus-back.ts';

interface DrawerFrameProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly width: number;
  readonly children: ReactNode;
}

const LAYER = 200;

/** The frame of everything at the right edge, which is the whole screen on phones. Who uses it says what Escape does. */
export const DrawerFrame = ({ title, onClose, width, children }: DrawerFrameProps) => {
  const isPhone = useIsPhone();
  useFocusBack();
  useToastsBeside();
  return (
    <Layer label={title} kind="drawer" width={width} isWhole={isPhone} layer={LAYER} onClose={onClose}>
      {children}
    </Layer>
  );
};

/** The number of open drawers: one may be above another. */
let open = 0;

const count = (change: number): void => {
  open += change;
  document.documentElement.toggleAttribute('data-drawer', open > 0);
};

/**
 * Moves toasts beside an open drawer, so that they do not cover its head. It sets an attribute on the page, because
 * `body:has(.drawer)` would restyle every row behind the drawer with each element that is added to the page: a tenth of a
 * second on a slow machine.
 */
const useToastsBeside = (): void =>
  useLayoutEffect(() => {
    count(1);
    return () => count(-1);
  }, []);
