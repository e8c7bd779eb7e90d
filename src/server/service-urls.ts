/** Outside services Tollgate knows by name, and where they are. GitHub and Discord have an API beside their pages. */
const KNOWN = {
  github: 'https://github.com',
  'github-api': 'https://api.github.com',
  linuxdo: 'https://connect.linux.do',
  discord: 'https://discord.com',
  turnstile: 'https://challenges.cloudflare.com',
} as const;

export type ServiceUrls = Readonly<Record<keyof typeof KNOWN, string>>;

const isKnown = (name: string): name is keyof typeof KNOWN => Object.hasOwn(KNOWN, name);

/** `name=url` separated by commas, over where they usually are; undefined when it does not read. */
export const parseServiceUrls = (text: string): ServiceUrls | undefined => {
  const urls: Record<keyof typeof KNOWN, string> = { ...KNOWN };
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [name = '', url = ''] = part.trim().split('=', 2);
    if (!isKnown(name) || !/^https?:\/\//.test(url) || !URL.canParse(url)) return undefined;
    urls[name] = url.replace(/\/+$/, '');
  }
  return urls;
};
