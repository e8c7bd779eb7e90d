import { sendJson, type Call } from '../wire.ts';

/**
 * Google, an access token for a service account (developers.google.com/identity, server-to-server). Who signed is for
 * the tests to check: the assertion is in the journal.
 */
export const answerGoogleToken = ({ body, response }: Call): void => {
  const isGrant = body['grant_type'] === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const isSigned = String(body['assertion']).split('.').length === 3;
  if (isGrant && isSigned)
    return sendJson(response, 200, {
      access_token: 'ya29.simulated',
      expires_in: 3599,
      token_type: 'Bearer',
    });
  sendJson(response, 400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' });
};
