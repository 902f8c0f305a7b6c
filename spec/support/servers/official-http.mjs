// The workshop behind HTTP, on the official handler: `dual` takes both eras at one endpoint, `modern` no other.
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createWorkshop } from './workshop.mjs';

/** Makes one server for `fetch`; each request has an instance of its own, so what happened is kept in `journal`. */
export const createOfficialHttp = (form, journal = []) =>
  createMcpHandler(() => createWorkshop(journal), { legacy: form === 'modern' ? 'reject' : 'stateless' });
