const HERE = 'http://here.invalid';

/** The page to return to after signing in; undefined unless it is on this site. */
export const safeReturn = (address: string | undefined): string | undefined => {
  if (address === undefined || !/^\/(?![/\\])/.test(address)) return undefined;
  if (!URL.canParse(address, HERE)) return undefined;
  const { pathname, search, hash, origin } = new URL(address, HERE);
  // The URL parser has resolved steps like `/.`; what is left may begin like another host.
  if (origin !== HERE || pathname === '/login' || pathname.startsWith('//')) return undefined;
  return `${pathname}${search}${hash}`;
};
