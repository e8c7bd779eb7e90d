import type { Call } from '../wire.ts';
import { answerConverse } from './converse.ts';
import { answerGoogleToken } from './google-token.ts';
import {
  answerBaidu,
  answerBaiduToken,
  answerCoze,
  answerDify,
  answerLibrary,
  answerReplicate,
} from './talkers.ts';
import { answerCohere, answerTencent } from './tool-callers.ts';

const ROUTES: readonly (readonly [RegExp, (call: Call, raw: string) => void])[] = [
  [/^\/v2\/chat$/, answerCohere],
  [/^\/$/, answerTencent],
  [/^\/oauth\/2\.0\/token$/, answerBaiduToken],
  [/^\/google\/token$/, answerGoogleToken],
  [/^\/rpc\/2\.0\/ai_custom\/v1\/wenxinworkshop\/chat\/[\w-]+$/, answerBaidu],
  [/^\/model\/[^/]+\/converse(?:-stream)?$/, answerConverse],
  [/^\/v1\/chat-messages$/, answerDify],
  [/^\/v3\/chat$/, answerCoze],
  [/^\/v1\/(?:models\/[\w-]+\/[\w.-]+\/)?predictions$/, answerReplicate],
  [/^\/api\/library\/ask$/, answerLibrary],
];

/** Who answers at a path where a provider has a format of its own; undefined for any other. */
export const ownFormatAt = (path: string): ((call: Call, raw: string) => void) | undefined =>
  ROUTES.find(([shape]) => shape.test(path))?.[1];
