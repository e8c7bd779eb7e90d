/**
 * A text without any of `signs` at its end, however many there are. A pattern such as `/\/+$/` would start again at each
 * of them.
 */
export const withoutEnd = (text: string, signs: string): string => {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return end === text.length ? text : text.slice(0, end);
};
