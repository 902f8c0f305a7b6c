// The floor over HTTP: a bare `fetch` for each call.
import { open as openFloor } from './floor.mjs';

/** Opens it. */
export const open = (wire) => openFloor({ ...wire, way: 'fetch' });
