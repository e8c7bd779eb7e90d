/** The page to go back to after signing in, or undefined where it is not one of ours: never another site. */
export const safeReturn = (address: string | undefined): string | undefined => {
  if (address === undefined || !/^\/(?![/\\])/.test(address)) return undefined;
  const { pathname, search, hash, origin } = new URL(address, 'http://here.invalid');
  if (origin !== 'http://here.invalid' || pathname === '/login') return undefined;
  return `${pathname}${search}${hash}`;
};
