// This library over HTTP with the platform's `fetch` in place of its own engine.
import { open as openOwn } from './rx-mcp.mjs';

/** Opens it. */
export const open = (wire) => openOwn(wire, { fetch: globalThis.fetch });
