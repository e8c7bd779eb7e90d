/** The digits of a number before and after its point, as many as tell it from any other number. */
const digitsOf = (amount: number): readonly [whole: string, decimals: string] => {
  const [mantissa = '', exponent = '0'] = String(amount).split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const moved = Number(exponent);
  if (moved < 0) return ['0', '0'.repeat(-moved - whole.length) + whole + decimals];
  return [whole + decimals.slice(0, moved).padEnd(moved, '0'), decimals.slice(moved)];
};

/** Half is rounded up, as people do: of what the number is written as, not of the binary fraction that it is. */
const rounded = (
  [whole, decimals]: readonly [string, string],
  most: number,
): readonly [whole: string, decimals: string] => {
  if (decimals.length <= most) return [whole, decimals];
  const isUp = Number(decimals[most]) >= 5;
  const digits = String(BigInt(whole + decimals.slice(0, most)) + (isUp ? 1n : 0n)).padStart(most + 1, '0');
  return [digits.slice(0, digits.length - most), digits.slice(digits.length - most)];
};

const grouped = (whole: string): string => {
  let text = whole.slice(-3);
  for (let at = whole.length - 3; at > 0; at -= 3) text = `${whole.slice(Math.max(0, at - 3), at)},${text}`;
  return text;
};

/**
 * `1,234.5`, with at least and at most so many decimals. Not by `Intl.NumberFormat`, which loads its data when the first number
 * of a page is shown: that takes a fast machine 20 ms, and a slow one the time of a whole screen of rows.
 */
export const numberText = (amount: number, least: number, most = least): string => {
  if (!Number.isFinite(amount)) return String(amount);
  const [whole, decimals] = rounded(digitsOf(Math.abs(amount)), most);
  let end = decimals.length;
  while (end > least && decimals[end - 1] === '0') end -= 1;
  const shown = decimals.slice(0, end).padEnd(least, '0');
  return `${amount < 0 ? '-' : ''}${grouped(whole)}${shown === '' ? '' : `.${shown}`}`;
};

/** The same for a small number, with so many digits from the first that is no 0. */
export const significantText = (amount: number, digits: number): string => {
  const [, decimals] = digitsOf(amount);
  return numberText(amount, 0, decimals.length - decimals.replace(/^0+/, '').length + digits);
};
