/** Joins two separately encoded base64 texts; the first may have padding. */
export const joinBase64 = (first: string, second: string): string => {
  if (second === '' || (first.length % 4 === 0 && !first.endsWith('='))) return first + second;
  const whole = first.length - (first.length % 4 || 4);
  const rest = [first.slice(whole), second].map((piece) => Buffer.from(piece, 'base64'));
  return first.slice(0, whole) + Buffer.concat(rest).toString('base64');
};
