import type { Resource, ResourceTemplate } from '../../protocol/schemas/index.js';

/** `text/html;profile=mcp-app`, as a header field would have it. RFC 9110, section 8.3.1. */
const isAppType = (mimeType: unknown): boolean => {
  if (typeof mimeType !== 'string') return false;
  const [type, ...parameters] = mimeType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return type === 'text/html' && parameters.some((part) => /^profile\s*=\s*"?mcp-app"?$/.test(part));
};

/** Whether a resource is the user interface of a tool, which a host draws and no model reads. MCP Apps (SEP-1865). */
export const isApp = (resource: Resource | ResourceTemplate): boolean => {
  const address = 'uri' in resource ? resource.uri : resource.uriTemplate;
  return /^ui:/i.test(address) || isAppType(resource.mimeType);
};
