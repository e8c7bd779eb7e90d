import { useEffect, useRef } from 'react';

/**
 * The single tooltip of the page, mounted once in the shell; any element gets one by `data-tip="text"`. Shown after the pointer
 * rests a moment, at once on keyboard focus; Escape hides it. Screen readers read its text as the element's description, so the
 * box itself is hidden from them.
 */
export const TooltipLayer = () => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current === null ? undefined : followTips(box.current)), []);
  return <div ref={box} id="tip" className="tip" role="tooltip" popover="manual" aria-hidden />;
};

const DELAY_MS = 350;
const GAP = 6;
const PRESSED = 'a, button, input, label, summary';

const followTips = (box: HTMLDivElement): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let target: HTMLElement | undefined;
  /** Where a button was pressed: nothing there gets a tooltip until the pointer has moved. */
  let pressed: PointerEvent | undefined;

  const hide = (): void => {
    clearTimeout(timer);
    target?.removeAttribute('aria-describedby');
    target = undefined;
    if (box.matches(':popover-open')) box.hidePopover();
  };
  const show = (): void => {
    const text = target?.dataset['tip'];
    if (target === undefined || !target.isConnected || !text) return hide();
    box.textContent = text;
    if (!box.matches(':popover-open')) box.showPopover();
    place(box, target);
    if (target.getAttribute('aria-label') !== text) target.setAttribute('aria-describedby', box.id);
  };
  const aim = (event: Event): void => {
    const next = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null;
    if (next === target) return;
    hide();
    if (event instanceof PointerEvent) {
      if (pressed && Math.hypot(event.x - pressed.x, event.y - pressed.y) < 3) return;
      pressed = undefined;
      // A touch on a button presses it, and no event says when the finger is lifted.
      if (event.pointerType === 'touch' && next?.matches(PRESSED) === true) return;
    } else if (next?.matches(':focus-visible') !== true) return;
    if (next === null) return;
    target = next;
    timer = setTimeout(show, event.type === 'focusin' ? 0 : DELAY_MS);
  };
  const press = (event: PointerEvent): void => {
    pressed = event;
    hide();
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') hide();
  };

  const off = new AbortController();
  const options = { signal: off.signal, passive: true } as const;
  document.addEventListener('pointerover', aim, options);
  document.addEventListener('focusin', aim, options);
  document.addEventListener('pointerdown', press, options);
  document.addEventListener('keydown', escape, options);
  document.addEventListener('scroll', hide, { ...options, capture: true });
  return () => {
    hide();
    off.abort();
  };
};

const place = (box: HTMLDivElement, target: HTMLElement): void => {
  const around = target.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const above = around.top - height - GAP;
  const left = Math.min(Math.max(8, around.left + around.width / 2 - width / 2), innerWidth - width - 8);
  box.style.left = `${left}px`;
  box.style.top = `${above >= 8 ? above : around.bottom + GAP}px`;
};
