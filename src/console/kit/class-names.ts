/** Joins the class names that apply: `classNames('row', selected && 'row-selected')`. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ');
