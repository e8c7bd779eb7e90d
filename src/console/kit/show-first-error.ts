/** The field with the first error of a drawer's form may be scrolled away: brings it back and into focus. */
export const showFirstError = (): void => {
  setTimeout(() => {
    const wrong = document.querySelector<HTMLElement>(
      '.drawer [aria-invalid=true], .drawer [data-error] input',
    );
    wrong?.focus();
    wrong?.scrollIntoView({ block: 'center' });
  }, 30);
};
