const SHORTLY_MS = 30;
/** How many times to look: parts of a large form are drawn later. */
const LOOKS = 10;

const FORMS = ':is(.drawer, .card-form, .personal-form)';

/** The field with the first error of a form may be scrolled away: brings it back and into focus. */
export const showFirstError = (): void => showFirstErrorOr(() => undefined);

/** The same; `none` is called if no field shows an error. */
export const showFirstErrorOr = (none: () => void): void => look(LOOKS, none);

const look = (left: number, none: () => void): void => {
  setTimeout(() => {
    const wrong = document.querySelector<HTMLElement>(
      `${FORMS} [aria-invalid=true], ${FORMS} [data-error] input`,
    );
    if (wrong !== null) {
      wrong.focus();
      wrong.scrollIntoView({ block: 'center' });
    } else if (left > 1) look(left - 1, none);
    else none();
  }, SHORTLY_MS);
};
