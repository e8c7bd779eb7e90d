interface Origin {
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

/**
 * Whether a request comes from our own page or from no page at all. Browsers state it in `Sec-Fetch-Site`; those that
 * do not (plain http on a LAN) send `Origin` with requests that may change something.
 */
export const isSameOrigin = ({ secFetchSite, origin, host }: Origin): boolean => {
  if (secFetchSite !== undefined) return secFetchSite === 'same-origin' || secFetchSite === 'none';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
};
