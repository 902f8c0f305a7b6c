// The floor over HTTP: a bare undici pool.
import { open as openFloor } from './floor.mjs';

/** Opens it. */
export const open = (wire) => openFloor({ ...wire, way: 'pool' });
