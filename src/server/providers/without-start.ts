/**
 * An address without what people paste behind it of the path that comes next: all of `path`, or as many of its parts as
 * the address ends with, so that nothing of it is ever doubled.
 */
export const withoutStart = (address: string, path: string): string => {
  for (let start = path; start.length > 1; start = start.slice(0, start.lastIndexOf('/')))
    if (address.endsWith(start)) return address.slice(0, -start.length);
  return address;
};
