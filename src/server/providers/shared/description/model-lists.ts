/**
 * The models a provider serves, for providers that the price catalogue does not list or lists out of date. Each provider's
 * `models` is from the maker's own page, November 2026. A channel whose upstream lists its models gives a newer list.
 */
export const named = (names: string): readonly string[] => names.trim().split(/\s+/);

/** OpenAI's models, at OpenAI and at Azure: developers.openai.com/api/docs/models and /deprecations. */
export const gpt = named(`
  gpt-6.1-sol gpt-6.1-terra gpt-6-astra gpt-6-luna gpt-6-sol gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra
  gpt-5.5 gpt-5.5-pro gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.4-pro gpt-5.3-codex gpt-5.2 gpt-5.2-pro gpt-5.1
  gpt-5 gpt-5-mini gpt-5-nano gpt-5-pro gpt-4.1 gpt-4.1-mini gpt-4o gpt-4o-mini o3 o3-pro
  gpt-image-2.6-sunburst gpt-image-2.6-flare gpt-image-2 gpt-audio gpt-audio-mini gpt-realtime-2 gpt-realtime-mini
  gpt-transcribe gpt-4o-transcribe gpt-4o-mini-transcribe gpt-4o-mini-tts tts-1 tts-1-hd whisper-1
  text-embedding-3-large text-embedding-3-small text-embedding-ada-002 omni-moderation-latest
`);

/** Anthropic's models, under Anthropic's names: platform.claude.com/docs, models. */
export const claude = named(`
  claude-fable-5-2 claude-fable-5-1 claude-fable-5 claude-opus-5-5 claude-opus-5 claude-sonnet-5-5 claude-sonnet-5
  claude-haiku-5-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5 claude-sonnet-4-6 claude-sonnet-4-5
  claude-haiku-4-5
`);
