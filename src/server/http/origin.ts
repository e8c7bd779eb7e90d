/** The address the caller used for this site: https if the caller, or a trusted proxy, used that. */
export const originOf = (secure: boolean, host: string | undefined): string =>
  `${secure ? 'https' : 'http'}://${host ?? ''}`;
