import type { IncomingHttpHeaders } from 'node:http';
import { USER_ID_HEADER } from '#contract/limits.ts';
import type { User } from '#core/user/user.ts';
import type { Identify } from '../../control/people/identity.ts';
import { sayError } from '../../control/refuse.ts';
import { isSameOrigin } from '../same-origin.ts';
import { readSessionCookie } from '../session-cookie.ts';

/** Finds the signed-in user of a playground call. Sessions only: system access tokens are for scripts. */
export const createPlaygroundUser =
  (identify: Identify) =>
  async (headers: IncomingHttpHeaders): Promise<User> => {
    const sameOrigin = isSameOrigin({
      secFetchSite: one(headers['sec-fetch-site']),
      secFetchMode: one(headers['sec-fetch-mode']),
      origin: headers.origin,
      host: headers.host,
    });
    if (!sameOrigin) throw sayError('forbidden', 'cross_site');
    const { user } = await identify({
      // A planted session does not work: `New-Api-User` must name its user.
      sessionId: readSessionCookie(headers.cookie, { secure: false }),
      authorization: undefined,
      userHeader: one(headers[USER_ID_HEADER.toLowerCase()]),
    });
    return user;
  };

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
