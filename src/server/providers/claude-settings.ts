import type { FillSettings } from '../dialects/anthropic-messages/fill-request.ts';
import type { Addressed } from './provider.ts';

/** What the operator set for Claude models, as the format wants to hear it. */
export const claudeSettings = ({ options }: Pick<Addressed, 'options'>): FillSettings =>
  options === undefined
    ? {}
    : {
        defaultMaxTokens: options['claude.default_max_tokens'],
        readsSuffix: options['claude.thinking_adapter_enabled'],
        budgetShare: options['claude.thinking_adapter_budget_tokens_percentage'],
      };
