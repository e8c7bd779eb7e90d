const SHORTLY_MS = 30;
/** How many times to look: parts of a large form are drawn later. */
const LOOKS = 10;

/** The field with the first error of a drawer's form may be scrolled away: brings it back and into focus. */
export const showFirstError = (): void => look(LOOKS);

const look = (left: number): void => {
  setTimeout(() => {
    const wrong = document.querySelector<HTMLElement>(
      '.drawer [aria-invalid=true], .drawer [data-error] input',
    );
    if (wrong === null && left > 1) return look(left - 1);
    wrong?.focus();
    wrong?.scrollIntoView({ block: 'center' });
  }, SHORTLY_MS);
};
