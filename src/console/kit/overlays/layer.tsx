import './layer.css';
import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from '../class-names.ts';
import { isHalfTyped } from '../fields/half-typed.ts';

interface LayerProps {
  /** Its name for screen readers: the text of its heading. */
  readonly label: string;
  readonly kind: 'drawer' | 'dialog' | 'menu';
  readonly width: number;
  /** It fills the screen, as on phones. */
  readonly isWhole: boolean;
  /** Of two open ones, the higher one is on top. */
  readonly layer: number;
  /** Called for a press beside it. Who uses it says what Escape does. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What stands above the page and keeps the focus: the frame of every drawer and dialog, and of the menu on phones. */
export const Layer = ({ label, kind, width, isWhole, layer, onClose, children }: LayerProps) => {
  const box = useRef<HTMLElement>(null);
  useKeptFocus(box);
  const refuseHalfTyped = (event: SyntheticEvent): void => {
    // Not what happens in a layer above it.
    if (event.target instanceof Element && box.current?.contains(event.target) === true)
      refuse(event, box.current);
  };
  return createPortal(
    <div className="layer" style={{ zIndex: layer }}>
      <div className="layer-scrim" onClick={onClose} ref={stopScrolling} />
      <section
        ref={box}
        className={classNames('layer-box', `layer-${kind}`, isWhole && 'layer-screen')}
        style={{ '--layer-width': `${String(width)}px` }}
        role="dialog"
        aria-modal
        aria-label={label}
        tabIndex={-1}
        onSubmitCapture={refuseHalfTyped}
        onClickCapture={refuseHalfTyped}
      >
        {children}
      </section>
    </div>,
    document.body,
  );
};

const DOES_IT = '.button-primary, .button-danger';

/** Nothing is saved while a field is half typed: neither by a form nor by the button of a dialog without one. */
const refuse = (event: SyntheticEvent, box: HTMLElement): void => {
  const { type, target } = event;
  if (type === 'click' && (target as Element).closest(DOES_IT) === null) return;
  if (!isHalfTyped(box)) return;
  event.preventDefault();
  event.stopPropagation();
};

/** Where older browsers scroll the page below all the same. React's own listeners could not stop them. */
const stopScrolling = (scrim: HTMLElement | null): void => {
  const stop = (event: Event): void => event.preventDefault();
  for (const kind of ['wheel', 'touchmove']) scrim?.addEventListener(kind, stop, { passive: false });
};

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]';

/** What Tab reaches; of a group of radio buttons the chosen one. */
const stopsIn = (box: HTMLElement): readonly HTMLElement[] =>
  [...box.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (one) =>
      one.tabIndex >= 0 &&
      !one.matches(':disabled') &&
      one.checkVisibility() &&
      !(one instanceof HTMLInputElement && one.type === 'radio' && !one.checked && hasChosen(box, one)),
  );
const hasChosen = (box: HTMLElement, { name }: HTMLInputElement): boolean =>
  box.querySelector(`input[type=radio][name="${CSS.escape(name)}"]:checked`) !== null;

/** Takes the focus, to what is marked `data-autofocus` or else the first field, and leads Tab round inside. */
const useKeptFocus = (ref: RefObject<HTMLElement | null>): void =>
  useEffect(() => {
    const box = ref.current;
    if (box === null) return undefined;
    const first = setTimeout(() => {
      const start = box.querySelector<HTMLElement>('[data-autofocus]') ?? stopsIn(box)[0] ?? box;
      start.focus({ preventScroll: true });
    });
    const lead = (event: KeyboardEvent): void => {
      if (event.key !== 'Tab') return;
      const stops = stopsIn(box);
      const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
      const here = document.activeElement;
      if (from !== undefined && here !== from && here !== box) return;
      if (here === box && !event.shiftKey && to !== undefined) return;
      event.preventDefault();
      to?.focus();
    };
    box.addEventListener('keydown', lead);
    return () => {
      clearTimeout(first);
      box.removeEventListener('keydown', lead);
    };
  }, [ref]);
