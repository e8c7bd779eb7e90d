import type { Reasoning } from './request.ts';

/** A model's name without its suffix, and what the suffix asks for. */
export interface Suffixed {
  readonly model: string;
  readonly reasoning: Reasoning;
}

const SUFFIX = /^(.+?)-(?:(thinking)(?:-(\d{1,7}))?|(nothinking)|(none|minimal|low|medium|high|xhigh|max))$/;

/**
 * Reads a suffix that asks for thinking: `-thinking`, `-thinking-2048` (tokens), `-nothinking`, or an effort (`-high`).
 * Undefined if there is none. Each kind of upstream decides whether to use this: some real names end so.
 */
export const readThinkingSuffix = (name: string): Suffixed | undefined => {
  const [, model, thinking, budget, nothing, effort] = SUFFIX.exec(name) ?? [];
  if (model === undefined) return undefined;
  if (effort !== undefined)
    return { model, reasoning: { effort: effort as NonNullable<Reasoning['effort']> } };
  if (nothing !== undefined) return { model, reasoning: { enabled: false } };
  if (thinking === undefined) return undefined;
  return {
    model,
    reasoning: { enabled: true, ...(budget !== undefined && { budgetTokens: Number(budget) }) },
  };
};
