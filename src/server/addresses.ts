/** An address that works in a browser on this machine. */
export const browserUrl = (host: string, port: number): string => `http://${shownHost(host)}:${port}`;

const shownHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** The one-time link that makes the super admin. */
export const setupLinkOf = (url: string, secret: string): string => `${url}/setup?secret=${secret}`;
