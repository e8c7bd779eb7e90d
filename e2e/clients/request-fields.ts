import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { GenerateContentConfig } from '@google/genai';
import type { geminiFields } from '../../src/server/dialects/testing/request-fields/gemini-fields.ts';
import type { messagesFields } from '../../src/server/dialects/testing/request-fields/messages-fields.ts';
import type { NoneMissing } from '../../src/server/dialects/testing/request-fields/field.ts';

/** Fields that only the client library itself reads, or sends as headers. */
type NotInTheBody = 'httpOptions' | 'abortSignal' | 'automaticFunctionCalling' | 'automaticContinuation';
type Headers = 'betas' | 'user_profile_id' | 'workspace_id';

/** Google's library has one flat object; on the wire most fields are in `generationConfig`. */
type FlatGemini = {
  [Path in keyof typeof geminiFields as Path extends `generationConfig.${infer Name}` ? Name : Path]: unknown;
};

/** Does not compile if a new version of a client library has a field that the tables lack. */
export const areComplete: readonly [
  NoneMissing<Omit<MessageCreateParamsNonStreaming, Headers>, typeof messagesFields>,
  NoneMissing<Omit<GenerateContentConfig, NotInTheBody>, FlatGemini>,
] = [true, true];
