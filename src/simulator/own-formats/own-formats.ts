import { type Call, sendJson } from '../wire.ts';
import { answerConverse } from './converse.ts';
import { makePrediction, showPrediction, streamPrediction } from './predictions.ts';
import { answerBaidu, answerBaiduToken, answerCoze, answerDify, answerLibrary } from './talkers.ts';
import { answerCohere, answerTencent } from './tool-callers.ts';

/**
 * Google, an access token for a service account (developers.google.com/identity, server-to-server). Who signed is for
 * the tests to check: the assertion is in the journal.
 */
const answerGoogleToken = ({ body, response }: Call): void => {
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

type Answer = (call: Call, raw: string) => void;

const POSTED: readonly (readonly [RegExp, Answer])[] = [
  [/^\/v2\/chat$/, answerCohere],
  [/^\/$/, answerTencent],
  [/^\/oauth\/2\.0\/token$/, answerBaiduToken],
  [/^\/google\/token$/, answerGoogleToken],
  [/^\/rpc\/2\.0\/ai_custom\/v1\/wenxinworkshop\/chat\/[\w-]+$/, answerBaidu],
  [/^\/model\/[^/]+\/converse(?:-stream)?$/, answerConverse],
  [/^\/v1\/chat-messages$/, answerDify],
  [/^\/v3\/chat$/, answerCoze],
  [/^\/v1\/(?:models\/[\w-]+\/[\w.-]+\/)?predictions$/, makePrediction],
  [/^\/api\/library\/ask$/, answerLibrary],
];

const FETCHED: readonly (readonly [RegExp, Answer])[] = [
  [/^\/v1\/predictions\/[\w-]+$/, showPrediction],
  [/^\/v1\/streams\/[\w-]+$/, streamPrediction],
];

/** The handler of a path where a provider has its own format; undefined for any other. */
export const ownFormatAt = (method: string | undefined, path: string): Answer | undefined =>
  (method === 'POST' ? POSTED : FETCHED).find(([shape]) => shape.test(path))?.[1];
