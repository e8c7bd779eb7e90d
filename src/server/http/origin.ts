/** The address a caller reached this site at: https where the caller, or a trusted proxy for them, spoke that. */
export const originOf = (secure: boolean, host: string | undefined): string =>
  `${secure ? 'https' : 'http'}://${host ?? ''}`;
