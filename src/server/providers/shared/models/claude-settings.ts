import type { FillSettings } from '../../../dialects/anthropic-messages/request/fill-request.ts';
import type { UpstreamCall } from '../../../dialects/upstream.ts';

/** The operator's options for Claude models, as `fillRequest` takes them. */
export const claudeSettings = ({ options }: Pick<UpstreamCall, 'options'>): FillSettings =>
  options === undefined
    ? {}
    : {
        defaultMaxTokens: options['claude.default_max_tokens'],
        readsSuffix: options['claude.thinking_adapter_enabled'],
        budgetShare: options['claude.thinking_adapter_budget_tokens_percentage'],
      };
