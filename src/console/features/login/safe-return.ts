/** The page to return to after signing in; undefined unless it is on this site. */
export const safeReturn = (address: string | undefined): string | undefined => {
  if (address === undefined || !/^\/(?![/\\])/.test(address)) return undefined;
  const { pathname, search, hash, origin } = new URL(address, 'http://here.invalid');
  if (origin !== 'http://here.invalid' || pathname === '/login') return undefined;
  return `${pathname}${search}${hash}`;
};
