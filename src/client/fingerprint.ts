import type { Tool } from '../protocol/schemas/index.js';
import { canonical } from './canonical.js';
import { sha256Of } from './sha256.js';
import { definition } from './tool-definition.js';

/**
 * A stable fingerprint of a tool: the SHA-256, in hexadecimal, of its name, title, description, schemas and annotations,
 * whatever the order of their keys. Keep it with an approval, and ask again when it differs. Icons and `_meta` do not
 * count. Throws nothing.
 */
export const toolFingerprint = (tool: Tool): string => sha256Of(canonical(definition(tool)));
