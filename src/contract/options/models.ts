import { z } from 'zod';
import { mappingProblem } from '../channel/model-mapping.ts';
import { headerName } from '../channel/channel-overrides.ts';
import { entriesAtMost, headerText } from '../text.ts';
import { flagOption, jsonOption, numberOption } from './option.ts';

const modelName = z.string().min(1).max(255);
/** It becomes part of the path, so it must not leave it. */
export const GEMINI_VERSION = /^[A-Za-z\d][\w.-]*$/;
const sentText = headerText(4096);
const headerValues = z.union([z.string().max(4096), z.array(z.string().max(4096)).max(50)]);

/** The kinds of harm that thresholds are sent for. Source: ai.google.dev/api/generate-content, HarmCategory. */
export const harmCategories = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
] as const;

/** Source: ai.google.dev/api/generate-content, HarmBlockThreshold. An empty one is not sent. */
const harmThreshold = z.enum([
  '',
  'OFF',
  'BLOCK_NONE',
  'BLOCK_ONLY_HIGH',
  'BLOCK_MEDIUM_AND_ABOVE',
  'BLOCK_LOW_AND_ABOVE',
  'HARM_BLOCK_THRESHOLD_UNSPECIFIED',
]);

const ALIASES_MAX = 2000;
const ALIAS_PROBLEMS = {
  circle: 'aliases_circle',
  pattern: 'aliases_pattern',
  stars: 'aliases_stars',
  length: 'aliases_pattern',
} as const;

/** Names that stand for models, for all channels. */
const aliases = z.record(modelName, modelName).superRefine((names, context) => {
  entriesAtMost(ALIASES_MAX)(names, context);
  const problem = mappingProblem(new Map(Object.entries(names)));
  if (problem !== undefined)
    context.addIssue({ code: 'custom', message: ALIAS_PROBLEMS[problem.kind], path: [problem.model] });
});

/** Settings for families of models. */
export const modelOptions = {
  'gemini.safety_settings': jsonOption<Record<string, string>>(
    { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
    'daily',
    z.record(z.string().min(1).max(100), z.string().max(100)),
    { taken: z.partialRecord(z.enum(['default', ...harmCategories]), harmThreshold) },
  ),
  'gemini.version_settings': jsonOption<Record<string, string>>(
    { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
    'daily',
    z.record(modelName, z.string().max(50).regex(GEMINI_VERSION)),
  ),
  'gemini.supported_imagine_models': jsonOption<string[]>(
    ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-preview-image-generation'],
    'daily',
    z.array(modelName).max(1000),
  ),
  'gemini.thinking_adapter_enabled': flagOption('off', 'daily'),
  'gemini.thinking_adapter_budget_tokens_percentage': numberOption(0.6, 'daily', 0.002, 1),
  'claude.model_headers_settings': jsonOption(
    {},
    'daily',
    z.record(modelName, z.record(z.string().min(1).max(200), headerValues)),
    { taken: z.record(modelName, z.record(headerName, z.union([sentText, z.array(sentText)]))) },
  ),
  'claude.default_max_tokens': jsonOption<Record<string, number>>(
    { default: 8192 },
    'daily',
    z.record(modelName, z.number().int().min(1).max(10_000_000)),
  ),
  'claude.thinking_adapter_enabled': flagOption('on', 'daily'),
  'claude.thinking_adapter_budget_tokens_percentage': numberOption(0.8, 'daily', 0.1, 1),
  'global.pass_through_request_enabled': flagOption('off', 'daily'),
  /** Decides whether callers reach what others keep in an upstream's account. */
  'global.account_objects_enabled': flagOption('off', 'trust'),
  /** Decides whether callers get work from upstreams that nobody is charged for. */
  'global.unpriced_work_enabled': flagOption('off', 'house'),
  /** Decides what is sold under a name, and at which price. */
  'global.model_aliases': jsonOption<Readonly<Record<string, string>>>({}, 'house', aliases),
};
