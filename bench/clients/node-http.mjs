// The floor over HTTP: `node:http` with connections kept alive.
import { open as openFloor } from './floor.mjs';

/** Opens it. */
export const open = (wire) => openFloor({ ...wire, way: 'node' });
