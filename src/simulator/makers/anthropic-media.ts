import { asJson, type Json } from '../wire.ts';
import { firstOf, isOneOf, objectsIn, type Rule, shown } from './rule.ts';

const REFERENCE = 'platform.claude.com/docs/en/api/messages';
const PICTURES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** The blocks of all messages, with those inside results. */
const blocksIn = (body: Json): Json[] =>
  objectsIn(body['messages'])
    .flatMap(({ content }) => objectsIn(content))
    .flatMap((block) => [block, ...objectsIn(block['content'])]);

/** What Anthropic's Messages refuses of pictures and instructions. */
export const anthropicMediaRules: readonly Rule[] = [
  {
    source: `hermes-agent#55432, anotherai#457; ${REFERENCE} (Base64ImageSource.media_type)`,
    broken: (body) =>
      firstOf(blocksIn(body), ({ type, source }) => {
        const { type: from, media_type: mediaType } = asJson(source);
        return type === 'image' && from === 'base64' && !isOneOf(mediaType, PICTURES)
          ? "image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
          : undefined;
      }),
  },
  {
    source: `${REFERENCE} (system: TextBlockParam)`,
    broken: (body) =>
      firstOf(objectsIn(body['system']), ({ type }, at) =>
        type === 'text' ? undefined : `system.${at}.type: Input should be 'text', not '${shown(type)}'`,
      ),
  },
];
