/** Tools that are allowed another model: image generation has a price of its own, and the caller runs the others. */
export const originOf = (secure: boolean, host: string | undefined): string =>
  `${secure ? 'https' : 'http'}://${host ?? ''}`;
