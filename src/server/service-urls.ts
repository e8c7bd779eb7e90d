import { type OauthName, oauthNames, signInServices } from '#contract/sign-in-services.ts';
import { withoutEnd } from '#contract/without-end.ts';

const TURNSTILE = 'turnstile';

/** The default addresses of outside services; `github-api` is the address of GitHub's API. */
const known = new Map<string, string>([[TURNSTILE, 'https://challenges.cloudflare.com']]);
for (const name of oauthNames) {
  const row: { readonly name: string; readonly address?: string; readonly api?: string } =
    signInServices[name];
  if (row.address !== undefined) known.set(name, row.address);
  if (row.api !== undefined) known.set(`${name}-api`, row.api);
}

/** The addresses of a service's pages and of its API; both empty if options set them. */
export interface ServicePlace {
  readonly address: string;
  readonly api: string;
}

export interface ServiceUrls {
  readonly turnstile: string;
  readonly signIn: Readonly<Record<OauthName, ServicePlace>>;
}

/** What is wrong with a text that `parseServiceUrls` does not take. */
export const WRONG_SERVICE_URLS =
  `must be name=url pairs, separated by commas, each of ${[...known.keys()].join(', ')} at most once; ` +
  'an address has no user, ? or #, because paths are appended to it';

/** Whether paths can be appended to the address. */
const isBase = (url: string): boolean => /^https?:\/\/[^\s@?#]+$/.test(url) && URL.canParse(url);

/** Parses `name=url` pairs, separated by commas, over the defaults; undefined if the text is invalid. */
export const parseServiceUrls = (text: string): ServiceUrls | undefined => {
  const urls = new Map(known);
  const given = new Set<string>();
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const [name = '', ...rest] = part.split('=').map((piece) => piece.trim());
    const url = rest.join('=');
    if (!known.has(name) || given.has(name) || !isBase(url)) return undefined;
    given.add(name);
    urls.set(name, withoutEnd(url, '/'));
  }
  const placeOf = (name: OauthName): ServicePlace => {
    const address = urls.get(name) ?? '';
    return { address, api: urls.get(`${name}-api`) ?? address };
  };
  return {
    turnstile: urls.get(TURNSTILE) ?? '',
    signIn: Object.fromEntries(oauthNames.map((name) => [name, placeOf(name)])) as ServiceUrls['signIn'],
  };
};
