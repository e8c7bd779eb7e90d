interface Origin {
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

/** An event with more lines is not parsed either: no model spreads its JSON over that many. */
export const isSameOrigin = ({ secFetchSite, origin, host }: Origin): boolean => {
  if (secFetchSite !== undefined) return secFetchSite === 'same-origin' || secFetchSite === 'none';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
};
