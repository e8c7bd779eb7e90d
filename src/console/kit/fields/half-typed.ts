/**
 * Whether a date or number in it is half typed, which browsers report as an empty field: saved like that, it would be no end or
 * no limit. The browser says so at the field, which gets the focus.
 */
export const isHalfTyped = (box: Element): boolean => {
  const half = [...box.querySelectorAll('input')].find(
    (input) => input.validity.badInput && input.checkVisibility(),
  );
  half?.reportValidity();
  return half !== undefined;
};
