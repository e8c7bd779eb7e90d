import { z } from 'zod';
import { parsed } from '../json-text.ts';

const DEFAULT_REGION = 'global';
/** Part of a host and of paths (cloud.google.com/vertex-ai, locations). */
const REGION = /^[a-z]{2,20}(?:-[a-z]+\d{1,2})?$/;
const byModel = z.record(z.string(), z.unknown());

/**
 * The regions of a Vertex channel's `other` by model, `default` for all others; none if it does not read. One region, or
 * `{"default": "us-central1", "claude-sonnet-4-5": "us-east5"}`.
 */
export const vertexRegions = (other: string): ReadonlyMap<string, string> => {
  const text = other.trim();
  if (!text.startsWith('{')) return new Map([['default', text || DEFAULT_REGION]]);
  const regions = Object.entries(byModel.safeParse(parsed(text)).data ?? {});
  return new Map(
    regions.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
};

export const isVertexRegion = (region: string): boolean => REGION.test(region);
