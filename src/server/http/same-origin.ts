interface Origin {
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly secFetchMode: string | undefined;
}

/**
 * Whether a request comes from our own page or from no page at all. Browsers state it in `Sec-Fetch-Site`; those that
 * do not (plain http on a LAN) send `Origin` with requests that may change something. Our pages fetch: what a browser opens
 * may be anybody's link, in a chat as well as in a model's answer on our own page.
 */
export const isSameOrigin = ({ secFetchSite, secFetchMode, origin, host }: Origin): boolean => {
  if (secFetchMode === 'navigate') return false;
  if (secFetchSite !== undefined) return secFetchSite === 'same-origin' || secFetchSite === 'none';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
};
