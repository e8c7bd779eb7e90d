interface Origin {
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly secFetchMode: string | undefined;
}

/**
 * Whether a request was sent by our own page or by no page at all. Browsers say so in `Sec-Fetch-Site`; those that do
 * not (plain http on a LAN) send `Origin` with requests that may change something. Only fetches count: a navigation
 * may follow anybody's link, such as one in a model's answer on our own page.
 */
export const isSameOrigin = ({ secFetchSite, secFetchMode, origin, host }: Origin): boolean => {
  if (secFetchMode === 'navigate') return false;
  if (secFetchSite !== undefined) return secFetchSite === 'same-origin' || secFetchSite === 'none';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
};
